import type { TestProject } from 'vitest/node'
import { openDatabase } from '../kit/database.server.ts'
import { startPostgres } from '../kit/testing/postgres-server.ts'
import { loadReferenceData } from '../load-reference.server.ts'

export const TEMPLATE = 'sandhai_template'

/** A real PostgreSQL server for this run, with a template database that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const admin = await openDatabase({ databaseUrl: server.url, dataDir: '' })
  await admin.db.execute(`create database ${TEMPLATE}`)
  await admin.close()
  const url = new URL(server.url)
  url.pathname = `/${TEMPLATE}`
  const template = await openDatabase({ databaseUrl: url.href, dataDir: '' })
  await template.migrate()
  await loadReferenceData(template.db)
  await template.close()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}

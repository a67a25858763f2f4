import type { TestProject } from 'vitest/node'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { startPostgres } from './postgres-server.ts'
import { loadReferenceData } from '#src/market/load-reference.server.ts'
import { asSite, SITE_ROLE } from './site-role.ts'

export const TEMPLATE = 'sandhai_template'
/** A real PostgreSQL server for this run, with a template database that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const admin = await openDatabase({ databaseUrl: server.url, dataDir: '' })
  await admin.db.execute(`create database ${TEMPLATE}`)
  await admin.db.execute(`create role ${SITE_ROLE} login`)
  await admin.close()
  const url = new URL(server.url)
  url.pathname = `/${TEMPLATE}`
  const owner = await openDatabase({ databaseUrl: url.href, dataDir: '' })
  // Some tests make their own tables.
  await owner.db.execute(`alter default privileges in schema public grant all on tables to ${SITE_ROLE}`)
  await owner.db.execute(`alter default privileges in schema public grant all on sequences to ${SITE_ROLE}`)
  await owner.close()
  const template = await openDatabase({ databaseUrl: asSite(url.href), ownerUrl: url.href, dataDir: '' })
  await template.migrate()
  await loadReferenceData(template.db)
  await template.close()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}

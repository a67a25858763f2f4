import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { inject } from 'vitest'
import type { Ctx, Viewer } from '../kit/context.ts'
import { openDatabase, type Database } from '../kit/database.server.ts'
import { testCtx } from '../kit/testing/test-ctx.ts'

declare module 'vitest' {
  interface ProvidedContext {
    embeddedTemplate: string
    postgresUrl: string
  }
}

export interface TestMarket {
  database: Database
  ctx: Ctx
  /** The same market seen by somebody else. */
  as(viewer: Viewer | null, changes?: Partial<Ctx>): Ctx
  /** What was sent to the database since the last call. */
  statements(): string[]
  close(): Promise<void>
}

/** A fresh database with migrations and reference data, on the engine this test run is for. */
export async function openTestMarket(): Promise<TestMarket> {
  let seen: string[] = []
  const onStatement = (sql: string) => void seen.push(sql)
  const database =
    process.env.TEST_DATABASE === 'postgres'
      ? await copyOfTemplate(onStatement)
      : await openDatabase({
          databaseUrl: null,
          dataDir: '',
          onStatement,
          memory: { dump: await openAsBlob(inject('embeddedTemplate')) },
        })
  const ctx = testCtx(database.db, { browserId: 'browser-1' })
  return {
    database,
    ctx,
    as: (viewer, changes = {}) => ({ ...ctx, viewer, ...changes }),
    statements: () => {
      const statements = seen
      seen = []
      return statements
    },
    close: () => database.close(),
  }
}

async function copyOfTemplate(onStatement: (sql: string) => void): Promise<Database> {
  const url = new URL(inject('postgresUrl'))
  const name = `market_${randomBytes(6).toString('hex')}`
  const admin = await openDatabase({ databaseUrl: url.href, dataDir: '', patience: 10 })
  await admin.db.execute(`create database ${name} template sandhai_template`)
  await admin.close()
  url.pathname = `/${name}`
  return openDatabase({ databaseUrl: url.href, dataDir: '', onStatement, patience: 10 })
}

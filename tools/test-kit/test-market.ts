import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { afterAll, beforeAll, inject } from 'vitest'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { testCtx } from './test-ctx.ts'
import { asSite } from './site-role.ts'
import { registerAddressUse } from '#src/addresses/address-use.server.ts'
import { usedAddresses } from '#src/orders/used-addresses.server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    embeddedTemplate: string
    postgresUrl: string
  }
}

export interface TestMarket {
  database: Database
  ctx: Ctx
  /** The database as the tables' owner, who may do what the site's role may not. */
  owner: Db
  /** The same market for another viewer. */
  as(viewer: Viewer | null, changes?: Partial<Ctx>): Ctx
  /** The statements since the last call. */
  statements(): string[]
  close(): Promise<void>
}

/** A fresh database with migrations and reference data, on the engine of this test run. */
export async function openTestMarket(): Promise<TestMarket> {
  registerAddressUse(usedAddresses)
  let recorded: string[] = []
  const onStatement = (sql: string) => void recorded.push(sql)
  const { database, owner } = process.env.TEST_DATABASE === 'postgres' ? await copyOfTemplate(onStatement) : await embedded(onStatement)
  const ctx = testCtx(database.db, { browserId: 'browser-1' })
  return {
    database,
    ctx,
    owner: owner.db,
    as: (viewer, changes = {}) => ({ ...ctx, viewer, ...changes }),
    statements: () => {
      const statements = recorded
      recorded = []
      return statements
    },
    close: async () => {
      await database.close()
      if (owner !== database) await owner.close()
    },
  }
}

/** Opens one market for all tests of a file, gives it to `take` before the first and closes it after the last. */
export function shareMarket(take: (market: TestMarket) => unknown): void {
  let market: TestMarket | undefined
  beforeAll(async () => {
    market = await openTestMarket()
    take(market)
  })
  afterAll(() => market?.close())
}

type Entered = { database: Database; owner: Database }

async function embedded(onStatement: (sql: string) => void): Promise<Entered> {
  const memory = { dump: await openAsBlob(inject('embeddedTemplate')) }
  const database = await openDatabase({ databaseUrl: null, dataDir: '', onStatement, memory })
  return { database, owner: database }
}

async function copyOfTemplate(onStatement: (sql: string) => void): Promise<Entered> {
  const url = new URL(inject('postgresUrl'))
  const name = `market_${randomBytes(6).toString('hex')}`
  const admin = await openDatabase({ databaseUrl: url.href, dataDir: '', patience: 10 })
  await admin.db.execute(`create database ${name} template sandhai_template`)
  await admin.close()
  url.pathname = `/${name}`
  return {
    database: await openDatabase({ databaseUrl: asSite(url.href), dataDir: '', onStatement, patience: 10 }),
    owner: await openDatabase({ databaseUrl: url.href, dataDir: '', patience: 10 }),
  }
}

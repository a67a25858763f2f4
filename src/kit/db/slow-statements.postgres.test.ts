import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, type Database } from './database.server.ts'

let database: Database
const noted: string[] = []
beforeAll(async () => {
  database = await openDatabase({ databaseUrl: inject('postgresUrl'), dataDir: '', onSlowStatement: (statement) => noted.push(statement) })
})
afterAll(() => database?.close())

const SECRET = 'a phone number'
const sleep = (seconds: number) => sql`select pg_sleep(${seconds}), ${SECRET}::text`

test('a statement longer than half a second is reported without its values, alone or within a transaction', async () => {
  await database.db.execute(sleep(0.6))
  await database.db.transaction((db) => db.execute(sleep(0.6)))
  await database.db.execute(sleep(0))
  expect(noted).toEqual(['select pg_sleep($1), $2::text', 'select pg_sleep($1), $2::text'])
})

import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, type Database } from './database.server.ts'

/** A server whose operator set other styles: `alter database … set datestyle to 'SQL, DMY'`. */
const name = `styles_${randomBytes(4).toString('hex')}`
const url = new URL(inject('postgresUrl'))
let admin: Database
let database: Database
beforeAll(async () => {
  admin = await openDatabase({ databaseUrl: url.href, dataDir: '' })
  await admin.db.execute(`create database ${name}`)
  const styles = [
    "datestyle to 'SQL, DMY'",
    "timezone to 'Asia/Kolkata'",
    "intervalstyle to 'sql_standard'",
    'extra_float_digits to -15',
    'standard_conforming_strings to off',
    "default_transaction_isolation to 'repeatable read'",
  ]
  for (const style of styles) await admin.db.execute(`alter database ${name} set ${style}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  database = await openDatabase({ databaseUrl: own.href, dataDir: '' })
})
afterAll(async () => {
  await database?.close()
  await admin?.db.execute(`drop database ${name} with (force)`)
  await admin?.close()
})

const texts = async ({ execute }: Pick<Database['db'], 'execute'>) =>
  (
    (await execute(sql`select timestamptz '2026-03-04 05:06:07Z'::text as at, interval '1 day 2 hours'::text as span,
    date '2026-03-04'::text as day, current_setting('client_encoding') as encoding, (0.1::float8 + 0.2)::text as sum,
    current_setting('transaction_isolation') as isolation, 'a\\b' as text`)) as unknown as { rows: unknown[] }
  ).rows[0]

test('a session reads dates, times, intervals and numbers in our styles, and sees what others wrote, whatever the database has', async () => {
  const ours = {
    at: '2026-03-04 05:06:07+00',
    span: '1 day 02:00:00',
    day: '2026-03-04',
    encoding: 'UTF8',
    sum: '0.30000000000000004',
    isolation: 'read committed',
    text: 'a\\b',
  }
  for (const db of [database.db, database.watch]) expect(await texts({ execute: (query) => db.execute(query) })).toEqual(ours)
})

test('the market’s tables are made in such a database', async () => {
  await database.migrate()
})

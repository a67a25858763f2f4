import { sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestMarket } from '#tools/test-kit/test-market.ts'
import { openDatabase, type Database } from './database.server.ts'

// One dialect and one set of migrations must give the same schema on PostgreSQL 15 and on PGlite's 18.
let postgres: Database
let embedded: Database
beforeAll(async () => {
  postgres = (await openTestMarket()).database
  embedded = await openDatabase({ databaseUrl: null, dataDir: '', memory: {} })
  await embedded.migrate()
})
afterAll(async () => {
  await embedded?.close()
  await postgres?.close()
})

async function onBoth(query: SQL) {
  const read = async ({ db }: Database) => ((await db.execute(query)) as unknown as { rows: Record<string, unknown>[] }).rows
  return { postgres: await read(postgres), embedded: await read(embedded) }
}

describe('both engines have the same', () => {
  test('columns, types, defaults and generated values', async () => {
    const columns = await onBoth(sql`
      select table_name, column_name, ordinal_position, data_type, udt_name, is_nullable, column_default, character_maximum_length,
        numeric_precision, numeric_scale, datetime_precision, is_identity, identity_generation, is_generated, generation_expression
      from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`)
    expect(columns.postgres.length).toBeGreaterThan(100)
    expect(columns.embedded).toEqual(columns.postgres)
  })

  test('keys, checks and foreign keys', async () => {
    // PostgreSQL 18 lists NOT NULL among the constraints; the test above compares them.
    const constraints = await onBoth(sql`
      select conrelid::regclass::text as table_name, conname, contype, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`)
    expect(constraints.postgres.length).toBeGreaterThan(40)
    expect(constraints.embedded).toEqual(constraints.postgres)
  })

  test('indexes', async () => {
    const indexes = await onBoth(sql`select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`)
    expect(indexes.postgres.length).toBeGreaterThan(25)
    expect(indexes.embedded).toEqual(indexes.postgres)
  })

  test('functions and triggers', async () => {
    const triggers = await onBoth(
      sql`select tgrelid::regclass::text as table_name, tgname, pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal order by 1, 2`,
    )
    expect(triggers.embedded).toEqual(triggers.postgres)
  })
})

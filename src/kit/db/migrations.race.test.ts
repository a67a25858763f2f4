import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { loadReferenceData } from '#src/market/load-reference.server.ts'
import { openDatabase, type Database } from './database.server.ts'
import type { Db } from './db.ts'
import { migrate } from './migrate.server.ts'
import '#tools/test-kit/test-market.ts'

const TOGETHER = 6
const open: Database[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.close()))
})

async function emptyDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const admin = await connect(url.href)
  url.pathname = `/race_${randomBytes(6).toString('hex')}`
  await admin.db.execute(`create database ${url.pathname.slice(1)}`)
  return url.href
}

async function connect(databaseUrl: string): Promise<Database> {
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  open.push(database)
  return database
}

describe(`${TOGETHER} instances that start together on an empty database`, () => {
  test('migrate it once, load it once, and all open', async () => {
    const url = await emptyDatabase()
    const instances = await Promise.all(Array.from({ length: TOGETHER }, () => connect(url)))
    await Promise.all(
      instances.map(async (database) => {
        await database.migrate()
        await loadReferenceData(database.db)
      }),
    )
    const { rows } = (await instances[0]!.db.execute(sql`
      select (select count(*) from schema_migrations)::int as migrations, (select max(number) + 1 from schema_migrations) as last,
        (select count(*) from loaded_data)::int as loads`)) as unknown as { rows: { migrations: number; last: number; loads: number }[] }
    expect(rows[0]!.migrations).toBe(rows[0]!.last)
    expect(rows[0]!.loads).toBe(1)
  })

  test('control: without the lock, some of them fail', async () => {
    const url = await emptyDatabase()
    const clients = Array.from({ length: TOGETHER }, () => new pg.Client({ connectionString: url }))
    await Promise.all(clients.map((client) => client.connect()))
    const outcomes = await Promise.allSettled(clients.map((client) => migrate(drizzle(client) as unknown as Db, 'postgres')))
    await Promise.all(clients.map((client) => client.end()))
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  })
})

describe('an index on a table during writes', () => {
  /** A market before migration 0016 (indexes), with the invalid index of a killed build. */
  async function marketBefore(): Promise<{ market: Database; url: string }> {
    const url = await emptyDatabase()
    const market = await connect(url)
    await market.db.execute(sql`create table schema_migrations (number int primary key, hash text not null)`)
    const before = readMigrationFiles({ migrationsFolder: join(projectRoot, 'migrations') }).slice(0, 16)
    for (const [number, file] of before.entries()) {
      for (const statement of file.sql) await market.db.execute(sql.raw(statement))
      await market.db.execute(sql`insert into schema_migrations values (${number}, ${file.hash})`)
    }
    await market.db.execute(sql`create index listing_drafts_listing on listing_drafts (listing_id)`)
    await market.db.execute(sql`update pg_index set indisvalid = false where indexrelid = 'listing_drafts_listing'::regclass`)
    return { market, url }
  }

  async function writer(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, lock_timeout: 2000 })
    await client.connect()
    await client.query('begin; lock table listing_drafts in row exclusive mode')
    return client
  }

  const isBeingBuilt = async ({ db }: Database) => {
    const { rows } = (await db.execute(
      sql`select 1 from pg_stat_activity where query ilike 'create%index%listing_drafts%' and wait_event_type = 'Lock'`,
    )) as unknown as { rows: unknown[] }
    return rows.length > 0
  }

  test('is built without blocking writers, also after a killed build', async () => {
    const { market, url } = await marketBefore()
    const early = await writer(url)
    const migrated = market.migrate()
    while (!(await isBeingBuilt(market))) await sleep(20)
    const late = await writer(url)
    await Promise.all([early.end(), late.end()])
    await migrated
    const { rows } = (await market.db.execute(sql`
      select (select count(*)::int from schema_migrations where number >= 16) as migrations,
        (select count(*)::int from pg_index where indrelid = 'listing_drafts'::regclass and not indisvalid) as invalid,
        to_regclass('listing_drafts_owner') as old`)) as unknown as { rows: object[] }
    expect(rows).toEqual([{ migrations: expect.any(Number), invalid: 0, old: null }])
    expect(rows[0]).not.toMatchObject({ migrations: 0 })
    await expect(market.db.execute(sql`alter table listing_drafts drop constraint listing_drafts_form`)).resolves.toBeDefined()
  })

  test('control: a plain CREATE INDEX blocks the next writer', async () => {
    const { market, url } = await marketBefore()
    const early = await writer(url)
    const builder = new pg.Client({ connectionString: url })
    await builder.connect()
    const built = builder.query('create index plain on listing_drafts (version)')
    while (!(await isBeingBuilt(market))) await sleep(20)
    await expect(writer(url)).rejects.toThrow('lock timeout')
    await early.end()
    await built
    await builder.end()
  })
})

describe('an instance that waits for another one on a slow machine', () => {
  const LONGER_THAN_ANY_LIMIT_OF_OURS = 3000

  test.each([
    ['migration', 7_263_424],
    ['load', 7_263_425],
  ])('waits for its %s instead of giving up', async (_, lock) => {
    const url = await emptyDatabase()
    const [busy, second] = [new pg.Client({ connectionString: url }), await connect(url)]
    await busy.connect()
    await busy.query('select pg_advisory_lock($1)', [lock])
    let isFree = false
    const start = second
      .migrate()
      .then(() => loadReferenceData(second.db))
      .then(() => expect(isFree).toBe(true))
    await sleep(LONGER_THAN_ANY_LIMIT_OF_OURS)
    isFree = true
    await busy.end()
    await start
    expect(await second.db.execute(sql`select name from loaded_data`)).toMatchObject({ rows: [{ name: 'reference' }] })
  })
})

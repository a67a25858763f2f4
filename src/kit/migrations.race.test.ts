import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { loadReferenceData } from '../load-reference.server.ts'
import { openDatabase, type Database } from './database.server.ts'
import { projectRoot } from './project-root.server.ts'
import '../testing/test-market.ts'

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
  test('migrate it once, load it once, and all of them open', async () => {
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

  test("control: Drizzle's own migrator, which has no lock, fails for some of them", async () => {
    const url = await emptyDatabase()
    const pools = Array.from({ length: TOGETHER }, () => new pg.Pool({ connectionString: url }))
    const outcomes = await Promise.allSettled(
      pools.map((pool) => migrate(drizzle(pool), { migrationsFolder: join(projectRoot, 'migrations') })),
    )
    await Promise.all(pools.map((pool) => pool.end()))
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  })
})

describe('an instance that finds another one at work on a slow machine', () => {
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

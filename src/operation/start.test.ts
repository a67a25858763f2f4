import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { readPincodes } from '#src/addresses/places.server.ts'
import { startPostgres, type PostgresServer } from '../kit/testing/postgres-server.ts'
import { breeds, categories, vaccines } from '../listings/reference-data.ts'
import { countRows, rowsOf, withDatabase, withEmbedded } from './prepared.ts'
import { cleanUp, endAll, launchSite, startSite, tempFolder } from './site-process.ts'

let postgres: PostgresServer
let made = 0
beforeAll(async () => {
  postgres = await startPostgres({ durable: true })
})
afterEach(cleanUp)
afterAll(() => postgres?.stop())

async function emptyDatabase(): Promise<string> {
  const url = new URL(postgres.url)
  url.pathname = `/empty_${made++}`
  await withDatabase(postgres.url, ({ db }) => db.execute(sql`create database ${sql.identifier(url.pathname.slice(1))}`))
  return url.href
}

/** A real process that migrates and loads the reference data, and leaves the sample market alone. */
const launchMarket = (variables: Record<string, string>) => launchSite(variables, { program: 'src/operation/open-market.ts' })

async function untilOpen({ out, ended }: ReturnType<typeof launchMarket>): Promise<void> {
  let ending: unknown
  void ended.then((how) => (ending = how))
  while (!out().includes('open')) {
    expect(ending, 'the market did not open').toBeUndefined()
    await sleep(5)
  }
}

/** What a market has after its first start, by the constants in the code. */
const complete = {
  pincodes: readPincodes().length,
  categories: categories.length,
  breeds: breeds.length,
  vaccines: vaccines.length,
  vaccine_categories: vaccines.flatMap(({ categoryIds }) => categoryIds).length,
  // Which reference data, which mode, which pepper, and whose the pictures are.
  loaded_data: 4,
  schema_migrations: expect.any(Number) as number,
}

describe('the embedded database belongs to one process', () => {
  test('a second one is turned away with one line; after kill -9 of the first the next start works', async () => {
    const dataDir = tempFolder(inject('preparedDataDir'))
    const first = await startSite({ DATA_DIR: dataDir })
    const second = await launchSite({ DATA_DIR: dataDir }).ended
    expect(second).toMatchObject({ code: 1, out: [] })
    expect(second.err).toEqual([
      `Another process is using the embedded database in ${dataDir}/database. Stop it, or give this one another DATA_DIR or a DATABASE_URL.`,
    ])
    expect((await fetch(`${first.origin}/readyz`)).status).toBe(200)

    first.signal('SIGKILL')
    await first.ended
    const running = await startSite({ DATA_DIR: dataDir })
    expect((await fetch(`${running.origin}/readyz`)).status).toBe(200)
  })
})

describe('kill -9 in the middle of the very first start', () => {
  test('embedded: whenever it comes, the next start brings everything', async () => {
    const dataDir = tempFolder()
    for (const afterMs of [1300, 2500]) {
      const { child, ended, out } = launchMarket({ DATA_DIR: dataDir })
      await sleep(afterMs)
      child.kill('SIGKILL')
      await ended
      if (out().includes('open')) break
    }
    await untilOpen(launchMarket({ DATA_DIR: dataDir }))
    await endAll()
    const counts = await withEmbedded(dataDir, ({ db }) => countRows(db))
    expect(counts).toMatchObject(complete)
    expect(counts).toEqual(
      await withEmbedded(tempFolder(inject('preparedDataDir')), ({ db }) => countRows(db)).then((all) => ({ ...all, loaded_data: 4 })),
    )
  })

  test('PostgreSQL: in the middle of the migration nothing is left of it, in the middle of the load no row', async () => {
    const url = await emptyDatabase()
    const us = new pg.Client({ connectionString: url })
    await us.connect()
    const untilItWaits = async ({ ended }: ReturnType<typeof launchMarket>) => {
      let ending: unknown
      void ended.then((how) => (ending = how))
      for (;;) {
        expect(ending, 'it should be waiting for us').toBeUndefined()
        const { rows } = await us.query('select 1 from pg_locks where not granted')
        if (rows.length > 0) return
        await sleep(10)
      }
    }
    try {
      // A name that is being taken: the migration stops at this table, with others already made in its transaction.
      await us.query('begin; create table vaccinations (id int)')
      const migrating = launchMarket({ DATABASE_URL: url, DATA_DIR: tempFolder() })
      await untilItWaits(migrating)
      migrating.child.kill('SIGKILL')
      await migrating.ended
      await us.query('rollback')
      expect(await withDatabase(url, ({ db }) => countRows(db))).toEqual({})

      await us.query('begin; select pg_advisory_lock(7263425)')
      const loading = launchMarket({ DATABASE_URL: url, DATA_DIR: tempFolder() })
      await untilItWaits(loading)
      await us.query('lock table pincodes in access exclusive mode; select pg_advisory_unlock(7263425)')
      await sleep(300)
      await untilItWaits(loading)
      loading.child.kill('SIGKILL')
      await loading.ended
      await us.query('rollback')
      // A migration that writes to listings leaves its row for the page cache; the heartbeat has its one row.
      const { schema_migrations, page_changes: _, heartbeat: __, ...tables } = await withDatabase(url, ({ db }) => countRows(db))
      expect(schema_migrations).toBeGreaterThan(0)
      expect(Object.keys(tables).length).toBeGreaterThan(15)
      expect(Object.values(tables).filter((n) => n > 0)).toEqual([])
    } finally {
      await us.end()
    }
    await untilOpen(launchMarket({ DATABASE_URL: url, DATA_DIR: tempFolder() }))
    expect(await withDatabase(url, ({ db }) => countRows(db))).toMatchObject(complete)
  })
})

test('two processes that start together on an empty PostgreSQL migrate and load it once, and both open', async () => {
  const url = await emptyDatabase()
  const dataDir = tempFolder()
  await Promise.all([1, 2].map(() => untilOpen(launchMarket({ DATABASE_URL: url, DATA_DIR: dataDir }))))
  await withDatabase(url, async ({ db }) => {
    expect(await countRows(db)).toMatchObject(complete)
    const rows = await rowsOf<{ number: number }>(db, sql`select number from schema_migrations order by number`)
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index))
  })
})

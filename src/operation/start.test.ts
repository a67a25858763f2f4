import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { readPincodes } from '#src/addresses/places.server.ts'
import { startPostgres, type PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { breeds, categories, vaccines } from '#src/listings/reference/reference-data.ts'
import { countRows, rowsOf, withDatabase, withEmbedded } from '#tools/test-kit/prepared.ts'
import { cleanUp, endAll, launchSite, startSite, tempFolder } from '#tools/test-kit/site-process.ts'

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

/** A real process that migrates and loads the reference data, without the sample market. */
const launchMarket = (variables: Record<string, string>) => launchSite(variables, { program: 'tools/test-kit/open-market.ts' })

async function untilOpen({ out, ended }: ReturnType<typeof launchMarket>): Promise<void> {
  let ending: unknown
  void ended.then((how) => (ending = how))
  while (!out().includes('open')) {
    expect(ending, 'the market did not open').toBeUndefined()
    await sleep(5)
  }
}

/** The rows after a market's first start, by the constants in the code. */
const complete = {
  pincodes: readPincodes().length,
  categories: categories.length,
  breeds: breeds.length,
  vaccines: vaccines.length,
  vaccine_categories: vaccines.flatMap(({ categoryIds }) => categoryIds).length,
  // The reference data, the mode, the pepper, and the owner of the pictures.
  loaded_data: 4,
  schema_migrations: expect.any(Number) as number,
}

describe('the embedded database belongs to one process', () => {
  test('a second process is refused with one line; after kill -9 of the first the next start works', async () => {
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

describe('kill -9 during the very first start', () => {
  test('embedded: after a kill at any moment the next start completes', async () => {
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

  test('PostgreSQL: a kill during the migration leaves nothing of it, one during the load no row', async () => {
    const url = await emptyDatabase()
    const us = new pg.Client({ connectionString: url })
    await us.connect()
    // Observes from another connection, because building an index concurrently waits for the end of every transaction that it sees reading.
    const watcher = new pg.Client({ connectionString: url })
    await watcher.connect()
    const untilItWaits = async ({ ended }: ReturnType<typeof launchMarket>, forWhat: string) => {
      let ending: unknown
      void ended.then((how) => (ending = how))
      for (;;) {
        expect(ending, 'the process should wait for this lock').toBeUndefined()
        const { rows } = await watcher.query(`select 1 from pg_locks where not granted and ${forWhat}`)
        if (rows.length > 0) return
        await sleep(10)
      }
    }
    try {
      // A table of this name blocks the migration, after it has created others in its transaction.
      await us.query('begin; create table vaccinations (id int)')
      const migrating = launchMarket({ DATABASE_URL: url, DATA_DIR: tempFolder() })
      // Two transactions that create the same table wait for each other in the unique index of names.
      await untilItWaits(migrating, `locktype = 'transactionid'`)
      migrating.child.kill('SIGKILL')
      await migrating.ended
      await us.query('rollback')
      expect(await withDatabase(url, ({ db }) => countRows(db))).toEqual({})

      await us.query('select pg_advisory_lock(7263425)')
      const loading = launchMarket({ DATABASE_URL: url, DATA_DIR: tempFolder() })
      await untilItWaits(loading, `locktype = 'advisory'`)
      await us.query('begin; lock table pincodes in access exclusive mode; select pg_advisory_unlock(7263425)')
      await untilItWaits(loading, `relation = 'pincodes'::regclass`)
      loading.child.kill('SIGKILL')
      await loading.ended
      await us.query('rollback')
      // Migrations write rows, too (the ready answers, the heartbeat); the load has written none besides those.
      const migratedUrl = await emptyDatabase()
      const migrated = await withDatabase(migratedUrl, async (database) => {
        await database.migrate()
        return countRows(database.db)
      })
      expect(await withDatabase(url, ({ db }) => countRows(db))).toEqual(migrated)
      expect(migrated).toMatchObject({ pincodes: 0, categories: 0, breeds: 0, vaccines: 0, loaded_data: 0 })
    } finally {
      await Promise.all([us.end(), watcher.end()])
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

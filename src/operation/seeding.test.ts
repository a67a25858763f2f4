import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import sharp from 'sharp'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { loadedData } from '../accounts/tables.ts'
import { sampleListings } from '../demo/sample-listings.ts'
import { samplePeople } from '../demo/sample-people.ts'
import type { Database } from '#src/kit/db/database.server.ts'
import { openMediaStore } from '#src/kit/media/media-store.server.ts'
import { startPostgres } from '#tools/test-kit/postgres-server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { SAMPLE_MARKET } from '#src/market/market-marks.server.ts'
import { countRows, prepare, rowsOf, withDatabase, withEmbedded } from '#tools/test-kit/prepared.ts'
import { cleanUp, launchSite, startSite, tempFolder } from '#tools/test-kit/site-process.ts'

afterEach(cleanUp)

/** A copy of the project with tiny pictures, because the real ones take a minute. */
async function projectWithSmallPictures(): Promise<string> {
  const folder = tempFolder()
  for (const name of ['package.json', 'server.ts', 'migrations', 'reference', 'build', 'src'])
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'demo/pictures'), { recursive: true })
  const names = readdirSync(join(projectRoot, 'demo/pictures')).filter((name) => name.endsWith('.jpg'))
  for (const [n, name] of names.entries()) {
    const background = { r: n, g: 255 - n, b: (n * 37) % 256 }
    writeFileSync(
      join(folder, 'demo/pictures', name),
      await sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .jpeg()
        .toBuffer(),
    )
  }
  return folder
}

const notSeeded = async (database: Database) => {
  await prepare(database)
  await database.db.delete(loadedData).where(sql`name = ${SAMPLE_MARKET}`)
}
const pictures = sampleListings.reduce((sum, listing) => sum + listing.pictures, 0)
const complete = { listings: sampleListings.length, users: samplePeople.length, listing_photos: pictures, loaded_data: 5 }
const nothing = { listings: 0, users: 0, listing_photos: 0, listing_views: 0, loaded_data: 4 }

/** Expects everything once, and all files of every picture. */
async function expectWholeMarket({ db }: Database, dataDir: string): Promise<Record<string, number>> {
  const counts = await countRows(db)
  expect(counts).toMatchObject(complete)
  const names = await rowsOf<{ key: string; n: number }>(
    db,
    sql`select media_key as key, count(*)::int as n from listing_photos group by 1`,
  )
  expect(names.filter(({ n }) => n !== 1)).toEqual([])
  const media = await openMediaStore(join(dataDir, 'media'))
  for (const { key } of names) {
    for (const width of [320, 640, 1280] as const) expect(readFileSync(media.path(key, width, 'jpeg')).length, key).toBeGreaterThan(100)
  }
  return counts
}

/** Waits for a condition; fails when the site ends before. */
async function until(site: ReturnType<typeof launchSite>, is: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await is())) {
    if (site.child.exitCode !== null) throw new Error(`The site ended: ${site.err().join(' ')}`)
    await sleep(5)
  }
}

describe('kill -9 while the sample market is created', () => {
  test('the project has a sample market', () => {
    expect(pictures).toBeGreaterThan(30)
  })

  test('embedded: the next start discards the partial one and creates it once; another start changes nothing', async () => {
    const folder = await projectWithSmallPictures()
    const dataDir = tempFolder(inject('preparedDataDir'))
    await withEmbedded(dataDir, ({ db }) => db.delete(loadedData).where(sql`name = ${SAMPLE_MARKET}`))

    const rows = launchSite({ DATA_DIR: dataDir }, { folder })
    await until(rows, () => rows.out().some((line) => line.startsWith(`  ${Math.floor(pictures / 30) * 30} of`)))
    await sleep(50)
    rows.child.kill('SIGKILL')
    expect((await rows.ended).signal).toBe('SIGKILL')
    expect(await withEmbedded(dataDir, ({ db }) => countRows(db))).toMatchObject(nothing)

    const site = await startSite({ DATA_DIR: dataDir }, { folder })
    expect((await (await fetch(`${site.origin}/api/v1/product-detail-list/top=12&category=0&page=home`)).json()) as unknown[]).toHaveLength(
      12,
    )
    site.signal('SIGKILL')
    await site.ended
    const counts = await withEmbedded(dataDir, (database) => expectWholeMarket(database, dataDir))
    const again = await startSite({ DATA_DIR: dataDir }, { folder })
    expect(again.out().filter((line) => line.startsWith('First start'))).toEqual([])
    again.signal('SIGKILL')
    await again.ended
    expect(await withEmbedded(dataDir, ({ db }) => countRows(db))).toEqual(counts)
  })

  test('PostgreSQL: a kill after half of the rows leaves none; then two concurrent processes create it once', async () => {
    const server = await startPostgres({ durable: true })
    const us = new pg.Client({ connectionString: server.url })
    try {
      const folder = await projectWithSmallPictures()
      const dataDir = tempFolder()
      await withDatabase(server.url, notSeeded)
      await us.connect()
      await us.query('begin; lock table vet_checks in access exclusive mode')
      const first = launchSite({ DATA_DIR: dataDir, DATABASE_URL: server.url }, { folder })
      await until(
        first,
        async () => (await us.query("select 1 from pg_locks where relation = 'vet_checks'::regclass and not granted")).rows.length > 0,
      )
      first.child.kill('SIGKILL')
      await first.ended
      await us.query('rollback')
      expect(await withDatabase(server.url, ({ db }) => countRows(db))).toMatchObject(nothing)

      const both = await Promise.all([1, 2].map(() => startSite({ DATA_DIR: dataDir, DATABASE_URL: server.url }, { folder })))
      expect(both.flatMap((site) => site.err())).toEqual([])
      await withDatabase(server.url, (database) => expectWholeMarket(database, dataDir))
    } finally {
      await us.end()
      await cleanUp()
      await server.stop()
    }
  })
})

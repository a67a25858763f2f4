import fs, { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { DatabaseInUse, openDatabase } from '#src/kit/db/database.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandhai-embedded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Counts all calls with which this process can flush a file to disk. */
const real = { fsyncSync: fs.fsyncSync, fdatasyncSync: fs.fdatasyncSync }
function countFlushes(): { n: number } {
  const count = { n: 0 }
  fs.fsyncSync = (fd) => (count.n++, real.fsyncSync(fd))
  fs.fdatasyncSync = (fd) => (count.n++, real.fdatasyncSync(fd))
  syncBuiltinESMExports()
  return count
}
afterEach(() => {
  Object.assign(fs, real)
  syncBuiltinESMExports()
})

const COMMITS = 50

describe('the embedded database on disk', () => {
  test(`flushes to disk at each commit: ${COMMITS} commits, at least ${COMMITS} times`, async () => {
    const database = await openDatabase({ databaseUrl: null, dataDir: folder })
    try {
      await database.db.execute(sql`create table goats (id int)`)
      const flushes = countFlushes()
      for (let id = 0; id < COMMITS; id++) await database.db.execute(sql`insert into goats values (${id})`)
      expect(flushes.n).toBeGreaterThanOrEqual(COMMITS)
      const afterwards = flushes.n
      await database.db.execute(sql`select * from goats`)
      expect(flushes.n).toBe(afterwards)
    } finally {
      await database.close()
    }
  })

  test('control: PGlite as published never flushes', async () => {
    const client = await PGlite.create(join(folder, 'plain'))
    const flushes = countFlushes()
    await client.exec('create table goats (id int)')
    for (let id = 0; id < COMMITS; id++) await client.query('insert into goats values ($1)', [id])
    expect(flushes.n).toBe(0)
    await client.close()
  })

  test('refuses a second opening with a clear message, and allows it after a close', async () => {
    const first = await openDatabase({ databaseUrl: null, dataDir: folder })
    const second = openDatabase({ databaseUrl: null, dataDir: folder })
    await expect(second).rejects.toThrow(DatabaseInUse)
    await expect(second).rejects.toThrow(`Another process is using the embedded database in ${join(folder, 'database')}.`)
    await first.close()
    const third = await openDatabase({ databaseUrl: null, dataDir: folder })
    expect(await third.db.execute(sql`select count(*)::int as n from goats`)).toMatchObject({ rows: [{ n: COMMITS }] })
    await third.close()
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { pageChangesOf } from '#src/kit/http/page-cache.server.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { rowsOf, startPreparedPostgres, withDatabase } from '#tools/test-kit/prepared.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPreparedPostgres()
})
afterAll(() => postgres?.stop())

/** Stops the server, starts it as a standby and promotes it: what a cluster does, with one machine. */
async function promote(): Promise<void> {
  const [{ folder }] = (await withDatabase(postgres.url, ({ db }) =>
    rowsOf<{ folder: string }>(db, sql`select current_setting('data_directory') as folder`),
  )) as [{ folder: string }]
  await postgres.crash()
  writeFileSync(join(folder, 'standby.signal'), '')
  await postgres.restart()
  await withDatabase(postgres.url, ({ db }) => db.execute(sql`select pg_promote()`))
}

const instanceOf = async (cluster: string | null) => {
  const database = await openDatabase({ databaseUrl: postgres.url, cluster, dataDir: '' })
  return database.instance().finally(() => database.close())
}

describe('a promoted standby', () => {
  test('makes every cached page stale at the next check, and is the same market only when a cluster is configured', async () => {
    const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
    try {
      const ask = pageChangesOf(database.db)
      const first = await ask(null)
      const second = await ask(first.snapshot)
      expect(second.changed).toBe(false)
      const before = [await instanceOf(null), await instanceOf('sandhai')]
      await promote()
      // The first statement may use a connection that broke with the old leader.
      const third = await ask(second.snapshot).catch(() => ask(second.snapshot))
      expect(third.changed).toBe(true)
      expect((await ask(third.snapshot)).changed).toBe(false)
      const after = [await instanceOf(null), await instanceOf('sandhai')]
      expect(after.map((each, n) => each === before[n])).toEqual([false, true])
    } finally {
      await database.close()
    }
  })
})

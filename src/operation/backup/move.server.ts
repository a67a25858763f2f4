import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf, openDatabase } from '#src/kit/db/database.server.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import { placeOf } from '#src/kit/media/picture-place.server.ts'
import { adoptPictures } from '#src/market/media-owner.server.ts'
import { ensureEmpty, ensureSame } from './restore.server.ts'
import { BackupRefused } from './sealed-file.server.ts'
import { allFacts, dumpTables, loadTables } from './tables.server.ts'

/**
 * Moves an embedded market to the PostgreSQL of `env`: every table in one transaction, compared with the original before it commits. The
 * pictures stay in place and belong to the new database from then on. The embedded folder stays unchanged.
 */
export async function moveToPostgres(env: Env): Promise<{ tables: number; rows: number }> {
  if (env.databaseUrl === null) throw new BackupRefused('DATABASE_URL must name the empty PostgreSQL database that the market moves to.')
  if (!existsSync(join(env.dataDir, 'database', 'PG_VERSION')))
    throw new BackupRefused(`DATA_DIR: there is no embedded market in ${env.dataDir}.`)
  const source = await openDatabase({ databaseUrl: null, dataDir: env.dataDir })
  try {
    const target = await openDatabase(addressesOf(env))
    try {
      await ensureEmpty(target)
      await source.migrate()
      await target.migrate()
      const moved = await source.bulk('reads', async (from) => {
        const facts = await allFacts(from)
        await target.bulk('writes', async (into) => {
          await loadTables(into, dumpTables(from))
          await ensureSame(into, facts, 'embedded market')
          // Transaction ids mean nothing in another database.
          await into.query('delete from page_changes')
        })
        return facts
      })
      await target.db.execute('analyze')
      await adoptPictures(target, placeOf(env))
      return { tables: moved.length, rows: moved.reduce((sum, { rows }) => sum + Number(rows), 0) }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

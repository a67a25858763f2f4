import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '#src/kit/db/database.server.ts'
import { startPostgres } from '#tools/test-kit/postgres-server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { makeBackup } from '#src/operation/backup/backup.server.ts'
import { writeNewKey } from '#src/operation/backup/key-file.server.ts'
import { restoreBackup } from '#src/operation/backup/restore.server.ts'
import { envOf, fillMarket as fillWithEverything } from '#tools/test-kit/full-market.ts'
import { prepare, withDatabase } from '#tools/test-kit/prepared.ts'
import { firstRow } from '#src/kit/db/rows.server.ts'
import { rowsIn } from '#tools/test-kit/market-state.ts'
import { fillMarket } from './crowd.ts'
import type { Section } from './result.ts'

const LISTINGS = Number(process.env.BENCH_BACKUP_LISTINGS ?? 200_000)
/** The promise to operators for a database with this many listings. */
const MOST_SECONDS = 60

/**
 * Backs up and restores a market of the size of a state, with the database on PostgreSQL. Only two of its pictures have files, because copying files
 * needs no measurement.
 */
export async function backupAtScale(): Promise<Section[]> {
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '8GB' } })
  const folder = mkdtempSync(join(tmpdir(), 'sandhai-bench-'))
  try {
    const dataDir = join(folder, 'data')
    await withDatabase(postgres.url, async (database) => fill(database, dataDir))
    const bytes = await sizeOf(postgres.url)
    const key = join(folder, 'key')
    const backupRecipients = [await writeNewKey(key)]
    const backups = join(folder, 'backups')
    const made = await timed(() => makeBackup(envOf(dataDir, postgres.url, { backupRecipients }), { to: backups }))
    await withDatabase(postgres.adminUrl, ({ db }) => db.execute(sql`create database restored`))
    const target = new URL('/restored', postgres.url).href
    const restored = await timed(() => restoreBackup(envOf(join(folder, 'restored'), target, { backupRecipients }), { from: backups, key }))
    if (restored.value.rows !== made.value.rows) throw new Error('The restored market has a different number of rows.')
    const files = readdirSync(made.value.folder).map((name) => statSync(join(made.value.folder, name)).size)
    const sealed = files.reduce((sum, size) => sum + size, 0)
    const rows = `${made.value.rows.toLocaleString('en-IN')} rows`
    return [
      {
        title: 'Backup',
        explains: `A market of ${LISTINGS.toLocaleString('en-IN')} listings on PostgreSQL: read in one snapshot, compressed and sealed; then restored into an empty database and compared table by table.`,
        figures: [
          { name: 'backup', value: made.seconds, unit: 's', atMost: MOST_SECONDS, note: rows },
          { name: 'restore', value: restored.seconds, unit: 's', note: rows },
          { name: 'sealed file', value: sealed / 1e6, unit: 'MB', note: `${(bytes / 1e6).toFixed(0)} MB in the database` },
        ],
      },
    ]
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(database: Database, dataDir: string): Promise<void> {
  await prepare(database)
  await fillWithEverything(database, dataDir)
  await fillMarket(testCtx(database.db), LISTINGS)
}

async function sizeOf(url: string): Promise<number> {
  const statement = sql`select pg_database_size(current_database())::float8 as bytes`
  return firstRow(await withDatabase(url, (database) => rowsIn<{ bytes: number }>(database, statement))).bytes
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const began = performance.now()
  const value = await work()
  return { value, seconds: (performance.now() - began) / 1000 }
}

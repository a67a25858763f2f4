import { firstRow } from '#src/kit/db/rows.server.ts'
import { sql, type SQL } from 'drizzle-orm'
import { loadedData } from '#src/accounts/tables.ts'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { startPostgres, type PostgresServer } from './postgres-server.ts'
import { loadReferenceData } from '#src/market/load-reference.server.ts'
import { SAMPLE_MARKET } from '#src/market/market-marks.server.ts'

/** Migrates, loads, and marks the sample market as present, because making its pictures takes a minute. */
export async function prepare(database: Database): Promise<void> {
  await database.migrate()
  await loadReferenceData(database.db)
  await database.db.insert(loadedData).values({ name: SAMPLE_MARKET, hash: '1', rows: 0 })
}

/** A durable PostgreSQL with a market in it: it keeps acknowledged commits when it is killed. */
export async function startPreparedPostgres(): Promise<PostgresServer> {
  const server = await startPostgres({ durable: true })
  await withDatabase(server.url, prepare)
  return server
}

export async function withDatabase<T>(databaseUrl: string, use: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

export async function withEmbedded<T>(dataDir: string, use: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ databaseUrl: null, dataDir })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

export async function countRows(db: Db): Promise<Record<string, number>> {
  const tables = await rowsOf<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const row = firstRow(await rowsOf<{ n: number }>(db, sql`select count(*)::int as n from ${sql.identifier(name)}`))
    counts[name] = row.n
  }
  return counts
}

export async function rowsOf<T>(db: Db, query: SQL): Promise<T[]> {
  return ((await db.execute(query)) as { rows: unknown[] }).rows as T[]
}

import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { z } from 'zod'
import type { Database, Db } from './database.server.ts'
import { projectRoot } from '#src/kit/project-root.server.ts'
import { rowsOf } from './rows.server.ts'

interface Migration {
  number: number
  hash: string
  statements: string[]
}

/** Built while people write, and therefore outside a transaction. Group 1: the name of the index. */
const CONCURRENT_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "(\w+)"/

/**
 * Brings the schema forward. Pending migrations run in one transaction, so a kill leaves the old schema or the new one; on PostgreSQL a
 * migration of concurrent indexes runs by itself between them, and a kill leaves the schema before or after it (docs/decisions/0035).
 * The caller makes sure that nobody else migrates. `db` is one connection.
 * A migration that was edited after it ran somewhere is refused: the two databases would differ without a word.
 */
export async function migrate(db: Db, kind: Database['kind'], { atMost }: { atMost?: number } = {}): Promise<void> {
  const files = readMigrationFiles({ migrationsFolder: join(projectRoot, 'migrations') }).slice(0, atMost)
  const migrations = files.map((file, number) => ({
    number,
    hash: file.hash,
    // The embedded database has one connection, and its market waits for the migration anyway.
    statements: kind === 'embedded' ? file.sql.map((statement) => statement.replace(' CONCURRENTLY', '')) : file.sql,
  }))
  const applied = await appliedHashes(db)
  for (const [number, hash] of applied?.entries() ?? []) {
    if (migrations[number] && hash !== migrations[number].hash) {
      throw new Error(`Migration ${number} was changed after it ran on this database. Migrations are never edited; write a new one.`)
    }
  }
  if (applied && applied.length > migrations.length) {
    throw new Error('This database was made by a newer version of Sandhai. Run that one, or restore a backup.')
  }
  let together: Migration[] = []
  let isTableMissing = applied === null
  const runTogether = async () => {
    if (together.length === 0) return
    await db.transaction(async (tx) => {
      if (isTableMissing) {
        await tx.execute(sql`create table schema_migrations (
          number int primary key, hash text not null, applied_at timestamptz not null default now())`)
      }
      for (const migration of together) {
        for (const statement of migration.statements) await tx.execute(sql.raw(statement))
        await noteApplied(tx, migration)
      }
    })
    together = []
    isTableMissing = false
  }
  for (const migration of migrations.slice(applied?.length ?? 0)) {
    if (migration.statements.every((statement) => CONCURRENT_INDEX.test(statement.trim()))) {
      await runTogether()
      await buildBesideWriters(db, migration)
    } else together.push(migration)
  }
  await runTogether()
}

/** Of the migrations of this release, by number. */
export const migrationHashes = (): string[] =>
  readMigrationFiles({ migrationsFolder: join(projectRoot, 'migrations') }).map(({ hash }) => hash)

const existsRow = z.object({ exists: z.boolean() })

const hashRow = z.object({ hash: z.string() })

/** By number. Null: nothing was ever migrated. Asked first: a role that may not make tables can start a site whose schema is up to date. */
async function appliedHashes(db: Db): Promise<string[] | null> {
  const known = await rowsOf({ db }, sql`select to_regclass('schema_migrations') is not null as exists`, existsRow)
  if (!known[0]!.exists) return null
  const rows = await rowsOf({ db }, sql`select hash from schema_migrations order by number`, hashRow)
  return rows.map(({ hash }) => hash)
}

const noteApplied = (db: Pick<Db, 'execute'>, { number, hash }: Migration) =>
  db.execute(sql`insert into schema_migrations (number, hash) values (${number}, ${hash})`)

const buildBesideWritersRow = z.unknown()

/** A build that is killed leaves an invalid index of the name, which `IF NOT EXISTS` would accept. */
async function buildBesideWriters(db: Db, migration: Migration): Promise<void> {
  // A large table takes its time, and the build waits for every transaction that began before it.
  await db.execute(sql`set statement_timeout = 0`)
  await db.execute(sql`set lock_timeout = '60s'`)
  for (const statement of migration.statements) {
    const name = CONCURRENT_INDEX.exec(statement.trim())![1]!
    const rows = await rowsOf(
      { db },
      sql`select 1 from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`,
      buildBesideWritersRow,
    )
    if (rows.length > 0) await db.execute(sql.raw(`drop index concurrently "${name}"`))
    await db.execute(sql.raw(statement))
  }
  await noteApplied(db, migration)
  await limitWaiting(db)
}

/** A migration that meets a busy table gives up soon: everybody who came after it would wait behind it. */
export async function limitWaiting(db: Db): Promise<void> {
  await db.execute(sql`set lock_timeout = '3s'`)
  await db.execute(sql`set statement_timeout = '120s'`)
}

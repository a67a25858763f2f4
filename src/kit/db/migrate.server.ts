import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { z } from 'zod'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import type { Db } from './db.ts'
import { anyRow, oneRowOf, rowsOf } from './rows.server.ts'

interface Migration {
  number: number
  hash: string
  statements: string[]
}

/** An index that is built while people write, which must happen outside a transaction. Group 1: the index name. */
const CONCURRENT_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "(\w+)"/

/**
 * The lowest number of known migrations with which an older release runs on this schema, so that operators can roll back a release or upgrade
 * machines one by one (docs/decisions/0079). Each release raises it to the previous release's number of migrations; `npm run test:deep` builds and
 * exercises that release.
 */
export const RUNS_FROM = 38

/**
 * Migrates the schema. Pending migrations run in one transaction, so a kill leaves either the old or the new schema. On PostgreSQL, a migration of
 * concurrent indexes runs alone between two transactions, and a kill leaves the schema before or after it (docs/decisions/0035).
 * The caller must hold the migration lock. `db` is one connection.
 * Refuses when a migration was edited after it ran, because databases would silently differ.
 * Returns how many migrations the schema is ahead of this release; more than zero only when the newer release declared this one compatible.
 */
export async function migrate(db: Db, kind: 'embedded' | 'postgres', { atMost }: { atMost?: number } = {}): Promise<number> {
  const files = readMigrationFiles({ migrationsFolder: join(projectRoot, 'migrations') }).slice(0, atMost)
  const migrations = files.map((file, number) => ({
    number,
    hash: file.hash,
    // The embedded database has one connection, and its site waits for the migration anyway.
    statements: kind === 'embedded' ? file.sql.map((statement) => statement.replace(' CONCURRENTLY', '')) : file.sql,
  }))
  const applied = await appliedHashes(db)
  for (const [number, hash] of applied?.entries() ?? []) {
    if (migrations[number] && hash !== migrations[number].hash) {
      throw new Error(`Migration ${number} was changed after it ran on this database. Migrations are never edited; write a new one.`)
    }
  }
  const ahead = (applied?.length ?? 0) - migrations.length
  if (ahead > 0) {
    if (await doesRunOn(db, { known: migrations.length, applied: applied!.length })) return ahead
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
  return 0
}

export const migrationHashes = (): string[] =>
  readMigrationFiles({ migrationsFolder: join(projectRoot, 'migrations') }).map(({ hash }) => hash)

const commentRow = z.object({ comment: z.string().nullable() })

/**
 * Whether a release with `known` migrations runs on a schema with `applied` ones. The table's comment holds the answer, because existing backups
 * would lack a new column.
 */
export async function doesRunOn(db: Db, { known, applied }: { known: number; applied: number }): Promise<boolean> {
  const row = await oneRowOf({ db }, sql`select obj_description('schema_migrations'::regclass, 'pg_class') as comment`, commentRow)
  const [, at, from] = /^At (\d+) migrations, releases that know (\d+) or more run on this schema/.exec(row.comment ?? '') ?? []
  return at === String(applied) && from !== undefined && known >= Number(from)
}

const existsRow = z.object({ exists: z.boolean() })

const hashRow = z.object({ hash: z.string() })

/**
 * The hashes by number, or null when no migration ever ran. Checks for the table first, so a role without CREATE rights can start a site whose schema
 * is current.
 */
async function appliedHashes(db: Db): Promise<string[] | null> {
  const known = await oneRowOf({ db }, sql`select to_regclass('schema_migrations') is not null as exists`, existsRow)
  if (!known.exists) return null
  const rows = await rowsOf({ db }, sql`select hash from schema_migrations order by number`, hashRow)
  return rows.map(({ hash }) => hash)
}

/**
 * Writes the comment before the row: outside a transaction, a kill between the two leaves a comment with a different number, which `doesRunOn`
 * ignores.
 */
async function noteApplied(db: Pick<Db, 'execute'>, { number, hash }: Migration): Promise<void> {
  const comment = `At ${number + 1} migrations, releases that know ${RUNS_FROM} or more run on this schema.`
  await db.execute(sql.raw(`comment on table schema_migrations is '${comment}'`))
  await db.execute(sql`insert into schema_migrations (number, hash) values (${number}, ${hash})`)
}

/** Drops the invalid index that a killed build leaves behind, because `IF NOT EXISTS` would accept it. */
async function buildBesideWriters(db: Db, migration: Migration): Promise<void> {
  // A large table takes time, and the build waits for every older transaction.
  await db.execute(sql`set statement_timeout = 0`)
  await db.execute(sql`set lock_timeout = '60s'`)
  for (const statement of migration.statements) {
    const name = CONCURRENT_INDEX.exec(statement.trim())![1]!
    const rows = await rowsOf({ db }, sql`select 1 from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`, anyRow)
    if (rows.length > 0) await db.execute(sql.raw(`drop index concurrently "${name}"`))
    await db.execute(sql.raw(statement))
  }
  await noteApplied(db, migration)
  await limitWaiting(db)
}

/** A migration that cannot get its lock soon gives up, because all later statements on the table would queue behind it. */
export async function limitWaiting(db: Db): Promise<void> {
  await db.execute(sql`set lock_timeout = '3s'`)
  await db.execute(sql`set statement_timeout = '120s'`)
}

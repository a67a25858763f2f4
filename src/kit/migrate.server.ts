import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Db } from './database.server.ts'
import { projectRoot } from './project-root.server.ts'

/**
 * Brings the schema forward. All pending migrations run in one transaction, so a kill leaves the old schema or the new one.
 * A migration that was edited after it ran somewhere is refused: the two databases would differ without a word.
 */
export async function migrate(db: Db): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: join(projectRoot, 'migrations') })
  await db.transaction(async (tx) => {
    await tx.execute(sql`create table if not exists schema_migrations (
      number int primary key, hash text not null, applied_at timestamptz not null default now())`)
    const { rows } = (await tx.execute(sql`select number, hash from schema_migrations order by number`)) as unknown as {
      rows: { number: number; hash: string }[]
    }
    for (const [index, migration] of migrations.entries()) {
      const applied = rows[index]
      if (applied && applied.hash !== migration.hash) {
        throw new Error(`Migration ${index} was changed after it ran on this database. Migrations are never edited; write a new one.`)
      }
      if (applied) continue
      for (const statement of migration.sql) await tx.execute(sql.raw(statement))
      await tx.execute(sql`insert into schema_migrations (number, hash) values (${index}, ${migration.hash})`)
    }
    if (rows.length > migrations.length) {
      throw new Error('This database was made by a newer version of Sandhai. Run that one, or restore a backup.')
    }
  })
}

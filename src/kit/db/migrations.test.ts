import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { RUNS_FROM } from './migrate.server.ts'

const folder = join(projectRoot, 'migrations')
/** Earlier migrations ran before this rule existed. */
const FIRST = 14
const files = readdirSync(folder).filter((name) => /^\d{4}_.*\.sql$/.test(name) && Number(name.slice(0, 4)) >= FIRST)

/** Returns the indexes that would block writers of an existing table, and migrations that mix statements in a way that cannot run. */
function blockingIndexes(sql: string): string[] {
  const own = new Set([...sql.matchAll(/^CREATE TABLE "(\w+)"/gim)].map(([, table]) => table))
  const statements = sql.split('--> statement-breakpoint').map((statement) => statement.replace(/^--.*$/gm, '').trim())
  const isConcurrent = (statement: string) => /^CREATE (UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "/i.test(statement)
  const isMixed = statements.some(isConcurrent) && !statements.every(isConcurrent)
  const blocking = statements.flatMap((statement) => {
    const [, index, at] = /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?"(\w+)" ON "(\w+)"/i.exec(statement) ?? []
    if (index && !own.has(at)) return [index]
    const [, table, constraint] =
      /^ALTER TABLE "(\w+)" ADD CONSTRAINT "(\w+)" (?:UNIQUE|PRIMARY KEY|EXCLUDE)(?! USING INDEX)/i.exec(statement) ?? []
    return constraint && !own.has(table) ? [constraint] : []
  })
  return isMixed ? [...blocking, 'concurrent and other statements in one file'] : blocking
}

describe('a new migration', () => {
  test.each(files)('%s builds no index that blocks writers', (name) => {
    expect(blockingIndexes(readFileSync(join(folder, name), 'utf8'))).toEqual([])
  })

  test('is recognized as blocking when it adds an index or key to an existing table', () => {
    const index = 'INDEX IF NOT EXISTS "orders_day" ON "orders" USING btree ("deliver_on");'
    expect(blockingIndexes(`CREATE ${index.replace('IF NOT EXISTS ', '')}`)).toEqual(['orders_day'])
    expect(blockingIndexes(`CREATE ${index}`)).toEqual(['orders_day'])
    expect(blockingIndexes(`CREATE ${index.replace('INDEX', 'INDEX CONCURRENTLY')}`)).toEqual([])
    expect(blockingIndexes('ALTER TABLE "days" ADD CONSTRAINT "days_day" UNIQUE("day");')).toEqual(['days_day'])
    expect(blockingIndexes('ALTER TABLE "days" ADD CONSTRAINT "days_day" UNIQUE USING INDEX "days_day";')).toEqual([])
    expect(blockingIndexes('CREATE TABLE "days" ("id" int);--> statement-breakpoint\nCREATE INDEX "days_id" ON "days" ("id");')).toEqual([])
    const mixed = `DROP INDEX "old";--> statement-breakpoint\nCREATE ${index.replace('INDEX', 'INDEX CONCURRENTLY')}`
    expect(blockingIndexes(mixed)).toEqual(['concurrent and other statements in one file'])
  })
})

/**
 * Returns what a migration removes that the previous release still needs, because that release runs beside it and after a rollback (decision 0079). A
 * migration may remove what no release from RUNS_FROM on uses; it must then contain `-- Unused by releases that know 38 migrations.`
 */
function takenAway(sql: string, runsFrom: number): string[] {
  const [, unused] = /^-- Unused by releases that know (\d+) migrations\.$/m.exec(sql) ?? []
  if (unused !== undefined && Number(unused) <= runsFrom) return []
  const own = new Set([...sql.matchAll(/^CREATE TABLE "(\w+)"/gim)].map(([, table]) => table))
  return sql.split('--> statement-breakpoint').flatMap((part) => {
    const statement = part.replace(/^\s*--.*$/gm, '').trim()
    const [, table] = /^ALTER TABLE "(\w+)"/i.exec(statement) ?? []
    if (table && own.has(table)) return []
    const takes =
      /^DROP (TABLE|VIEW|FUNCTION|TYPE|SEQUENCE)\b/i.test(statement) ||
      /\b(DROP COLUMN|RENAME (TO|COLUMN)|SET DATA TYPE|SET NOT NULL)\b/i.test(statement) ||
      (/\bADD COLUMN\b/i.test(statement) && /\bNOT NULL\b/i.test(statement) && !/\b(DEFAULT|GENERATED)\b/i.test(statement))
    return takes ? [statement] : []
  })
}

describe('a migration that the previous release does not know', () => {
  test.each(readdirSync(folder).filter((name) => /^\d{4}_.*\.sql$/.test(name) && Number(name.slice(0, 4)) >= RUNS_FROM))(
    '%s removes nothing that it needs',
    (name) => expect(takenAway(readFileSync(join(folder, name), 'utf8'), RUNS_FROM)).toEqual([]),
  )

  test.each([
    'ALTER TABLE "orders" DROP COLUMN "note";',
    'ALTER TABLE "orders" RENAME COLUMN "note" TO "remark";',
    'ALTER TABLE "orders" RENAME TO "sales";',
    'ALTER TABLE "orders" ALTER COLUMN "note" SET NOT NULL;',
    'ALTER TABLE "orders" ALTER COLUMN "note" SET DATA TYPE int;',
    'ALTER TABLE "orders" ADD COLUMN "weight" int NOT NULL;',
    'DROP TABLE "orders";',
  ])('is recognized as removing something: %s', (statement) => {
    expect(takenAway(statement, 38)).toEqual([statement])
    expect(takenAway(`-- Unused by releases that know 38 migrations.\n${statement}`, 38)).toEqual([])
    expect(takenAway(`-- Unused by releases that know 39 migrations.\n${statement}`, 38)).toEqual([statement])
  })

  test.each([
    'ALTER TABLE "orders" ADD COLUMN "weight" int;',
    'ALTER TABLE "orders" ADD COLUMN "weight" int DEFAULT 0 NOT NULL;',
    'CREATE TABLE "days" ("day" date NOT NULL);--> statement-breakpoint\nALTER TABLE "days" ALTER COLUMN "day" SET NOT NULL;',
  ])('is recognized as removing nothing: %s', (sql) => expect(takenAway(sql, 38)).toEqual([]))
})

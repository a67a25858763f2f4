import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/project-root.server.ts'

const folder = join(projectRoot, 'migrations')
/** Older ones ran before this was the rule. */
const FIRST = 14
const files = readdirSync(folder).filter((name) => /^\d{4}_.*\.sql$/.test(name) && Number(name.slice(0, 4)) >= FIRST)

/** The indexes of a migration that would keep others from writing to a table that is there already, and a mix that cannot run at all. */
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

describe('a migration that comes from now on', () => {
  test.each(files)('%s builds no index that keeps people from writing', (name) => {
    expect(blockingIndexes(readFileSync(join(folder, name), 'utf8'))).toEqual([])
  })

  test('is seen to block by an index or a key on a table that is there', () => {
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

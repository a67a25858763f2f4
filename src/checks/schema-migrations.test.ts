import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { generateDrizzleJson } from 'drizzle-kit/api'
import { expect, test } from 'vitest'
import drizzleConfig from '../../drizzle.config.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

type Parts = Record<string, unknown>

/** Parts of a schema that differ from its snapshot: tables by name, others by kind. */
function changedSince(snapshot: Parts, schema: Parts): string[] {
  const changed = (before: Parts, after: Parts) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !isDeepStrictEqual(before[key], after[key]))
  const { id: _id, prevId: _prevId, tables, ...rest } = schema
  const { id: _snapshotId, prevId: _snapshotPrevId, tables: snapshotTables, ...snapshotRest } = snapshot
  return [...changed(snapshotTables as Parts, tables as Parts), ...changed(snapshotRest, rest)]
}

const files = globSync(drizzleConfig.schema as string[], { cwd: projectRoot })
const modules = await Promise.all(files.map(async (file) => (await import(join(projectRoot, file))) as Parts))
const exported = Object.fromEntries(modules.flatMap((module, n) => Object.entries(module).map(([name, part]) => [`${n} ${name}`, part])))
const readSchema = () => JSON.parse(JSON.stringify(generateDrizzleJson(exported))) as Parts
const readSnapshot = () => {
  const read = (name: string) => JSON.parse(readFileSync(join(projectRoot, 'migrations/meta', name), 'utf8')) as unknown
  const { entries } = read('_journal.json') as { entries: { idx: number }[] }
  return read(`${String(entries.at(-1)!.idx).padStart(4, '0')}_snapshot.json`) as Parts
}

test('every change of a tables.ts has its migration', () => {
  const changed = changedSince(readSnapshot(), readSchema())
  expect(changed, `No migration yet for ${changed.join(', ')}: run npm run db:generate -- --name what_changed`).toEqual([])
})

test('control: a table, a column and a check without a migration are noticed', () => {
  const snapshot = readSnapshot()
  const tables = snapshot.tables as Record<string, { columns: Parts; checkConstraints: Parts }>
  const [orders, users] = [tables['public.orders']!, tables['public.users']!]
  const column = { ...orders, columns: { ...orders.columns, note_of_today: {} } }
  const check = { ...users, checkConstraints: { ...users.checkConstraints, users_new: {} } }
  const schema = { ...snapshot, tables: { ...tables, 'public.orders': column, 'public.users': check, 'public.fodder': orders } }
  expect(changedSince(snapshot, schema)).toEqual(['public.users', 'public.orders', 'public.fodder'])
})

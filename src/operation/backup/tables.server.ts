import { z } from 'zod'
import { quoted, type Bulk } from '#src/kit/db/bulk.server.ts'

/**
 * Dumps every table of a market as one stream of text that both engines write and read; the same format as a plain data dump of pg_dump, so
 * `psql` reads it, too. One snapshot, one COPY per table, then the position of each sequence.
 */
export const tableFacts = z.object({
  name: z.string(),
  rows: z.string().regex(/^\d+$/),
  /** A checksum over all rows in any order: equal exactly when the tables are equal (for practical purposes). */
  checksum: z.string().regex(/^\d+$/),
})
export type TableFacts = z.output<typeof tableFacts>

interface Table {
  name: string
  /** The columns of the COPY; generated columns are computed again. */
  columns: string[]
}

export async function tablesOf(bulk: Bulk): Promise<Table[]> {
  const rows = await bulk.query(`
    select c.relname as name, a.attname as "column"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname, a.attname`)
  const tables = new Map<string, string[]>()
  for (const { name, column } of rows) tables.set(String(name), [...(tables.get(String(name)) ?? []), String(column)])
  return [...tables].map(([name, columns]) => ({ name, columns }))
}

/** The checksum includes generated columns: the restored ones must be equal. */
export async function factsOf(bulk: Bulk, { name }: Table): Promise<TableFacts> {
  const columns = await bulk.query(`
    select attname as name from pg_attribute
    where attrelid = '${quoted(name)}'::regclass and attnum > 0 and not attisdropped order by attname`)
  const row = `row(${columns.map((column) => quoted(String(column.name))).join(', ')})`
  const [facts] = await bulk.query(`
    select count(*)::text as rows, coalesce(sum(('x' || left(md5(${row}::text), 15))::bit(60)::bigint), 0)::text as checksum
    from ${quoted(name)}`)
  return tableFacts.parse({ name, ...facts })
}

export async function allFacts(bulk: Bulk): Promise<TableFacts[]> {
  const facts: TableFacts[] = []
  for (const table of await tablesOf(bulk)) facts.push(await factsOf(bulk, table))
  return facts
}

/** The names of differing tables, as text. */
export function differences(wanted: TableFacts[], found: TableFacts[]): string[] {
  const byName = new Map(found.map((facts) => [facts.name, facts]))
  const lines = wanted.flatMap(({ name, rows, checksum }) => {
    const other = byName.get(name)
    byName.delete(name)
    if (!other) return [`${name} is missing`]
    if (other.rows !== rows) return [`${name} has ${other.rows} rows instead of ${rows}`]
    return other.checksum === checksum ? [] : [`${name} has other rows`]
  })
  return [...lines, ...[...byName.keys()].map((name) => `${name} is not in the backup`)]
}

const END = '\\.\n'
const isSequenceLine = /^select pg_catalog\.setval\('(?:[^'\\]|'')+', -?\d+, (?:true|false)\);$/
const isTableLine = /^copy "([^"]+)" \(("[^"]+"(?:, "[^"]+")*)\) from stdin;$/

export async function* dumpTables(bulk: Bulk): AsyncIterable<Uint8Array> {
  for (const table of await tablesOf(bulk)) {
    yield Buffer.from(`copy ${quoted(table.name)} (${table.columns.map(quoted).join(', ')}) from stdin;\n`)
    yield* bulk.copyOut(table.name, table.columns)
    yield Buffer.from(END)
  }
  // Sequences are not part of a snapshot. Read last, none is behind a row that was written.
  const sequences = await bulk.query(`
    select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = 'public' order by sequencename`)
  for (const { name } of sequences) {
    const [at] = await bulk.query(`select last_value::text as value, is_called::text as called from ${String(name)}`)
    yield Buffer.from(`select pg_catalog.setval('${String(name)}', ${String(at!.value)}, ${String(at!.called)});\n`)
  }
}

class DumpUnreadable extends Error {}

/**
 * Loads a dump into freshly migrated tables, within the caller's transaction. Drops triggers, foreign keys and indexes during the load,
 * because they would refuse or slow down rows that are valid in the end. Adding the keys again checks every row.
 */
export async function loadTables(bulk: Bulk, dump: AsyncIterable<Uint8Array>): Promise<void> {
  const tables = await tablesOf(bulk)
  const putBack = await takeDown(bulk, tables)
  await bulk.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
  const text = linesOf(dump)
  const missing = new Map(tables.map((table) => [table.name, table]))
  for (let line = await text.next(); line !== null; line = await text.next()) {
    const [, name, list] = isTableLine.exec(line) ?? []
    const table = name === undefined ? undefined : missing.get(name)
    if (table && list === table.columns.map(quoted).join(', ')) {
      missing.delete(table.name)
      await bulk.copyIn(table.name, table.columns, text.rows())
    } else if (isSequenceLine.test(line)) await bulk.query(line)
    else throw new DumpUnreadable(`The backup has a line that this release does not know: ${line.slice(0, 100)}`)
  }
  if (missing.size > 0) throw new DumpUnreadable(`The backup lacks the table ${[...missing.keys()].join(', ')}.`)
  for (const statement of putBack) await bulk.query(statement)
}

/** Returns the statements that restore everything. */
async function takeDown(bulk: Bulk, tables: Table[]): Promise<string[]> {
  const keys = await bulk.query(`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`)
  const indexes = await bulk.query(`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and not exists (select 1 from pg_constraint where conindid = i.indexrelid and contype <> 'f')
    order by 1`)
  for (const { table, name } of keys) await bulk.query(`alter table ${String(table)} drop constraint ${quoted(String(name))}`)
  for (const { name } of indexes) await bulk.query(`drop index ${quoted(String(name))}`)
  for (const { name } of tables) await bulk.query(`alter table ${quoted(name)} disable trigger user`)
  return [
    ...indexes.map(({ definition }) => String(definition)),
    ...keys.map(
      ({ table, name, definition }) => `alter table ${String(table)} add constraint ${quoted(String(name))} ${String(definition)}`,
    ),
    ...tables.map(({ name }) => `alter table ${quoted(name)} enable trigger user`),
  ]
}

/** Reads a dump line by line, and the rows of a table as blocks of whole lines, holding at most one block. */
function linesOf(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const { value, done } = await chunks.next()
    if (done) return false
    held = held.length === 0 ? Buffer.from(value) : Buffer.concat([held, value])
    return true
  }
  const take = (bytes: number): Buffer => {
    const taken = held.subarray(0, bytes)
    held = held.subarray(bytes)
    return taken
  }
  return {
    /** Null at the end. */
    async next(): Promise<string | null> {
      let end = held.indexOf(10)
      while (end < 0) {
        if (!(await more())) {
          if (held.length > 0) throw new DumpUnreadable('The backup ends in the middle of a line.')
          return null
        }
        end = held.indexOf(10)
      }
      return take(end + 1).toString('utf8', 0, end)
    },
    async *rows(): AsyncIterable<Uint8Array> {
      for (;;) {
        if (held.subarray(0, END.length).toString() === END) return void take(END.length)
        const end = held.indexOf(`\n${END}`)
        if (end >= 0) {
          yield take(end + 1)
          continue
        }
        const whole = held.lastIndexOf(10) + 1
        if (whole > 0) yield take(whole)
        if (!(await more())) throw new DumpUnreadable('The backup ends in the middle of a table.')
      }
    },
  }
}

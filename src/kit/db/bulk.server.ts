import { CopyIn, CopyOut } from './copy.server.ts'

/** A transaction over whole tables without time-outs, for backups, restores and moves (operation/backup/). */
export interface Bulk {
  /** The statement casts values to text where the caller needs PostgreSQL's text form. */
  query(statement: string): Promise<Record<string, unknown>[]>
  /** Streams the rows in COPY's text format, one line per row. */
  copyOut(table: string, columns: string[]): AsyncIterable<Uint8Array>
  /** Each chunk of `lines` must end at a line break. */
  copyIn(table: string, columns: string[], lines: AsyncIterable<Uint8Array>): Promise<void>
}

/** Session settings that make both engines write the same text for the same values. */
export const SAME_TEXT = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO, MDY'`,
  `set local intervalstyle = 'postgres'`,
  `set local bytea_output = 'hex'`,
  `set local extra_float_digits = 1`,
  `set local search_path = public`,
]

/** The methods that pg's client and our pool's client share. */
interface Queryable {
  query(statement: string): Promise<{ rows: Record<string, unknown>[] }>
}
interface Streaming extends Queryable {
  query(statement: string): Promise<{ rows: Record<string, unknown>[] }>
  query<T extends CopyIn | CopyOut>(copy: T): T
}

/** COPY needs the whole connection, so use a client that sends one statement at a time. */
export function bulkOfClient(client: Streaming): Bulk {
  return {
    query: async (statement) => (await client.query(statement)).rows,
    copyOut: (table, columns) => client.query(new CopyOut(`copy (select ${list(columns)} from ${quoted(table)}) to stdout`)).rows,
    copyIn: (table, columns, lines) => client.query(new CopyIn(`copy ${quoted(table)} (${list(columns)}) from stdin`, lines)).done,
  }
}

/** The embedded database copies through memory, so it copies a table in pieces: at most this many 8 KB pages or bytes of text at once. */
const PAGES_AT_ONCE = 512
const BYTES_AT_ONCE = 4 * 1024 * 1024

interface Embedded {
  query<Row>(statement: string, values?: unknown[], options?: { blob?: Blob }): Promise<{ rows: Row[]; blob?: Blob }>
}

export function bulkOfEmbedded(client: Embedded): Bulk {
  const query = async (statement: string) => (await client.query<Record<string, unknown>>(statement)).rows
  return {
    query,
    copyOut: async function* (table, columns) {
      const [size] = await query(`select (pg_relation_size('${quoted(table)}') / current_setting('block_size')::int)::int as pages`)
      for (let page = 0; page < Number(size!.pages); page += PAGES_AT_ONCE) {
        const piece = `ctid >= '(${page},0)'::tid and ctid < '(${page + PAGES_AT_ONCE},0)'::tid`
        const { blob } = await client.query(`copy (select ${list(columns)} from ${quoted(table)} where ${piece}) to '/dev/blob'`)
        if (blob && blob.size > 0) yield new Uint8Array(await blob.arrayBuffer())
      }
    },
    copyIn: async (table, columns, lines) => {
      const copy = async (parts: Uint8Array[]) => {
        // Node's Blob accepts any bytes, but its type requires chunks that own their memory.
        const blob = new Blob(parts.map((part) => new Uint8Array(part)))
        await client.query(`copy ${quoted(table)} (${list(columns)}) from '/dev/blob'`, [], { blob })
      }
      let parts: Uint8Array[] = []
      let bytes = 0
      for await (const part of lines) {
        parts.push(part)
        bytes += part.length
        if (bytes < BYTES_AT_ONCE) continue
        await copy(parts)
        parts = []
        bytes = 0
      }
      if (bytes > 0) await copy(parts)
    },
  }
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const list = (names: string[]) => names.map(quoted).join(', ')

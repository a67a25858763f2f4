import { CopyIn, CopyOut } from './copy.server.ts'

/** One transaction over whole tables, without time-outs: for backups, restores and moves (operation/backup/). */
export interface Bulk {
  /** Values come as PostgreSQL's text where the statement casts them so. */
  query(statement: string): Promise<Record<string, unknown>[]>
  /** The rows of a table as COPY writes them: a line each. */
  copyOut(table: string, columns: string[]): AsyncIterable<Uint8Array>
  /** `lines` gives whole lines at a time. */
  copyIn(table: string, columns: string[], lines: AsyncIterable<Uint8Array>): Promise<void>
}

/** Values are written alike on every server: a table has one text, whichever engine holds it. */
export const SAME_TEXT = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO, MDY'`,
  `set local intervalstyle = 'postgres'`,
  `set local bytea_output = 'hex'`,
  `set local extra_float_digits = 1`,
  `set local search_path = public`,
]

/** What pg's client and our pool's clients have in common. */
interface Queryable {
  query(statement: string): Promise<{ rows: Record<string, unknown>[] }>
}
interface Streaming extends Queryable {
  query(statement: string): Promise<{ rows: Record<string, unknown>[] }>
  query<T extends CopyIn | CopyOut>(copy: T): T
}

/** `client` sends one statement at a time: COPY has the line to itself. */
export function bulkOfClient(client: Streaming): Bulk {
  return {
    query: async (statement) => (await client.query(statement)).rows,
    copyOut: (table, columns) => client.query(new CopyOut(`copy (select ${list(columns)} from ${quoted(table)}) to stdout`)).rows,
    copyIn: (table, columns, lines) => client.query(new CopyIn(`copy ${quoted(table)} (${list(columns)}) from stdin`, lines)).done,
  }
}

/** The embedded database copies through memory: a table goes in pieces of so many of its pages of 8 KB, or bytes of text. */
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
        // Node's Blob takes any bytes; its type wants them to own their memory.
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

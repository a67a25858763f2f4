import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Db } from './database.server.ts'

const dialect = new PgDialect()
const names = new Map<string, string>()
/** Each name is a plan that every connection keeps. More texts than this means that somebody lets a text vary with its values. */
const MOST_NAMES = 100

/**
 * Runs a long statement that is asked all day: under a name, so that each connection to PostgreSQL reads and plans its text only
 * once. The name is the text's own, so the text may differ by language or viewer, but not by values: those are parameters.
 * (DB_PREPARE=0 takes the names away, kit/database.server.ts; the embedded database does without.)
 */
export async function hotRows<Row>(db: Db, statement: SQL): Promise<Row[]> {
  const query = dialect.sqlToQuery(statement)
  const { session } = db._ as unknown as { session: HotSession }
  const { rows } = await session.prepareQuery(query, undefined, nameOf(query.sql), false).execute()
  return rows as Row[]
}

interface HotSession {
  prepareQuery(
    query: { sql: string; params: unknown[] },
    fields: undefined,
    name: string | undefined,
    isArray: boolean,
  ): { execute(): Promise<{ rows: unknown[] }> }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= MOST_NAMES) return known
  const name = `hot_${createHash('sha256').update(text).digest('base64url')}`
  names.set(text, name)
  return name
}

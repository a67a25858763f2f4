import { SQL, StringChunk } from 'drizzle-orm'

interface Query {
  sql: string
  params: unknown[]
}

/**
 * The statement, built once and as Drizzle would: a list of twenty-four animals has three hundred parts, and Drizzle asks of each whether it
 * is one of fifteen kinds. What our hand-written statements consist of are texts, values and other statements; one with anything else in it
 * (a table, a column, a list) is left to Drizzle.
 * To remove: give the statement itself.
 */
export function quickly(statement: SQL): SQL {
  const query: Query = { sql: '', params: [] }
  if (!write(statement, query)) return statement
  // Its parts stay in it, for who puts it into another statement.
  return Object.assign(new SQL(statement.queryChunks), { toQuery: () => query })
}

/** False for what Drizzle has to write. */
function write(statement: SQL, query: Query): boolean {
  // Drizzle keeps it private.
  if ((statement as unknown as { shouldInlineParams: boolean }).shouldInlineParams) return false
  for (const chunk of statement.queryChunks as unknown[]) {
    if (chunk === undefined) continue
    if (isValue(chunk)) query.sql += `$${query.params.push(chunk)}`
    else if (chunk instanceof StringChunk) query.sql += chunk.value.join('')
    else if (!(chunk instanceof SQL) || Object.getPrototypeOf(chunk) !== SQL.prototype || !write(chunk, query)) return false
  }
  return true
}

const isValue = (chunk: unknown): boolean =>
  chunk === null || (typeof chunk !== 'object' && typeof chunk !== 'function') || chunk instanceof Date || chunk instanceof Uint8Array

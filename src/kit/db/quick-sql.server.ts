import { SQL, StringChunk } from 'drizzle-orm'

interface Query {
  sql: string
  params: unknown[]
}

/**
 * Returns a statement whose SQL text is built once, equal to Drizzle's. A list of 24 animals has 300 parts, and Drizzle tests each part against
 * fifteen kinds. Our hand-written statements contain only text, values and nested statements; Drizzle still builds any statement with another kind of
 * part (a table, a column, a list).
 * To remove this optimization, return the statement unchanged.
 */
export function quickly(statement: SQL): SQL {
  const query: Query = { sql: '', params: [] }
  if (!write(statement, query)) return statement
  // Keep the parts, so that other statements can embed this one.
  return Object.assign(new SQL(statement.queryChunks), { toQuery: () => query })
}

/** Returns false when Drizzle must build the statement. */
function write(statement: SQL, query: Query): boolean {
  // The field is private in Drizzle.
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

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'

/** After a process has sent a statement this many times, every connection prepares it. */
export const HOT_AFTER = 20
/** Upper bound of prepared statements. A higher number means that some code writes values into the SQL text. */
const MOST_NAMES = 200
/** Size of the statement counter. It drops rare statements. */
const MOST_COUNTED = 1000

/** Our statements take milliseconds. From this duration on, a person notices the wait. */
const SLOW_MS = 500

let noteSlow: (statement: string, ms: number) => void = () => {}

/** Reports every slow statement of this process without its values, because values are personal data. */
export function noteSlowStatements(note: (statement: string, ms: number) => void): void {
  noteSlow = note
}

const names = new Map<string, string>()
const counts = new LRUCache<string, number>({ max: MOST_COUNTED })

/**
 * A PostgreSQL connection that pipelines. All statements sent in one tick (`Promise.all` within a transaction) leave in one packet and run in that
 * order. So a long transaction holds its locks for one round trip per batch, not one per statement. Each statement gets its own answer; after a
 * refused statement, PostgreSQL refuses the rest of the batch.
 */
export class DatabaseClient extends pg.Client {
  /** The error that broke the transaction. PostgreSQL answers all later statements with 25P02 only, so callers get this error instead. */
  #broken: unknown
  /** The error of the latest BEGIN whose answer nobody awaited. */
  #refusedBegin: unknown

  constructor(config?: pg.ClientConfig) {
    super({ ...config, pipeline: true })
  }

  override query(...args: unknown[]) {
    // pg has no types for its connection.
    const { stream } = (this as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection
    const [statement] = args
    const measure = measured(textOf(statement))
    // The pool sends statements with a callback.
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      args[args.length - 1] = (...answer: unknown[]) => {
        measure()
        callback(...answer)
      }
    }
    stream.cork()
    process.nextTick(() => stream.uncork())
    // pg types each overload; this method passes all overloads on.
    const answer: unknown = super.query(...(args as unknown as Parameters<pg.Client['query']>))
    // Drizzle sends BEGIN outside the code that releases the connection (drizzle-team/drizzle-orm#6023). A connection that breaks at this moment
    // would never return to the pool, and after ten of them the pool would be empty. So release it here.
    if (isBegin(statement) && isLent(this)) (answer as Promise<unknown>).catch(() => this.release(true))
    if (endsOrBegins(statement)) this.#broken = this.#refusedBegin = undefined
    if (!(answer instanceof Promise)) return answer as never
    if (textOf(statement) === EAGER_BEGIN) {
      // Answers arrive in order, so this field is set before the answer to the next statement arrives.
      answer.then(measure, (error: unknown) => (this.#refusedBegin = error))
      return Promise.resolve({ rows: [], rowCount: null }) as never
    }
    const whenDone = (done: unknown) => {
      measure()
      if (this.#refusedBegin) throw this.#refusedBegin
      return done
    }
    return answer.then(whenDone, (error: { code?: unknown }) => {
      measure()
      if (error.code === IN_FAILED_TRANSACTION && this.#broken) throw this.#broken
      this.#broken ??= error
      throw error
    }) as never
  }
}

/** Starts the measurement. Call the returned function when the statement's answer arrives. */
function measured(statement: string): () => void {
  const began = performance.now()
  return () => {
    const ms = performance.now() - began
    if (ms > SLOW_MS) noteSlow(statement, ms)
  }
}

const IN_FAILED_TRANSACTION = '25P02'
/** Drizzle's BEGIN text for the option `eagerly` (database.server.ts). */
const EAGER_BEGIN = 'begin read write'

/** A pool adds `release` to the clients that it lends. */
const isLent = (client: pg.Client): client is pg.PoolClient => 'release' in client
const textOf = (statement: unknown): string => {
  const text = typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement
  return typeof text === 'string' ? text : ''
}
const isBegin = (statement: unknown) => /^begin\b/i.test(textOf(statement))
const endsOrBegins = (statement: unknown) => /^(begin|rollback|savepoint)\b/i.test(textOf(statement))

/**
 * A pipelining client that also names frequent statements with parameters, so each connection parses and plans them only once. The name is a hash of
 * the text: processes that share a server never use the same name for different texts.
 */
export class NamingClient extends DatabaseClient {
  override query(...args: unknown[]) {
    const [statement, ...rest] = args
    const name = isPlain(statement) && (statement.values ?? rest[0]) instanceof Array ? nameOf(statement.text) : undefined
    return super.query(...(name ? [{ ...(statement as object), name }, ...rest] : args)) as never
  }
}

const isPlain = (statement: unknown): statement is { text: string; values?: unknown } =>
  typeof statement === 'object' &&
  statement !== null &&
  'text' in statement &&
  typeof statement.text === 'string' &&
  !('name' in statement && statement.name)

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= MOST_NAMES) return known
  const count = (counts.get(text) ?? 0) + 1
  if (count < HOT_AFTER) {
    counts.set(text, count)
    return undefined
  }
  counts.delete(text)
  const name = `hot_${createHash('sha256').update(text).digest('base64url')}`
  names.set(text, name)
  return name
}

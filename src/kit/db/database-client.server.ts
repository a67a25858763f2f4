import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'

/** A statement that one process has sent this often is frequent: from then on it is prepared on every connection. */
export const HOT_AFTER = 20
/** Upper bound of prepared statements. More than this means that some code writes values into the SQL text. */
const MOST_NAMES = 200
/** How many statements are counted at a time: rare ones are dropped again. */
const MOST_COUNTED = 1000

/** A statement of ours takes milliseconds; this long, and somebody waits for it. */
const SLOW_MS = 500

let noteSlow: (statement: string, ms: number) => void = () => {}

/** From now on each slow statement of this process is noted, without its values, which are people's data. */
export function noteSlowStatements(note: (statement: string, ms: number) => void): void {
  noteSlow = note
}

const names = new Map<string, string>()
const counts = new LRUCache<string, number>({ max: MOST_COUNTED })

/**
 * A PostgreSQL connection that pipelines. Statements sent in one tick (`Promise.all` within a transaction) leave in one packet and run in
 * that order: a long transaction holds its locks for as many round trips as it waits for answers, not for as many as it has statements.
 * Each statement still has an answer of its own, and after a refused one those behind it are refused, too.
 */
export class DatabaseClient extends pg.Client {
  /** The error that broke the transaction. Every statement after it gets only 25P02 from PostgreSQL. */
  #broken: unknown

  constructor(config?: pg.ClientConfig) {
    super({ ...config, pipeline: true })
  }

  override query(...args: unknown[]) {
    // pg does not type its connection.
    const { stream } = (this as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection
    const began = performance.now()
    stream.cork()
    process.nextTick(() => stream.uncork())
    // pg types each overload, and this passes all of them on.
    const answer: unknown = super.query(...(args as unknown as Parameters<pg.Client['query']>))
    // Drizzle sends BEGIN outside of the code that releases the connection: one that breaks at that moment would never return to the
    // pool, and after ten the pool would be empty (drizzle-team/drizzle-orm#6023).
    if (isBegin(args[0]) && isLent(this)) (answer as Promise<unknown>).catch(() => this.release(true))
    if (endsOrBegins(args[0])) this.#broken = undefined
    if (!(answer instanceof Promise)) return answer as never
    const measure = () => {
      const ms = performance.now() - began
      if (ms > SLOW_MS) noteSlow(textOf(args[0]), ms)
    }
    const whenDone = (done: unknown) => {
      measure()
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

const IN_FAILED_TRANSACTION = '25P02'

/** Lent by a pool, which adds `release` to it. */
const isLent = (client: pg.Client): client is pg.PoolClient => 'release' in client
const textOf = (asked: unknown): string => {
  const text = typeof asked === 'object' && asked !== null && 'text' in asked ? asked.text : asked
  return typeof text === 'string' ? text : ''
}
const isBegin = (asked: unknown) => /^begin\b/i.test(textOf(asked))
/** Of a transaction or a savepoint. */
const endsOrBegins = (asked: unknown) => /^(begin|rollback|savepoint)\b/i.test(textOf(asked))

/**
 * The same, and frequent statements with parameters get a name, so that each connection parses and plans them only once. The name is
 * derived from the text: processes that share a server never use one name for different texts.
 */
export class NamingClient extends DatabaseClient {
  override query(...args: unknown[]) {
    const [asked, ...rest] = args
    const name = isPlain(asked) && (asked.values ?? rest[0]) instanceof Array ? nameOf(asked.text) : undefined
    return super.query(...(name ? [{ ...(asked as object), name }, ...rest] : args)) as never
  }
}

const isPlain = (asked: unknown): asked is { text: string; values?: unknown } =>
  typeof asked === 'object' && asked !== null && 'text' in asked && typeof asked.text === 'string' && !('name' in asked && asked.name)

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

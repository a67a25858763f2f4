import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'

/** A text asked this often in one process is asked all day: then it is worth a plan that every connection keeps. */
export const HOT_AFTER = 20
/** Each name is such a plan. More texts than this means that somebody lets a text vary with its values. */
const MOST_NAMES = 200
/** So many texts are counted at a time: those that come rarely fall out again. */
const MOST_COUNTED = 1000

const names = new Map<string, string>()
const counts = new LRUCache<string, number>({ max: MOST_COUNTED })

/**
 * A connection to PostgreSQL that asks what is asked all day in fewer words and fewer breaths. Statements that are handed to it in
 * one tick (`Promise.all` within a transaction) leave in one packet, and are done in that order: a long transaction holds its locks for
 * as many round trips as it has to wait for answers, not for as many as it has statements. Each still has an answer of its own, and
 * after a refused one those behind it are refused, too.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, pipeline: true })
  }

  override query(...args: unknown[]) {
    const { stream } = (this as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    const answer: unknown = super.query(...(args as unknown as Parameters<pg.Client['query']>))
    // Drizzle begins a transaction outside of what gives the connection back: one that breaks at that moment would be lost to the pool
    // for good, and after ten the site would be (drizzle-team/drizzle-orm#6023).
    if (isBegin(args[0]) && isLent(this)) (answer as Promise<unknown>).catch(() => this.release(true))
    return answer as never
  }
}

/** By a pool, which gives it what gives it back. */
const isLent = (client: pg.Client): client is pg.PoolClient => 'release' in client
const isBegin = (asked: unknown): boolean => {
  const text = typeof asked === 'object' && asked !== null && 'text' in asked ? asked.text : asked
  return typeof text === 'string' && /^begin\b/.test(text)
}

/**
 * The same, and each statement with parameters that comes again and again gets a name, so that the connection reads and plans its text
 * only once. The name is the text's own: processes that share a server never mean different texts by one name.
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

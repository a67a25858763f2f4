import { isIPv4, isIPv6 } from 'node:net'
import { lt, sql } from 'drizzle-orm'
import { RateLimiterDrizzle, RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Db } from './database.server.ts'
import { Problem } from './problem.ts'
import { limitCounts } from './tables.ts'

/**
 * Limits that may forget on restart (api.md L0-L2 and views): counted in this process. `address` counts per IP bucket,
 * `user` per person; people behind one carrier's address share a bucket, so the first are wide.
 */
const perMinute = {
  lookup: { address: 600, user: 600 },
  read: { address: 1200, user: 300 },
  ownRead: { address: 120, user: 120 },
  view: { address: 60, user: 60 },
} as const
export type LimitName = keyof typeof perMinute

const DAY_SECONDS = 86_400
/**
 * Limits that must survive a restart and hold for all processes together (api.md L3 and up): counted in the database, and
 * taken outside the transaction of the act they guard, so that a refused act still counts. `by` says what the key is: only
 * address buckets are widened by RATE_LIMIT_FACTOR.
 */
const durable = {
  /** A household asks for the newsletter once or twice; more would make us a tool for filling strangers' mailboxes. */
  newsletter: { by: 'address', points: 3, seconds: DAY_SECONDS },
} as const satisfies Record<string, DurableLimit>
export type DurableLimitName = keyof typeof durable

interface DurableLimit {
  by: 'address' | 'user' | 'phone'
  points: number
  seconds: number
}

/** How often a process removes the counts that have run out. */
const SWEEP_EVERY_MS = 3_600_000

export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterMemory>()
  private readonly addressFactor: number
  private sweptAt = -Infinity

  constructor(addressFactor: number) {
    this.addressFactor = addressFactor
    for (const [name, { address, user }] of Object.entries(perMinute)) {
      this.limiters.set(`${name}:address`, new RateLimiterMemory({ points: address * addressFactor, duration: 60 }))
      this.limiters.set(`${name}:user`, new RateLimiterMemory({ points: user, duration: 60 }))
    }
  }

  /** Throws RATE_LIMITED with the seconds to wait. */
  async take(name: LimitName, who: { userId: number | null; address: string }): Promise<void> {
    const kind = who.userId === null ? 'address' : 'user'
    await consume(this.limiters.get(`${name}:${kind}`)!, who.userId === null ? who.address : String(who.userId))
  }

  /**
   * The same for a limit in the database; `key` is what it counts by. One atomic upsert (the library's Drizzle store), so a
   * burst over several processes passes exactly as many. The window begins with the first take and is not prolonged by refusals.
   */
  async takeDurable(db: Db, name: DurableLimitName, key: string): Promise<void> {
    const { by, points, seconds }: DurableLimit = durable[name]
    // Cheap to make, and the handle is the caller's: nothing is kept between two takes.
    const limiter = new RateLimiterDrizzle({
      storeClient: db,
      schema: limitCounts,
      keyPrefix: name,
      points: by === 'address' ? points * this.addressFactor : points,
      duration: seconds,
      // Its own sweeper is a timer per limiter; ours is below.
      clearExpiredByTimeout: false,
    })
    await this.sweep(db)
    await consume(limiter, key)
  }

  private async sweep(db: Db): Promise<void> {
    const now = performance.now()
    if (now - this.sweptAt < SWEEP_EVERY_MS) return
    this.sweptAt = now
    await db.delete(limitCounts).where(lt(limitCounts.expire, sql`now()`))
  }
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw new Problem('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) })
  }
}

/** One bucket per IPv4 address or IPv6 /64. Only as many X-Forwarded-For entries are believed as there are proxies of ours. */
export function addressBucket(remote: string | undefined, forwardedFor: string | undefined, trustedProxies: number): string {
  const chain = (forwardedFor ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return bucketOf(trustedProxies > 0 ? chain.at(-trustedProxies) : undefined) ?? bucketOf(remote) ?? ''
}

/** Some proxies add the port: `1.2.3.4:567`, `[2001:db8::1]:567`. */
function bucketOf(address = ''): string | null {
  const plain = address
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=[\d.]+$)/i, '')
    .replace(/%.*$/, '')
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return null
  // The URL parser knows all spellings; `::` stands for as many zero groups as are missing from eight.
  const [left = '', right] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const groups = left === '' ? [] : left.split(':')
  const missing = right === undefined ? 0 : 8 - groups.length - (right === '' ? 0 : right.split(':').length)
  return [...groups, ...Array<string>(missing).fill('0'), ...(right ? right.split(':') : [])].slice(0, 4).join(':')
}

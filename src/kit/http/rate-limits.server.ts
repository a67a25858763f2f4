import { isIPv4, isIPv6 } from 'node:net'
import { eq, lt, sql } from 'drizzle-orm'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { z } from 'zod'
import type { Db } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { limitCounts } from '#src/kit/db/tables.ts'

/**
 * Limits that may forget on restart (api.md L0-L2 and views): counted in this process. `address` counts per IP bucket,
 * `user` per person; people behind one carrier's address share a bucket, so the first are wide.
 */
const perMinute = {
  lookup: { address: 600, user: 600 },
  read: { address: 1200, user: 300 },
  ownRead: { address: 120, user: 120 },
  view: { address: 60, user: 60 },
  /** What one types into a long form, saved every few seconds. */
  autosave: { address: 60, user: 60 },
  /** Parts of a clip: a fast line brings a whole one in a second, in twelve parts. */
  clipPart: { address: 300, user: 150 },
} as const
export type LimitName = keyof typeof perMinute

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/**
 * Limits that must survive a restart and hold for all processes together (api.md L3 and up): counted in the database, and
 * taken outside the transaction of the act they guard, so that a refused act still counts, except for quotas (`isQuota`). `by` says what
 * the key is: RATE_LIMIT_FACTOR never widens limits by `key`, which is a phone or a browser.
 */
const durable = {
  /** A household asks for the newsletter once or twice; more would make us a tool for filling strangers' mailboxes. */
  newsletter: { by: 'address', points: 3, seconds: DAY_SECONDS, isQuota: true },
  /** L3: whatever a person changes. */
  writeMinute: { by: 'user', points: 30, seconds: 60 },
  writeDay: { by: 'user', points: 300, seconds: DAY_SECONDS },
  /** The office, where hundreds are decided in a day by the keyboard. */
  deskMinute: { by: 'user', points: 150, seconds: 60 },
  deskDay: { by: 'user', points: 6000, seconds: DAY_SECONDS },
  /** L7: orders, and asking what a referral code is worth: codes are not to be tried by the hundred. */
  orderMinute: { by: 'user', points: 10, seconds: 60 },
  orderDay: { by: 'user', points: 100, seconds: DAY_SECONDS, isQuota: true },
  discountMinute: { by: 'user', points: 10, seconds: 60 },
  /** L6: uploads. */
  uploadMinute: { by: 'user', points: 10, seconds: 60 },
  uploadDay: { by: 'user', points: 60, seconds: DAY_SECONDS, isQuota: true },
  /** New listings: a shandy's trader with a lorry of goats comes to about a dozen in a day. */
  listMinute: { by: 'user', points: 3, seconds: 60, isQuota: true },
  listDay: { by: 'user', points: 20, seconds: DAY_SECONDS, isQuota: true },
  /** Reviews of sellers, written or changed. */
  reviewDay: { by: 'user', points: 5, seconds: DAY_SECONDS, isQuota: true },
  /** Enquiries posted: nobody looks for more different things in a day. */
  enquiryDay: { by: 'user', points: 5, seconds: DAY_SECONDS, isQuota: true },
  /** Letters to support: whoever needs more in a day should be on the telephone. */
  ticketDay: { by: 'user', points: 5, seconds: DAY_SECONDS, isQuota: true },
  /** The same of a browser without a login; many share an address behind a carrier's NAT, so what one address may is wide. */
  ticketBrowser: { by: 'key', points: 5, seconds: DAY_SECONDS, isQuota: true },
  ticketAddress: { by: 'address', points: 100, seconds: DAY_SECONDS },
  reportDay: { by: 'user', points: 20, seconds: DAY_SECONDS, isQuota: true },
  /** Answers to enquiries that a seller withdraws: each new answer may send the poster another SMS. */
  takeBackDay: { by: 'user', points: 5, seconds: DAY_SECONDS, isQuota: true },
  /** Animals a vet takes: three rounds of five are a long day's riding, and each reveals a seller's street and phone. */
  holdDay: { by: 'user', points: 15, seconds: DAY_SECONDS, isQuota: true },
  /** L4: many people share one address behind a carrier's NAT, so these are loose; what one phone may is counted below. */
  login: { by: 'address', points: 30, seconds: 600 },
  /** Beginning to register or to reset a password. */
  register: { by: 'address', points: 60, seconds: HOUR_SECONDS },
  otpCheck: { by: 'address', points: 100, seconds: HOUR_SECONDS },
  /**
   * After so many wrong logins at one phone in a day only a code by SMS helps, but for browsers that have logged in as this person
   * before; a right one begins the count anew.
   */
  loginPhone: { by: 'key', points: 100, seconds: DAY_SECONDS },
  /** Each notifies the phone by SMS. */
  passwordChange: { by: 'user', points: 5, seconds: DAY_SECONDS },
  /** One-time codes sent (safety.md §4.3): to one phone, from one browser, one address, to neighbouring numbers, and in all. */
  otpPhoneMinute: { by: 'key', points: 1, seconds: 60 },
  otpPhoneQuarter: { by: 'key', points: 3, seconds: 900 },
  otpPhoneDay: { by: 'key', points: 10, seconds: DAY_SECONDS },
  otpBrowser: { by: 'key', points: 5, seconds: HOUR_SECONDS },
  otpAddress: { by: 'address', points: 30, seconds: HOUR_SECONDS },
  otpPrefix: { by: 'key', points: 20, seconds: HOUR_SECONDS },
  otpAllHour: { by: 'key', points: 300, seconds: HOUR_SECONDS },
  otpAllDay: { by: 'key', points: 2000, seconds: DAY_SECONDS },
  /** "This number is not known here" is said so often to one browser and one address, then a neutral text (safety.md §4.5). */
  unknownBrowser: { by: 'key', points: 5, seconds: HOUR_SECONDS },
  unknownAddress: { by: 'address', points: 20, seconds: HOUR_SECONDS },
} as const satisfies Record<string, DurableLimit>
export type DurableLimitName = keyof typeof durable

interface DurableLimit {
  /** `key`: a phone, a browser, or one count for all. */
  by: 'address' | 'user' | 'key'
  points: number
  seconds: number
  /** A quota of successful acts: a refused act gives its try back. All other limits count floods and guesses, refused or not. */
  isQuota?: true
}

/** So many of a limit, at once. */
interface Taken {
  name: DurableLimitName
  key: string
  points: number
}

/** Who is counted: a person, or else an address bucket. */
interface Who {
  userId: number | null
  address: string
}

/** How often a process removes the counts that have run out. */
const SWEEP_EVERY_MS = 3_600_000

const countRow = z.object({ points: z.number(), end_ms: z.number() })

const pointsRow = z.object({ points: z.number() })

export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterMemory>()
  private readonly factors: Record<DurableLimit['by'], number>
  private readonly swept = { at: -Infinity }
  /** Of one request (`ofRequest`): the quotas it took. */
  private taken: Taken[] | null = null

  /** Each multiplies the limits of its kind (RATE_LIMIT_FACTOR, env.server.ts). */
  constructor(addressFactor: number, userFactor = 1) {
    this.factors = { address: addressFactor, user: userFactor, key: 1 }
    for (const [name, { address, user }] of Object.entries(perMinute)) {
      this.limiters.set(`${name}:address`, new RateLimiterMemory({ points: address * addressFactor, duration: 60 }))
      this.limiters.set(`${name}:user`, new RateLimiterMemory({ points: user * userFactor, duration: 60 }))
    }
  }

  /** Throws RATE_LIMITED with the seconds to wait. */
  async take(name: LimitName, who: Who): Promise<void> {
    const kind = who.userId === null ? 'address' : 'user'
    try {
      await this.limiters.get(`${name}:${kind}`)!.consume(who.userId === null ? who.address : String(who.userId))
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      throw rateLimited(error.msBeforeNext)
    }
  }

  /** Takes limits of either kind in order, one named twice by two; none behind a refusing one. Those in the database cost one statement. */
  async takeAll(db: Db, names: readonly (LimitName | DurableLimitName)[], who: Who): Promise<void> {
    const lasting: Taken[] = []
    for (const name of names) {
      if (!isDurable(name)) await this.take(name, who)
      else {
        const key = durable[name].by === 'user' && who.userId !== null ? String(who.userId) : who.address
        const same = lasting.find((one) => one.name === name)
        // A statement can write each row once: what is taken twice is taken by two.
        if (same) same.points += 1
        else lasting.push({ name, key, points: 1 })
      }
    }
    await this.count(db, lasting)
  }

  /** One limit of the database, by whatever its key is: answers how many of how many are used. */
  async takeDurable(db: Db, name: DurableLimitName, key: string): Promise<{ used: number; of: number }> {
    const [taken] = await this.count(db, [{ name, key, points: 1 }])
    return taken!
  }

  /**
   * One atomic upsert for each, chained into one statement, so a burst over several processes passes exactly as many. A window begins
   * with its first take and is not prolonged by refusals.
   */
  private async count(db: Db, wanted: Taken[]): Promise<{ used: number; of: number }[]> {
    if (wanted.length === 0) return []
    await this.sweep(db)
    const now = Date.now()
    const limits = wanted.map(({ name, key, points: taken }) => {
      const { by, points, seconds }: DurableLimit = durable[name]
      return {
        key: `${name}:${key}`,
        taken,
        of: points * this.factors[by],
        end: new Date(now + seconds * 1000).toISOString(),
      }
    })
    const at = new Date(now).toISOString()
    const steps = limits.map(
      ({ key, taken, end }, n) => sql`${sql.raw(`taken_${n}`)} as (
        insert into limit_counts as c (key, points, expire)
        select ${key}::text, ${taken}::int, ${end}::timestamptz ${n === 0 ? sql`` : sql`from ${sql.raw(`taken_${n - 1}`)} t where t.points <= ${limits[n - 1]!.of}::int`}
        on conflict (key) do update set points = case when c.expire <= ${at}::timestamptz then excluded.points else c.points + excluded.points end,
          expire = case when c.expire <= ${at}::timestamptz then excluded.expire else c.expire end
        returning points, (extract(epoch from expire) * 1000)::float8 as end_ms)`,
    )
    const all = limits.map((_, n) => sql`select points, end_ms from ${sql.raw(`taken_${n}`)}`)
    const rows = await rowsOf({ db }, sql`with ${sql.join(steps, sql`, `)} ${sql.join(all, sql` union all `)}`, countRow)
    const counts = rows.map(({ points, end_ms }, n) => {
      if (points > limits[n]!.of) throw rateLimited(end_ms - now)
      return { used: points, of: limits[n]!.of }
    })
    this.taken?.push(...wanted.filter(({ name }) => (durable[name] as DurableLimit).isQuota))
    return counts
  }

  /** The same limits for one request, which remember the quotas it takes. */
  ofRequest(): RateLimits {
    const limits = Object.create(this) as RateLimits
    limits.taken = []
    return limits
  }

  /** For a refused request: restores the quotas that it took. */
  async giveBackQuotas(db: Db): Promise<void> {
    for (const { name, key, points } of this.taken?.splice(0) ?? []) await this.giveBackDurable(db, name, key, points)
  }

  /**
   * One limit shared by several kinds of askers: this one may fill `share` of it. Unlike elsewhere, refused tries are not counted, or
   * a refused asker could use up what is reserved for others. With `points` 0 it asks whether one more would pass, by the same statement.
   */
  async takeShared(
    db: Db,
    name: DurableLimitName,
    key: string,
    { share, points: taken }: { share: number; points: 0 | 1 },
  ): Promise<{ used: number; of: number }> {
    await this.sweep(db)
    const { by, points, seconds }: DurableLimit = durable[name]
    const all = points * this.factors[by]
    const of = Math.ceil(all * share)
    const now = Date.now()
    const [at, end] = [new Date(now).toISOString(), new Date(now + seconds * 1000).toISOString()]
    const rows = await rowsOf(
      { db },
      sql`
      insert into limit_counts as c (key, points, expire) values (${`${name}:${key}`}, ${taken}::int, ${end}::timestamptz)
      on conflict (key) do update set points = case when c.expire <= ${at}::timestamptz then excluded.points else c.points + excluded.points end,
        expire = case when c.expire <= ${at}::timestamptz then excluded.expire else c.expire end
      where c.expire <= ${at}::timestamptz or c.points < ${of}::int
      returning points`,
      pointsRow,
    )
    if (rows[0]) return { used: rows[0].points, of: all }
    const [full] = await db
      .select({ expire: limitCounts.expire })
      .from(limitCounts)
      .where(eq(limitCounts.key, `${name}:${key}`))
    throw rateLimited((full?.expire?.getTime() ?? now) - now)
  }

  /** By how much the limits of this kind are widened. */
  factorOf(by: DurableLimit['by']): number {
    return this.factors[by]
  }

  /** Clears the count of this key: whoever it counted has proved that they may act. */
  async clearDurable(db: Db, name: DurableLimitName, key: string): Promise<void> {
    await db.delete(limitCounts).where(eq(limitCounts.key, `${name}:${key}`))
  }

  /** Gives back a try that was taken for an act which then could not be examined. */
  async giveBackDurable(db: Db, name: DurableLimitName, key: string, points = 1): Promise<void> {
    await db
      .update(limitCounts)
      .set({ points: sql`greatest(${limitCounts.points} - ${points}::int, 0)` })
      .where(eq(limitCounts.key, `${name}:${key}`))
  }

  private async sweep(db: Db): Promise<void> {
    const now = performance.now()
    if (now - this.swept.at < SWEEP_EVERY_MS) return
    this.swept.at = now
    await db.delete(limitCounts).where(lt(limitCounts.expire, sql`now()`))
  }
}

const isDurable = (name: LimitName | DurableLimitName): name is DurableLimitName => name in durable

const rateLimited = (waitMs: number) => new Problem('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })

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

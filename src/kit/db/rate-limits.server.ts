import ipaddr from 'ipaddr.js'
import { eq, lt, sql } from 'drizzle-orm'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { z } from 'zod'
import type { Db } from '#src/kit/db/db.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { firstRow, rowsOf } from '#src/kit/db/rows.server.ts'
import { limitCounts } from '#src/kit/db/tables.ts'

/**
 * Limits that a restart may reset (api.md L0-L2 and views), counted in this process. `address` counts per IP bucket, `user` per person. People behind
 * one carrier's address share a bucket, so address limits are wide.
 */
const perMinute = {
  lookup: { address: 600, user: 600 },
  read: { address: 1200, user: 300 },
  ownRead: { address: 120, user: 120 },
  view: { address: 60, user: 60 },
  /** Drafts of a long form, saved every few seconds while the person types. */
  autosave: { address: 60, user: 60 },
  /** Parts of a clip: a fast connection uploads a whole clip in a second, in twelve parts. */
  clipPart: { address: 300, user: 150 },
} as const
export type LimitName = keyof typeof perMinute

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/**
 * Limits that survive a restart and apply across all processes (api.md L3 and up), counted in the database. Take them outside the transaction of the
 * act, so that a refused act still counts; quotas (`isQuota`) are the exception. Nothing widens a limit by `key`.
 */
const durable = {
  /** A household subscribes to the newsletter once or twice. More would let attackers fill strangers' mailboxes. */
  newsletter: { by: 'address', points: 3, seconds: DAY_SECONDS, isQuota: true },
  /** L3: all writes of a person. */
  writeMinute: { by: 'user', points: 30, seconds: 60 },
  writeDay: { by: 'user', points: 300, seconds: DAY_SECONDS },
  /** Office desks, where an admin decides hundreds of cases a day by keyboard. */
  deskMinute: { by: 'user', points: 150, seconds: 60 },
  deskDay: { by: 'user', points: 6000, seconds: DAY_SECONDS },
  /** L7: orders, and look-ups of referral codes, so that nobody can guess codes by the hundred. */
  orderMinute: { by: 'user', points: 10, seconds: 60 },
  orderDay: { by: 'user', points: 100, seconds: DAY_SECONDS, isQuota: true },
  discountMinute: { by: 'user', points: 10, seconds: 60 },
  /** L6: uploads. */
  uploadMinute: { by: 'user', points: 10, seconds: 60 },
  uploadDay: { by: 'user', points: 60, seconds: DAY_SECONDS, isQuota: true },
  /** New listings. A shandy trader with a lorry of goats needs about a dozen a day. */
  listMinute: { by: 'user', points: 3, seconds: 60, isQuota: true },
  listDay: { by: 'user', points: 20, seconds: DAY_SECONDS, isQuota: true },
  /** Rows of tables, which become drafts. */
  importDay: { by: 'user', points: 200, seconds: DAY_SECONDS, isQuota: true },
  /** Reviews of sellers, new or changed. */
  reviewDay: { by: 'user', points: 5, seconds: DAY_SECONDS, isQuota: true },
  /** New enquiries. Nobody looks for more different things in a day. */
  enquiryDay: { by: 'user', points: 5, seconds: DAY_SECONDS, isQuota: true },
  /** Support tickets. A person who needs more in a day should call. */
  ticketDay: { by: 'user', points: 5, seconds: DAY_SECONDS, isQuota: true },
  /** Support tickets of a browser without a login. Many people share an address behind a carrier's NAT, so the address limit is wide. */
  ticketBrowser: { by: 'browser', points: 5, seconds: DAY_SECONDS, isQuota: true },
  ticketAddress: { by: 'address', points: 100, seconds: DAY_SECONDS },
  reportDay: { by: 'user', points: 20, seconds: DAY_SECONDS, isQuota: true },
  /** Withdrawn answers to enquiries: each new answer may send the poster another SMS. */
  takeBackDay: { by: 'user', points: 5, seconds: DAY_SECONDS, isQuota: true },
  /** L4: many people share one address behind a carrier's NAT, so these limits are loose. The limits per phone follow below. */
  login: { by: 'address', points: 30, seconds: 600 },
  /** Starts of a registration or a password reset. */
  register: { by: 'address', points: 60, seconds: HOUR_SECONDS },
  otpCheck: { by: 'address', points: 100, seconds: HOUR_SECONDS },
  /**
   * After this many wrong logins for one phone in a day, only an SMS code helps, except in browsers that this person has used before. A correct login
   * resets the count.
   */
  loginPhone: { by: 'key', points: 100, seconds: DAY_SECONDS },
  /** Each change sends an SMS to the phone. */
  passwordChange: { by: 'user', points: 5, seconds: DAY_SECONDS },
  /** One-time codes sent (safety.md §4.3): to one phone, from one browser, from one address, to neighbouring numbers, and in total. */
  otpPhoneMinute: { by: 'phone', points: 1, seconds: 60 },
  otpPhoneQuarter: { by: 'phone', points: 3, seconds: 900 },
  otpPhoneDay: { by: 'phone', points: 10, seconds: DAY_SECONDS },
  otpBrowser: { by: 'browser', points: 5, seconds: HOUR_SECONDS },
  otpAddress: { by: 'address', points: 30, seconds: HOUR_SECONDS },
  otpPrefix: { by: 'phone', points: 20, seconds: HOUR_SECONDS },
  otpAllHour: { by: 'phone', points: 300, seconds: HOUR_SECONDS },
  otpAllDay: { by: 'phone', points: 2000, seconds: DAY_SECONDS },
  /** How often one browser and one address may read "This number is not known here"; after that the text is neutral (safety.md §4.5). */
  unknownBrowser: { by: 'browser', points: 5, seconds: HOUR_SECONDS },
  unknownAddress: { by: 'address', points: 20, seconds: HOUR_SECONDS },
} as const satisfies Record<string, DurableLimit>
export type DurableLimitName = keyof typeof durable

interface DurableLimit {
  /** `phone`: codes for one number, for its neighbours, or for all. `key`: logins of a phone. */
  by: 'address' | 'user' | 'browser' | 'phone' | 'key'
  points: number
  seconds: number
  /** A quota counts successful acts only: a refused act returns its point. All other limits count attempts, refused or not. */
  isQuota?: true
}

/** Points taken from one limit. */
interface Taken {
  name: DurableLimitName
  key: string
  points: number
}

/** The counted party: a person, or else an address bucket. */
interface Who {
  userId: number | null
  address: string
}

const SWEEP_EVERY_MS = 3_600_000

const countRow = z.object({ points: z.number(), end_ms: z.number() })

const pointsRow = z.object({ points: z.number() })

export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterMemory>()
  private readonly factors: Record<DurableLimit['by'], number>
  private readonly swept = { at: -Infinity }
  /** Set on a copy for one request (`ofRequest`): the quotas that the request took. */
  private taken: Taken[] | null = null

  /** Multipliers of the limits by address, by person or browser, and by phone (`rateLimitFactors`, env.server.ts). */
  constructor(addressFactor: number, userFactor = 1, phoneFactor = 1) {
    this.factors = { address: addressFactor, user: userFactor, browser: userFactor, phone: phoneFactor, key: 1 }
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

  /**
   * Takes limits of both kinds in order and stops at the first refusal. A name listed twice counts two points. All database limits cost one
   * statement.
   */
  async takeAll(db: Db, names: readonly (LimitName | DurableLimitName)[], who: Who): Promise<void> {
    const lasting: Taken[] = []
    for (const name of names) {
      if (!isDurable(name)) await this.take(name, who)
      else {
        const key = durable[name].by === 'user' && who.userId !== null ? String(who.userId) : who.address
        const same = lasting.find((one) => one.name === name)
        // One statement can write a row only once, so add up the points of a repeated name.
        if (same) same.points += 1
        else lasting.push({ name, key, points: 1 })
      }
    }
    await this.count(db, lasting)
  }

  /** Takes one database limit by its key. Returns the used points and the allowed points. */
  async takeDurable(db: Db, name: DurableLimitName, key: string): Promise<{ used: number; of: number }> {
    return firstRow(await this.count(db, [{ name, key, points: 1 }]))
  }

  /**
   * One atomic upsert per limit, chained into one statement, so a burst over several processes passes exactly the allowed number. A window starts at
   * its first take; refusals do not prolong it.
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
    const counters = limits.map((_, n) => sql`select points, end_ms from ${sql.raw(`taken_${n}`)}`)
    const rows = await rowsOf({ db }, sql`with ${sql.join(steps, sql`, `)} ${sql.join(counters, sql` union all `)}`, countRow)
    const counts = rows.map(({ points, end_ms }, n) => {
      if (points > limits[n]!.of) throw rateLimited(end_ms - now)
      return { used: points, of: limits[n]!.of }
    })
    this.taken?.push(...wanted.filter(({ name }) => (durable[name] as DurableLimit).isQuota))
    return counts
  }

  /** Returns the same limits for one request, with a memory of the quotas that it takes. */
  ofRequest(): RateLimits {
    const limits = Object.create(this) as RateLimits
    limits.taken = []
    return limits
  }

  /** For a refused request: returns the quotas that it took. */
  async giveBackQuotas(db: Db): Promise<void> {
    for (const { name, key, points } of this.taken?.splice(0) ?? []) await this.giveBackDurable(db, name, key, points)
  }

  /**
   * Takes from a limit that several kinds of requesters share: this one may fill `share` of it. Refused attempts do not count here; otherwise one
   * requester could use up the share of the others. With `points` 0, the same statement checks whether one more would pass.
   */
  async takeShared(
    db: Db,
    name: DurableLimitName,
    key: string,
    { share, points: taken }: { share: number; points: 0 | 1 },
  ): Promise<{ used: number; of: number }> {
    await this.sweep(db)
    const { by, points, seconds }: DurableLimit = durable[name]
    const limit = points * this.factors[by]
    const shareOfLimit = Math.ceil(limit * share)
    const now = Date.now()
    const [at, end] = [new Date(now).toISOString(), new Date(now + seconds * 1000).toISOString()]
    const rows = await rowsOf(
      { db },
      sql`
      insert into limit_counts as c (key, points, expire) values (${`${name}:${key}`}, ${taken}::int, ${end}::timestamptz)
      on conflict (key) do update set points = case when c.expire <= ${at}::timestamptz then excluded.points else c.points + excluded.points end,
        expire = case when c.expire <= ${at}::timestamptz then excluded.expire else c.expire end
      where c.expire <= ${at}::timestamptz or c.points < ${shareOfLimit}::int
      returning points`,
      pointsRow,
    )
    if (rows[0]) return { used: rows[0].points, of: limit }
    const [full] = await db
      .select({ expire: limitCounts.expire })
      .from(limitCounts)
      .where(eq(limitCounts.key, `${name}:${key}`))
    throw rateLimited((full?.expire?.getTime() ?? now) - now)
  }

  pointsOf(name: DurableLimitName): number {
    return durable[name].points * this.factors[durable[name].by]
  }

  factorOf(by: DurableLimit['by']): number {
    return this.factors[by]
  }

  /** Deletes the count of this key after its owner has proved their identity. */
  async clearDurable(db: Db, name: DurableLimitName, key: string): Promise<void> {
    await db.delete(limitCounts).where(eq(limitCounts.key, `${name}:${key}`))
  }

  /** Returns a point that was taken for an act which the site then could not examine. */
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

/** One bucket per IPv4 address or IPv6 /64. Trusts only as many X-Forwarded-For entries as there are proxies of ours. */
export function addressBucket(remote: string | undefined, forwardedFor: string | undefined, trustedProxies: number): string {
  const chain = (forwardedFor ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return bucketOf(trustedProxies > 0 ? chain.at(-trustedProxies) : undefined) ?? bucketOf(remote) ?? ''
}

/** Some proxies append the port: `1.2.3.4:567`, `[2001:db8::1]:567`. */
function bucketOf(address = ''): string | null {
  const plain = address
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain) && !ipaddr.IPv6.isValid(plain)) return null
  const parsed = ipaddr.process(plain)
  // The first four groups of an IPv6 address identify one household's network.
  return parsed instanceof ipaddr.IPv6 ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : parsed.toString()
}

/** The two wider networks of an address bucket: IPv6 /56 and /48; the IPv4 /24 twice. */
export function networksOf(bucket: string): [string, string] {
  if (ipaddr.IPv4.isValidFourPartDecimal(bucket)) {
    const network = `${bucket.split('.').slice(0, 3).join('.')}.0/24`
    return [network, network]
  }
  const [a, b, c, d = '0'] = bucket.split(':')
  return [`${a}:${b}:${c}:${(parseInt(d, 16) & 0xff00).toString(16)}/56`, `${a}:${b}:${c}/48`]
}

import { and, eq, gt, or, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { ensureMayTry } from '#src/kit/http/failure-ladder.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { networksOf, type DurableLimitName, type RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { limitCounts } from '#src/kit/db/tables.ts'
import { knownPeople } from '../known-devices.server.ts'
import { otps } from '../tables.ts'
import { waitForShare, type Doubt, type Share } from './unused-codes.server.ts'

/**
 * Rate limits for one-time codes (safety.md §4.3). There are three: per asker, per number over all askers, and the market's SMS budget. The
 * last two reserve a share for askers who have waited and for known browsers, which strangers cannot use up, so that knowing a number is
 * not enough to lock its owner out. Of the budget, each purpose and networks without unused codes have shares of their own
 * (unused-codes.server.ts).
 */
type AskerKind = (typeof otps.$inferSelect)['asker']
type Purpose = (typeof otps.$inferSelect)['purpose']

export interface OtpSite {
  limits: RateLimits
  /** The bucket of the asker's IP address. */
  address: string
  /** The token of the browser's cookie `__Host-known`. */
  known?: string | undefined
}

export interface Asker {
  kind: AskerKind
  /** A person, not necessarily this one, has logged in with this browser before. */
  hasKnownDevice: boolean
  /** Keyed hashes of the address bucket, the network around it and the widest one, 16 bytes each. */
  addressHash: Buffer
  deviceHash: Buffer
  /** Key of the counter of wrong tries. */
  ladder: string
}

/** The share of each common limit that each kind of asker may fill. */
const shares: Record<AskerKind, { phoneDay: number; prefix: number; budget: number }> = {
  stranger: { phoneDay: 0.5, prefix: 0.7, budget: 0.9 },
  waited: { phoneDay: 0.7, prefix: 0.85, budget: 0.9 },
  known: { phoneDay: 1, prefix: 1, budget: 1 },
}
/** Share of a budget above which the log raises an alarm. */
const ALARM_SHARE = 0.5

/** Minimum share of used codes in the last hour; below it an attacker is probably sending SMS to strangers. */
const MIN_USED_SHARE = 0.4
const SLOW_SECONDS = 60
const WAIT_SECONDS = 600
/** Codes per hour from which a bucket with too few used ones is slowed down, and then must wait. */
const breaker = {
  address: { slowFrom: 5, waitFrom: 10 },
  /** An IPv4 /24 or an IPv6 /56. */
  network: { slowFrom: 30, waitFrom: 60 },
  /** An IPv6 /48; of IPv4 the /24 again. */
  wideNetwork: { slowFrom: 60, waitFrom: 120 },
  device: { slowFrom: 3, waitFrom: 4 },
  prefix: { slowFrom: 5, waitFrom: 10 },
}
type Bucket = keyof typeof breaker
/** Codes of a day from which a bucket that uses too few is in doubt. One is enough once it can no longer be used. */
const DOUBT_FROM = 2
const DOUBT_FROM_EXPIRED = 1

/** An asker who was refused at a number and asks again not before this time counts as one who has waited. */
export const PATIENCE_SECONDS = 600
const PATIENCE_KEPT_SECONDS = 3600
/** Refusals with a wait up to this pass through; for a longer one the asker may qualify by waiting. */
const SHORT_WAIT_SECONDS = 120

/** The other purposes need a login or a password. */
const isOfStrangers = (purpose: Purpose) => purpose === 'register' || purpose === 'reset' || purpose === 'sign-in'

/** As long as wrong codes count (retention.server.ts). */
const COUNTED_MS = 180 * 24 * 3_600_000

/**
 * Keyed hash under which counters are stored, so that the database alone reveals no number, address or browser. Uses the key of half a year
 * ago, so that a change of PEPPER resets no counter.
 */
const counterKey = ({ vault, now }: Pick<Ctx, 'vault' | 'now'>, purpose: 'phone' | 'address' | 'device' | 'browser', value: string) =>
  vault.macAsOf(new Date(now.getTime() - COUNTED_MS), purpose, value)

/** The counters' key of a number, also after its account was erased. */
export const phoneKey = (ctx: Pick<Ctx, 'vault' | 'now'>, phone: string): string => counterKey(ctx, 'phone', phone).toString('base64url')

/** The keyed hash of an address bucket, 16 bytes: equal for equal addresses, and useless without the key. */
export const addressKey = (ctx: Pick<Ctx, 'vault' | 'now'>, address: string): Buffer =>
  counterKey(ctx, 'address', address).subarray(0, HASH_BYTES)

/** `isProved`: the number's password was given with the request. */
async function findAsker(
  ctx: Ctx,
  { phone, purpose, browserHash }: { phone: string; purpose: Purpose; browserHash: Buffer },
  { address, known }: OtpSite,
): Promise<Asker> {
  const people = await knownPeople(ctx, known)
  const isOwner = people.some((person) => person.phone === phone)
  const deviceHash =
    people.length > 0 ? counterKey(ctx, 'device', known!) : counterKey(ctx, 'browser', ctx.browserId ?? browserHash.toString('base64url'))
  // The caller has checked the password: for an erasure in the session, for a login just now.
  const isProved = purpose === 'erase' || purpose === 'login'
  const kind: AskerKind = isOwner || isProved ? 'known' : 'stranger'
  const ladder = ladderOf(ctx, phone, kind, isOwner ? deviceHash.toString('base64url') : `proved|${address}`)
  const addressHash = Buffer.concat([address, ...networksOf(address)].map((each) => addressKey(ctx, each)))
  return { kind, hasKnownDevice: people.length > 0, addressHash, deviceHash, ladder }
}

const HASH_BYTES = 16
const isSameHash = (hash: Buffer, n: number) => {
  const at = n * HASH_BYTES
  return sql`substring(${otps.addressHash} from ${sql.raw(String(at + 1))} for ${sql.raw(String(HASH_BYTES))}) = ${hash.subarray(at, at + HASH_BYTES)}`
}

/** All strangers share one counter per number, and so do those who waited; each known browser has its own. */
function ladderOf(ctx: Ctx, phone: string, kind: AskerKind, device = ''): string {
  const key = `otp:${phoneKey(ctx, phone)}`
  return kind === 'stranger' ? key : `${key}|${kind === 'waited' ? 'waited' : device}`
}

/** The codes of the asker's address, networks, browser and number prefix, in the last hour and in the last day. */
type Recent = Record<
  Bucket,
  { sent: number; used: number; lastSecondsAgo: number; sentInDay: number; usedInDay: number; expiredInDay: number }
>

async function findRecent(ctx: Ctx, phone: string, { addressHash, deviceHash }: Asker): Promise<Recent> {
  const prefix = phone.slice(0, -4)
  const of = {
    address: isSameHash(addressHash, 0),
    network: isSameHash(addressHash, 1),
    wideNetwork: isSameHash(addressHash, 2),
    device: sql`${otps.deviceHash} = ${deviceHash}`,
    prefix: sql`left(${otps.phone}, -4) = ${prefix}`,
  }
  const isOfHour = sql`${otps.createdAt} > now() - interval '1 hour'`
  const counted = (bucket: Bucket) => sql<Recent[Bucket]>`json_build_object(
    'sent', count(*) filter (where ${of[bucket]} and ${isOfHour}),
    'used', count(*) filter (where ${of[bucket]} and ${isOfHour} and ${otps.wasUsed}),
    'sentInDay', count(*) filter (where ${of[bucket]}),
    'usedInDay', count(*) filter (where ${of[bucket]} and ${otps.wasUsed}),
    'expiredInDay', count(*) filter (where ${of[bucket]} and not ${otps.wasUsed} and ${otps.expiresAt} <= now()),
    'lastSecondsAgo', coalesce(floor(extract(epoch from now() - max(${otps.createdAt}) filter (where ${of[bucket]}))), 3600))`
  const [recent] = await ctx.db
    .select({
      address: counted('address'),
      network: counted('network'),
      wideNetwork: counted('wideNetwork'),
      device: counted('device'),
      prefix: counted('prefix'),
    })
    .from(otps)
    // An address is part of its networks.
    .where(and(gt(otps.createdAt, sql`now() - interval '1 day'`), or(of.network, of.wideNetwork, of.device, of.prefix)))
  return recent!
}

const isHardlyUsed = (sent: number, used: number) => sent > 0 && used / sent < MIN_USED_SHARE

function doubtOf(recent: Recent, { hasKnownDevice }: Asker, limits: RateLimits): Doubt {
  const factor = limits.factorOf('address')
  const isDoubtful = ({ sentInDay, usedInDay, expiredInDay }: Recent[Bucket]) =>
    (sentInDay >= DOUBT_FROM * factor || expiredInDay >= DOUBT_FROM_EXPIRED * factor) && isHardlyUsed(sentInDay, usedInDay)
  if (hasKnownDevice) return 'none'
  if (isDoubtful(recent.address)) return 'address'
  return isDoubtful(recent.network) || isDoubtful(recent.wideNetwork) ? 'network' : 'none'
}

/** Seconds until this bucket may have its next code; 0: now. */
function waitOf(bucket: Bucket, recent: Recent, limits: RateLimits): number {
  const { sent, used, lastSecondsAgo } = recent[bucket]
  // A demo that widens the limits also widens these.
  const factor = limits.factorOf(bucket === 'device' || bucket === 'prefix' ? 'phone' : 'address')
  const { slowFrom, waitFrom } = breaker[bucket]
  if (!isHardlyUsed(sent, used) || sent < slowFrom * factor) return 0
  return Math.max(0, (sent < waitFrom * factor ? SLOW_SECONDS : WAIT_SECONDS) - lastSecondsAgo)
}

/**
 * Refuses an asker that must wait, whatever the number: RATE_LIMITED. Works as a circuit breaker: when the codes of an address, a network or a
 * browser are hardly used, it requires a minute between two codes, then ten; resets, logged-in people and known browsers are exempt. Also
 * checks the market's budget and the asker's share of it. Call it before anything that depends on whether the number is registered, so that
 * known and unknown numbers get the same answer for the same work.
 */
export async function ensureMaySend(
  ctx: Ctx,
  binding: { phone: string; purpose: Purpose; browserHash: Buffer },
  site: OtpSite,
  share?: Share,
): Promise<{ asker: Asker; recent: Recent }> {
  const { phone, purpose } = binding
  const { limits } = site
  const asker = await findAsker(ctx, binding, site)
  const recent = await findRecent(ctx, binding.phone, asker)
  const buckets = ['address', 'network', 'wideNetwork', 'device'] as const
  if (!isOutsideBreaker(purpose, asker)) refuseFor(ctx, Math.max(...buckets.map((bucket) => waitOf(bucket, recent, limits))))
  if (asker.kind === 'stranger' && isOfStrangers(purpose)) {
    const waiter = `${phoneKey(ctx, phone)}|${ctx.browserId ?? site.address}`
    refuseFor(ctx, await waitForShare(ctx, { limits, share: share ?? purpose, doubt: doubtOf(recent, asker, limits), waiter }))
  }
  await takeBudget(ctx, limits, 0, shares[asker.kind].budget)
  return { asker, recent }
}

const isOutsideBreaker = (purpose: Purpose, { kind, hasKnownDevice }: Asker) =>
  purpose === 'reset' || hasKnownDevice || kind === 'known' || !isOfStrangers(purpose)

function refuseFor(ctx: Ctx, seconds: number): void {
  if (seconds <= 0) return
  ctx.log.warn({ event: 'excess_rate_limit_exceeded', seconds }, 'one-time codes: too many stay unused, the asker must wait')
  throw rateLimited(seconds)
}

/**
 * Takes one code from all limits; RATE_LIMITED with the seconds to wait. Returns the asker with the kind that was counted. Takes the narrow
 * limits first, so that what one browser or number is refused does not use up the shared ones. A pretended code runs the same checks but
 * takes nothing from the limits of real ones.
 *
 * `isSilent`: for a login whose number may have no codes left. The code is then pretended, because a refusal would reveal that the password
 * was right.
 */
export async function takeSend(
  ctx: Ctx,
  binding: { phone: string; purpose: Purpose; browserHash: Buffer },
  site: OtpSite,
  { isPretended, share }: { isPretended: boolean; share?: Share | undefined },
): Promise<{ asker: Asker; isSilent: boolean }> {
  const { purpose } = binding
  const { limits, address } = site
  const { asker, recent } = await ensureMaySend(ctx, binding, site, share)
  await limits.takeDurable(ctx.db, 'otpAddress', address)
  await limits.takeDurable(ctx.db, 'otpBrowser', asker.deviceHash.toString('base64url'))
  let counted = asker
  let isSilent = false
  try {
    // A wrong password must not use up the owner's share.
    counted = await takeAtNumber(ctx, binding, site, asker, recent, isPretended && purpose === 'login' ? 0 : 1)
  } catch (error) {
    if (purpose !== 'login' || !(error instanceof Problem)) throw error
    isSilent = true
  }
  await takeBudget(ctx, limits, isPretended || isSilent ? 0 : 1, shares[counted.kind].budget)
  return { asker: counted, isSilent }
}

/** Takes as a stranger, or, when strangers have used up their share, as an asker who has waited. */
async function takeAtNumber(
  ctx: Ctx,
  binding: { phone: string; purpose: Purpose },
  site: OtpSite,
  asker: Asker,
  recent: Recent,
  points: 0 | 1,
): Promise<Asker> {
  try {
    await takeOf(ctx, binding, site.limits, asker, recent, points)
    return asker
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'RATE_LIMITED' || asker.kind !== 'stranger') throw error
    if ((error.retryAfterSeconds ?? 0) <= SHORT_WAIT_SECONDS) throw error
    if (!(await hasWaited(ctx, binding.phone, site, asker))) throw rateLimited(PATIENCE_SECONDS)
    const patient: Asker = { ...asker, kind: 'waited', ladder: ladderOf(ctx, binding.phone, 'waited') }
    await takeOf(ctx, binding, site.limits, patient, recent, points)
    return patient
  }
}

async function takeOf(
  ctx: Ctx,
  { phone, purpose }: { phone: string; purpose: Purpose },
  limits: RateLimits,
  asker: Asker,
  recent: Recent,
  points: 0 | 1,
): Promise<void> {
  const { kind, ladder } = asker
  await ensureMayTry(ctx.db, ladder)
  if (kind === 'stranger' && !isOutsideBreaker(purpose, asker)) refuseFor(ctx, waitOf('prefix', recent, limits))
  const number = phoneKey(ctx, phone)
  const perKind = kind === 'stranger' ? number : `${number}|${kind}`
  const take = (name: DurableLimitName, key: string, share: number) => limits.takeShared(ctx.db, name, key, { share, points })
  await take('otpPhoneMinute', perKind, 1)
  await take('otpPhoneQuarter', perKind, 1)
  await take('otpPhoneDay', number, shares[kind].phoneDay)
  await take('otpPrefix', phone.slice(0, -4), shares[kind].prefix)
}

/**
 * Whether this browser was refused at this number and asks again after its wait; asking too early restarts the wait. An address that leaves
 * such a code unused gets one a day, because a new cookie must not be enough to wait again.
 */
async function hasWaited(ctx: Ctx, phone: string, { address }: OtpSite, { addressHash }: Asker): Promise<boolean> {
  const key = `otpWait:${phoneKey(ctx, phone)}|${ctx.browserId ?? address}`
  const [asked] = await ctx.db
    .insert(limitCounts)
    .values({ key, points: 0, expire: inSeconds(PATIENCE_KEPT_SECONDS) })
    .onConflictDoUpdate({
      target: limitCounts.key,
      set: {
        points: sql`case when ${limitCounts.expire} between now() and ${inSeconds(PATIENCE_KEPT_SECONDS - PATIENCE_SECONDS)} then 1 else 0 end`,
        expire: inSeconds(PATIENCE_KEPT_SECONDS),
      },
    })
    .returning({ hasWaited: sql<boolean>`${limitCounts.points} = 1` })
  if (!asked!.hasWaited) return false
  const unused = and(
    eq(otps.phone, phone),
    eq(otps.addressHash, addressHash),
    eq(otps.asker, 'waited'),
    eq(otps.wasUsed, false),
    gt(otps.createdAt, sql`now() - interval '1 day'`),
  )
  return (await ctx.db.$count(otps, unused)) === 0
}

/** The market's SMS budget per hour and per day. */
async function takeBudget(ctx: Ctx, limits: RateLimits, points: 0 | 1, share: number): Promise<void> {
  const take = async (name: DurableLimitName) => {
    const { used, of } = await limits.takeShared(ctx.db, name, 'all', { share, points })
    if (points && used === Math.ceil(of * ALARM_SHARE))
      ctx.log.error({ limit: name, used, of }, 'one-time codes: half of the budget is used')
  }
  await take('otpAllDay')
  try {
    await take('otpAllHour')
  } catch (error) {
    if (points) await limits.giveBackDurable(ctx.db, 'otpAllDay', 'all')
    throw error
  }
}

const inSeconds = (seconds: number) => sql`now() + make_interval(secs => ${sql.raw(String(seconds))})`

const rateLimited = (retryAfterSeconds: number) => new Problem('RATE_LIMITED', { retryAfterSeconds })

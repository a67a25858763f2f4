import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { knownDevices, sessions, users } from '#src/accounts/tables.ts'

/**
 * Known browsers: those with which a person has logged in (safety.md §4.3). The cookie `__Host-known` holds a token, the table its hash.
 * The token grants no access: it keeps strangers' tries from locking the owner out, and tells a new browser from a known one.
 */
const isToken = (token: string | undefined): token is string => token !== undefined && /^[\w-]{43}$/.test(token)
export const deviceTokenHash = (token: string) => createHash('sha256').update(`known:${token}`).digest()

/**
 * Above these numbers, the least recently used browser of the same kind is dropped. Who knows the password alone fills a few places, and
 * pushes out no browser that proved a code (decision 0121).
 */
const MAX_PROVED = 20
const MAX_BY_PASSWORD = 5
/** Days since the last login with the browser. */
export const KNOWN_DAYS = 365
/** SMS per day about logins from new browsers; without a limit an attacker could make us send many. */
const NOTIFIED_A_DAY = 5
const NEW_DEVICE_TEMPLATE = 'login-new-device'

/** The people for whom this browser is known. */
export async function knownPeople(ctx: Ctx, token: string | undefined): Promise<{ id: number; phone: string }[]> {
  if (!isToken(token)) return []
  return ctx.db
    .select({ id: users.id, phone: users.phone })
    .from(knownDevices)
    .innerJoin(users, eq(users.id, knownDevices.userId))
    .where(and(eq(knownDevices.tokenHash, deviceTokenHash(token)), users.isActive))
}

/**
 * Records a login with this browser, inside the transaction of the login. A browser known to any person keeps its token; others get one.
 * `isProved`: a code to the person's number was right. `isNews`: the browser is new to this person, who gets an SMS.
 */
export async function noteDevice(
  ctx: Ctx,
  userId: number,
  token: string | undefined,
  isProved: boolean,
): Promise<{ token: string; hash: Buffer; isNews: boolean }> {
  const isInUse = isToken(token) && (await ctx.db.$count(knownDevices, eq(knownDevices.tokenHash, deviceTokenHash(token)))) > 0
  const deviceToken = isInUse ? token : randomBytes(32).toString('base64url')
  const hash = deviceTokenHash(deviceToken)
  const [seen] = await ctx.db
    .insert(knownDevices)
    .values({ tokenHash: hash, userId, isProved })
    .onConflictDoUpdate({
      target: [knownDevices.tokenHash, knownDevices.userId],
      set: { seenAt: sql`now()`, isProved: sql`${knownDevices.isProved} or ${isProved}` },
    })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  // Counts messages, because a browser that lost its place leaves no row.
  const sentToday = and(
    eq(outbox.userId, userId),
    eq(outbox.template, NEW_DEVICE_TEMPLATE),
    gt(outbox.createdAt, sql`now() - interval '1 day'`),
  )
  const isNews = seen!.isNew && (await ctx.db.$count(outbox, sentToday)) < NOTIFIED_A_DAY
  const ofKind = and(eq(knownDevices.userId, userId), eq(knownDevices.isProved, isProved))
  const newest = ctx.db
    .select({ tokenHash: knownDevices.tokenHash })
    .from(knownDevices)
    .where(ofKind)
    .orderBy(desc(knownDevices.seenAt), desc(knownDevices.tokenHash))
    .limit(isProved ? MAX_PROVED : MAX_BY_PASSWORD)
  await ctx.db.delete(knownDevices).where(and(ofKind, sql`${knownDevices.tokenHash} not in ${newest}`))
  return { token: deviceToken, hash, isNews }
}

export async function forgetDevice(ctx: Ctx, userId: number, hash: Buffer): Promise<void> {
  await ctx.db.delete(knownDevices).where(and(eq(knownDevices.userId, userId), eq(knownDevices.tokenHash, hash)))
}

/** Drops all known browsers of a person except that of this session. */
export async function forgetDevicesOf(ctx: Ctx, userId: number, exceptSessionId: number | null): Promise<void> {
  const ownDevice = ctx.db
    .select({ hash: sessions.deviceHash })
    .from(sessions)
    .where(and(eq(sessions.id, exceptSessionId ?? 0), sql`${sessions.deviceHash} is not null`))
  await ctx.db.delete(knownDevices).where(and(eq(knownDevices.userId, userId), sql`${knownDevices.tokenHash} not in ${ownDevice}`))
}

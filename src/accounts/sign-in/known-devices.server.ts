import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { knownDevices, sessions, users } from '#src/accounts/tables.ts'

/**
 * Known browsers: those that somebody has logged in with (safety.md §4.3). Each has a token in the cookie `__Host-known`; its hash is here.
 * It grants no access: it keeps strangers' tries from locking the owner out, and distinguishes a new browser from a known one.
 */
const isToken = (token: string | undefined): token is string => token !== undefined && /^[\w-]{43}$/.test(token)
export const deviceTokenHash = (token: string) => createHash('sha256').update(`known:${token}`).digest()

/** More browsers than a family has; beyond that the least recently used is forgotten. */
const MAX_DEVICES = 20
/** Days since the last login with it. */
export const KNOWN_DAYS = 365
/** Logins from new browsers per day that cause an SMS: without a limit somebody could make us send many. */
const NOTIFIED_A_DAY = 5

/** The people who have logged in with this browser and have not ended that since. */
export async function knownPeople(ctx: Ctx, token: string | undefined): Promise<{ id: number; phone: string }[]> {
  if (!isToken(token)) return []
  return ctx.db
    .select({ id: users.id, phone: users.phone })
    .from(knownDevices)
    .innerJoin(users, eq(users.id, knownDevices.userId))
    .where(and(eq(knownDevices.tokenHash, deviceTokenHash(token)), users.isActive))
}

/**
 * Records a login of this person with this browser, within the transaction of the login. A browser known to anybody keeps its token, any
 * other gets one. `isNews`: it was new to this person, who is to be notified.
 */
export async function noteDevice(
  ctx: Ctx,
  userId: number,
  token: string | undefined,
): Promise<{ token: string; hash: Buffer; isNews: boolean }> {
  const isInUse = isToken(token) && (await ctx.db.$count(knownDevices, eq(knownDevices.tokenHash, deviceTokenHash(token)))) > 0
  const kept = isInUse ? token : randomBytes(32).toString('base64url')
  const hash = deviceTokenHash(kept)
  const [seen] = await ctx.db
    .insert(knownDevices)
    .values({ tokenHash: hash, userId })
    .onConflictDoUpdate({ target: [knownDevices.tokenHash, knownDevices.userId], set: { seenAt: sql`now()` as never } })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  const today = and(eq(knownDevices.userId, userId), gt(knownDevices.createdAt, sql`now() - interval '1 day'`))
  const isNews = seen!.isNew && (await ctx.db.$count(knownDevices, today)) <= NOTIFIED_A_DAY
  if (seen!.isNew) {
    const newest = ctx.db
      .select({ tokenHash: knownDevices.tokenHash })
      .from(knownDevices)
      .where(eq(knownDevices.userId, userId))
      .orderBy(desc(knownDevices.seenAt))
      .limit(MAX_DEVICES)
    await ctx.db.delete(knownDevices).where(and(eq(knownDevices.userId, userId), sql`${knownDevices.tokenHash} not in ${newest}`))
  }
  return { token: kept, hash, isNews }
}

export async function forgetDevice(ctx: Ctx, userId: number, hash: Buffer): Promise<void> {
  await ctx.db.delete(knownDevices).where(and(eq(knownDevices.userId, userId), eq(knownDevices.tokenHash, hash)))
}

/** Forgets all of somebody's known browsers but the one of this session. */
export async function forgetDevicesOf(ctx: Ctx, userId: number, exceptSessionId: number | null): Promise<void> {
  const kept = ctx.db
    .select({ hash: sessions.deviceHash })
    .from(sessions)
    .where(and(eq(sessions.id, exceptSessionId ?? 0), sql`${sessions.deviceHash} is not null`))
  await ctx.db.delete(knownDevices).where(and(eq(knownDevices.userId, userId), sql`${knownDevices.tokenHash} not in ${kept}`))
}

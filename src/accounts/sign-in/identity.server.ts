import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import Bowser from 'bowser'
import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Env } from '#src/kit/env.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import type { OtpSite } from './otp.server.ts'
import { ADMIN_TYPE } from './rules.ts'
import { startSession } from './sessions.server.ts'
import { users } from './tables.ts'

/** From where somebody registers, logs in or resets: what the doors know of the request. */
export interface Door extends OtpSite {
  env: Pick<Env, 'mode' | 'authEnumeration'>
  /** For the list of sessions: which browser on which system. */
  userAgent: string
  /** The session this browser has, good or not; it ends when another begins. */
  oldToken: string | undefined
  /** What `knownMark` gave this browser when somebody last logged in with it. */
  known?: string | undefined
}

/** Who is logged in now, and the token for the cookie. */
export interface LoggedIn {
  user: Pick<typeof users.$inferSelect, 'id' | 'name' | 'phone' | 'typeId' | 'referralCode'>
  token: string
  /** An admin of a live site has still to give the code of his authenticator. */
  awaitsTotp: boolean
}

/** The cookies `__Host-reg` and `__Host-rst` bind a registration or reset to the browser that began it. */
export const newBrowserToken = () => randomBytes(32).toString('base64url')
export const browserHashOf = (token: string) => createHash('sha256').update(token).digest()

/** The browser as its owner would name it: "Chrome · Android". Nothing else of the header is kept. */
function deviceOf(userAgent: string): string {
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500) || '-')
  return [browser.name, os.name].filter(Boolean).join(' · ').slice(0, 60)
}

/**
 * Whether this browser may be told that a number is known here, or is not (safety.md §4.5): some times an hour, so that a person
 * with a typing error is helped and a list of numbers is not worth asking for.
 */
export async function mayTellPhone(ctx: Ctx, { env, limits, address }: Door): Promise<boolean> {
  if (env.authEnumeration === 'uniform') return false
  try {
    await limits.takeDurable(ctx.db, 'unknownAddress', address)
    await limits.takeDurable(ctx.db, 'unknownBrowser', ctx.browserId ?? address)
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'RATE_LIMITED') return false
    throw error
  }
}

/** Whether somebody has registered with this number. */
export async function isRegistered(ctx: Ctx, phone: string): Promise<boolean> {
  return (await ctx.db.$count(users, eq(users.phone, phone))) > 0
}

export const phoneTaken = () => new Problem('PHONE_TAKEN', { fields: [{ field: 'phone', message: 'field_phone_taken' }] })

/**
 * For the cookie `__Host-known`: this browser has logged in as this person before. It opens nothing; it only keeps others' wrong
 * passwords from shutting the owner out.
 */
export const knownMark = ({ vault }: Pick<Ctx, 'vault'>, userId: number): string => vault.mac('known', String(userId)).toString('base64url')

export function isKnown(ctx: Ctx, userId: number, { known = '' }: Door): boolean {
  const [given, right] = [Buffer.from(known), Buffer.from(knownMark(ctx, userId))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** In the transaction that proves who it is. */
export async function logIn(ctx: Ctx, user: LoggedIn['user'], door: Door): Promise<LoggedIn> {
  const awaitsTotp = user.typeId === ADMIN_TYPE && door.env.mode === 'live'
  const token = await startSession(ctx, user, { device: deviceOf(door.userAgent), oldToken: door.oldToken, awaitsTotp })
  ctx.log.info({ event: 'authn_login_success', user: user.id }, 'logged in')
  const { id, name, phone, typeId, referralCode } = user
  return { user: { id, name, phone, typeId, referralCode }, token, awaitsTotp }
}

/** The viewer as login answers him. */
export async function getIdentity(ctx: Ctx): Promise<LoggedIn['user']> {
  const { id, name, phone, typeId, referralCode } = users
  const [user] = await ctx.db
    .select({ id, name, phone, typeId, referralCode })
    .from(users)
    .where(eq(id, ctx.viewer?.id ?? 0))
  if (!user) throw notFound()
  return user
}

import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { noteDevice } from '../known-devices.server.ts'
import { smsTo } from '#src/accounts/notifications/receivers.server.ts'
import { deviceOf } from '../device-name.server.ts'
import { ADMIN_TYPE } from '../rules.ts'
import { startSession } from '../sessions.server.ts'
import { users } from '../tables.ts'
import type { OtpSite } from './otp-limits.server.ts'

/** The client of a registration, login or reset, as pages and API know it from the request. */
export interface AuthClient extends OtpSite {
  env: Pick<Env, 'mode' | 'authEnumeration'>
  /** For the list of sessions: browser and system. */
  userAgent: string
  /** This browser's session token, valid or not; that session ends when a new one begins. */
  oldToken: string | undefined
  /** The token of `__Host-rst`: this browser has requested a code to log in or for a new password. */
  proof?: string | undefined
}

export interface LoggedIn {
  user: Pick<typeof users.$inferSelect, 'id' | 'name' | 'phone' | 'typeId' | 'referralCode'>
  token: string
  /** For the cookie `__Host-known`. */
  deviceToken: string
  /** An admin of a live site still has to give the code of their authenticator. */
  awaitsTotp: boolean
}

/** The cookies `__Host-reg` and `__Host-rst` bind a registration or reset to the browser that began it. */
export const newBrowserToken = () => randomBytes(32).toString('base64url')

/**
 * Takes from the rate limit for answers that reveal whether a number is registered (safety.md §4.5): a few per hour, which helps a person
 * with a typing error and makes testing a list of numbers useless.
 */
export async function mayRevealPhone(ctx: Ctx, { env, limits, address }: AuthClient): Promise<boolean> {
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

export async function isRegistered(ctx: Ctx, phone: string): Promise<boolean> {
  return (await ctx.db.$count(users, eq(users.phone, phone))) > 0
}

export const phoneTaken = () => new Problem('PHONE_TAKEN', { fields: [{ field: 'phone', message: 'field_phone_taken' }] })

/**
 * Logs in; call it in the transaction that proves the identity. `notifies`: sends an SMS when the browser is new to this person; not needed
 * when another message does that or the account is new. `isByPassword`: the password was right. `isByCode`: a code to the number was right
 * just now, which counts as a proof for a while (`requireOwnPassword`).
 */
export async function logIn(
  ctx: Ctx,
  user: LoggedIn['user'] & { locale: Locale },
  client: AuthClient,
  { notifies = true, isByPassword = false, isByCode = false, isProved = true } = {},
): Promise<LoggedIn> {
  const awaitsTotp = user.typeId === ADMIN_TYPE && client.env.mode === 'live'
  const known = await noteDevice(ctx, user.id, client.known, isProved)
  const device = deviceOf(client.userAgent)
  const token = await startSession(ctx, user, {
    device,
    deviceHash: known.hash,
    oldToken: client.oldToken,
    awaitsTotp,
    isByPassword,
    isByCode,
  })
  ctx.log.info({ event: 'authn_login_success', user: user.id }, 'logged in')
  if (notifies && known.isNews) {
    const shown = device || m.profile_session_unknown({}, { locale: user.locale })
    await queueMessage(
      ctx,
      smsTo(user, 'login-new-device', { device: shown }, m.sms_login_new_device({ device: shown }, { locale: user.locale })),
    )
  }
  const { id, name, phone, typeId, referralCode } = user
  return { user: { id, name, phone, typeId, referralCode }, token, deviceToken: known.token, awaitsTotp }
}

/** The viewer in the form of a login's answer. */
export async function getIdentity(ctx: Ctx): Promise<LoggedIn['user']> {
  const { id, name, phone, typeId, referralCode } = users
  const [user] = await ctx.db
    .select({ id, name, phone, typeId, referralCode })
    .from(users)
    .where(eq(id, ctx.viewer?.id ?? 0))
  if (!user) throw notFound()
  return user
}

import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { claimTry, clearFailures, giveTryBack, loginLadder } from '#src/kit/failure-ladder.server.ts'
import { queueMessage } from '#src/kit/outbox.server.ts'
import { hashPassword, verifyPassword } from '#src/kit/passwords.server.ts'
import { Problem } from '#src/kit/problem.ts'
import type { RateLimits } from '#src/kit/rate-limits.server.ts'
import { m } from '#src/paraglide/messages.js'
import { browserHashOf, isKnown, logIn, mayTellPhone, newBrowserToken, type Door, type LoggedIn } from './identity.server.ts'
import { consumeOtp, proveOtp, RESEND_SECONDS, sendOtp, type OtpSent } from './otp.server.ts'
import { ensureUncommon } from './password-rules.server.ts'
import { endSessionsOf } from './sessions.server.ts'
import { otps, users } from './tables.ts'
import { smsTo, type Receiver } from './receivers.server.ts'

/**
 * LOGIN_FAILED, the same and after the same time, for a wrong password, an unknown phone and a deactivated account.
 * RATE_LIMITED while the phone rests, for this address, after wrong ones; UNAVAILABLE when too many log in at once.
 */
export async function login(ctx: Ctx, input: { phone: string; password: string }, door: Door): Promise<LoggedIn> {
  const { phone, password } = input
  const ladder = `login:${phone}|${door.address}`
  const claimed = await claimTry(ctx.db, ladder, loginLadder)
  const [user] = await ctx.db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.phone, phone), users.isActive))
  // Nobody is locked out by others' tries: his own browsers do not know this cap, elsewhere a code by SMS still opens, and that is
  // what the text of LOGIN_FAILED says.
  const isCapped = !user || !isKnown(ctx, user.id, door)
  if (isCapped && !(await mayTryPassword(ctx, phone, door))) throw new Problem('LOGIN_FAILED')
  const { isRight, isOutdated } = await verifyPassword(ctx.vault, user?.passwordHash ?? null, password).catch(async (error: unknown) => {
    await giveTryBack(ctx.db, ladder, claimed)
    if (isCapped) await door.limits.giveBackDurable(ctx.db, 'loginPhone', phone)
    throw error
  })
  if (!user || !isRight) {
    ctx.log.info({ event: 'authn_login_fail', user: user?.id ?? null }, 'login failed')
    throw new Problem('LOGIN_FAILED')
  }
  await clearFailures(ctx.db, ladder)
  await door.limits.clearDurable(ctx.db, 'loginPhone', phone)
  const newHash = isOutdated ? await hashPassword(ctx.vault, password) : null
  return inTransaction(ctx, async (ctx) => {
    // Since the password was looked at, a reset may have ended all sessions: this one must not begin behind its back.
    const [now] = await ctx.db
      .select()
      .from(users)
      .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash), users.isActive))
      .for('no key update')
    if (!now) throw new Problem('LOGIN_FAILED')
    if (newHash) await ctx.db.update(users).set({ passwordHash: newHash }).where(eq(users.id, now.id))
    return logIn(ctx, now, door)
  })
}

async function mayTryPassword(ctx: Ctx, phone: string, { limits }: Door): Promise<boolean> {
  try {
    await limits.takeDurable(ctx.db, 'loginPhone', phone)
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'RATE_LIMITED') return false
    throw error
  }
}

/**
 * Sends a code for a new password. `token` is for the `__Host-rst` cookie. PHONE_UNKNOWN within the budget of such answers;
 * beyond it the answer is that of a known number, and no SMS goes out.
 */
export async function startReset(ctx: Ctx, phone: string, door: Door): Promise<{ token: string; otp: OtpSent }> {
  const token = newBrowserToken()
  const [user] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.phone, phone), users.isActive))
  if (!user && (await mayTellPhone(ctx, door)))
    throw new Problem('PHONE_UNKNOWN', { fields: [{ field: 'phone', message: 'field_phone_unknown' }] })
  const binding = { phone, purpose: 'reset', browserHash: browserHashOf(token) } as const
  return { token, otp: await sendOtp(ctx, binding, door, { isPretended: !user }) }
}

/** The reset this browser has begun, while its code is live. */
export async function findReset(ctx: Ctx, token: string | undefined): Promise<{ phone: string; resendInSeconds: number } | null> {
  if (!token) return null
  const [row] = await ctx.db
    .select({
      phone: otps.phone,
      resendInSeconds: sql<number>`greatest(0, ceil(extract(epoch from ${otps.createdAt} + make_interval(secs => ${RESEND_SECONDS}) - now())))::int`,
    })
    .from(otps)
    .where(and(eq(otps.browserHash, browserHashOf(token)), eq(otps.purpose, 'reset'), isNull(otps.endedAt), gt(otps.expiresAt, sql`now()`)))
  return row ?? null
}

/** The new password holds, every session ends, this browser is logged in, and the phone is told. OTP_WRONG, OTP_EXPIRED. */
export async function finishReset(
  ctx: Ctx,
  input: { phone: string; code: string; password: string },
  token: string | undefined,
  door: Door,
): Promise<LoggedIn> {
  const { phone, password } = input
  // Before the code is tried: a password that cannot be taken must not cost a try.
  await ensureUncommon(password, input)
  const otpId = await proveOtp(ctx, { phone, purpose: 'reset', browserHash: browserHashOf(token ?? '') }, input.code)
  const passwordHash = await hashPassword(ctx.vault, password)
  return inTransaction(ctx, async (ctx) => {
    await consumeOtp(ctx, otpId)
    const [user] = await ctx.db
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.phone, phone), users.isActive))
      .returning()
    if (!user) throw new Problem('OTP_EXPIRED')
    await notePasswordChange(ctx, user)
    await endSessionsOf(ctx, user.id)
    return logIn(ctx, user, door)
  })
}

/**
 * For who is logged in and knows the old one; all other sessions end. PASSWORD_WRONG, also when it was changed meanwhile;
 * RATE_LIMITED after five a day.
 */
export async function changePassword(ctx: Ctx, input: { oldPassword: string; newPassword: string }, limits: RateLimits): Promise<void> {
  const user = await requireOwnPassword(ctx, input.oldPassword, 'oldPassword')
  await ensureUncommon(input.newPassword, user, 'newPassword')
  await limits.takeDurable(ctx.db, 'passwordChange', String(user.id))
  const passwordHash = await hashPassword(ctx.vault, input.newPassword)
  await inTransaction(ctx, async (ctx) => {
    const [changed] = await ctx.db
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash)))
      .returning()
    if (!changed) throw passwordWrong('oldPassword')
    await notePasswordChange(ctx, changed)
    await endSessionsOf(ctx, user.id, ctx.sessionId)
  })
}

/** For what is too grave for a phone left on a table: the viewer's row, if this is his password. PASSWORD_WRONG, RATE_LIMITED. */
export async function requireOwnPassword(ctx: Ctx, password: string, field = 'password'): Promise<typeof users.$inferSelect> {
  const id = ctx.viewer?.id ?? 0
  const ladder = `password:${id}`
  const claimed = await claimTry(ctx.db, ladder, loginLadder)
  const [user] = await ctx.db.select().from(users).where(eq(users.id, id))
  const { isRight } = await verifyPassword(ctx.vault, user?.passwordHash ?? null, password).catch(async (error: unknown) => {
    await giveTryBack(ctx.db, ladder, claimed)
    throw error
  })
  if (!user || !isRight) throw passwordWrong(field)
  await clearFailures(ctx.db, ladder)
  return user
}

const passwordWrong = (field: string) => new Problem('PASSWORD_WRONG', { fields: [{ field, message: 'field_password_wrong' }] })

async function notePasswordChange(ctx: Ctx, user: Receiver): Promise<void> {
  await audit(ctx, 'authn_password_change', `user:${user.id}`)
  await queueMessage(ctx, smsTo(user, 'password-changed', {}, m.sms_password_changed({}, { locale: user.locale })))
}

import { and, eq, isNull, sql } from 'drizzle-orm'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { claimTry, clearFailures, giveTryBack, loginLadder } from '#src/kit/http/failure-ladder.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { hashPassword, verifyPassword } from '#src/kit/passwords.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import type { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { m } from '#src/paraglide/messages.js'
import { deviceTokenHash, knownPeople } from '../known-devices.server.ts'
import { hashOfToken, endSessionsOf, hasFreshProof } from '../sessions.server.ts'
import { otps, users } from '../tables.ts'
import { smsTo, type Receiver } from '#src/accounts/notifications/receivers.server.ts'
import { logIn, mayRevealPhone, newBrowserToken, type AuthClient, type LoggedIn } from './identity.server.ts'
import { ensureMaySend, phoneKey } from './otp-limits.server.ts'
import { consumeOtp, isLiveCode, proveOtp, RESEND_SECONDS, sendOtp, type OtpSent } from './otp.server.ts'
import { ensureUncommon } from './password-rules.server.ts'

/** After too many wrong passwords today the number needs a code as well. Right and wrong passwords get this same answer. */
export interface CodeNeeded {
  needsCode: true
  /** For the `__Host-rst` cookie. */
  token: string
}

/**
 * LOGIN_FAILED, with the same text and duration, for a wrong password, an unknown phone and a deactivated account. RATE_LIMITED while wrong
 * tries block this browser if it is known, else its IP address. UNAVAILABLE when too many people log in at once. Other people's wrong tries
 * never lock the owner out: after a hundred in a day an unknown browser needs a code, which is sent when the password was right; a known
 * browser logs in as usual.
 */
export async function login(ctx: Ctx, input: { phone: string; password: string }, client: AuthClient): Promise<LoggedIn | CodeNeeded> {
  const { phone, password } = input
  const number = phoneKey(ctx, phone)
  const isKnown = (await knownPeople(ctx, client.known)).some((person) => person.phone === phone)
  const ladder = `login:${number}|${isKnown ? deviceKey(client.known!) : client.address}`
  const claimed = await claimTry(ctx.db, ladder, loginLadder)
  const [user] = await ctx.db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.phone, phone), users.isActive))
  const needsCode = !isKnown && !(await mayTryPassword(ctx, number, client))
  const { isRight, isOutdated } = await verifyPassword(ctx.vault, user?.passwordHash ?? null, password).catch(async (error: unknown) => {
    await giveTryBack(ctx.db, ladder, claimed)
    if (!isKnown) await client.limits.giveBackDurable(ctx.db, 'loginPhone', number)
    throw error
  })
  if (needsCode) return { needsCode, token: await askForCode(ctx, phone, user !== undefined && isRight, client) }
  if (!user || !isRight) {
    ctx.log.info({ event: 'authn_login_fail', user: user?.id ?? null }, 'login failed')
    throw new Problem('LOGIN_FAILED')
  }
  await clearFailures(ctx.db, ladder)
  // A success from a known browser says nothing about strangers' tries.
  if (!isKnown) await client.limits.clearDurable(ctx.db, 'loginPhone', number)
  const newHash = isOutdated ? await hashPassword(ctx.vault, password) : null
  return inTransaction(ctx, async (ctx) => {
    // Read again under a lock: a reset may have ended all sessions since the password was checked.
    const [now] = await ctx.db
      .select()
      .from(users)
      .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash!), users.isActive))
      .for('no key update')
    if (!now) throw new Problem('LOGIN_FAILED')
    if (newHash) await ctx.db.update(users).set({ passwordHash: newHash }).where(eq(users.id, now.id))
    return logIn(ctx, now, client, { isByPassword: true, isProved: false })
  })
}

const deviceKey = (token: string) => deviceTokenHash(token).toString('base64url')

async function mayTryPassword(ctx: Ctx, number: string, { limits }: AuthClient): Promise<boolean> {
  try {
    await limits.takeDurable(ctx.db, 'loginPhone', number)
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'RATE_LIMITED') return false
    throw error
  }
}

/**
 * Right and wrong passwords get the same answer: for a wrong one, or when the number has no codes left today, the code is only pretended. A
 * double submit of this browser sends no second code.
 */
async function askForCode(ctx: Ctx, phone: string, isRight: boolean, client: AuthClient): Promise<string> {
  const asked = isRight ? await findChallenge(ctx, client.proof) : null
  if (asked?.phone === phone && asked.isSent) return client.proof!
  const token = newBrowserToken()
  const binding = { phone, purpose: 'login', browserHash: hashOfToken(token) } as const
  ctx.log.info({ event: 'authn_login_fail_max' }, 'login asks for a code')
  await sendOtp(ctx, binding, client, { isPretended: !isRight })
  return token
}

/** This browser's login that waits for its code. */
async function findChallenge(ctx: Ctx, token: string | undefined): Promise<{ phone: string; isSent: boolean } | null> {
  if (!token) return null
  const [row] = await ctx.db
    .select({ phone: otps.phone, isSent: sql<boolean>`${otps.salt} <> ''::bytea` })
    .from(otps)
    .where(and(eq(otps.browserHash, hashOfToken(token)), eq(otps.purpose, 'login'), isLiveCode))
  return row ?? null
}

export const isLoginWaiting = async (ctx: Ctx, token: string | undefined): Promise<boolean> => (await findChallenge(ctx, token)) !== null

/** Finishes a login that needed a code. OTP_WRONG, OTP_EXPIRED. */
export async function finishLogin(ctx: Ctx, code: string, token: string | undefined, client: AuthClient): Promise<LoggedIn> {
  const challenge = await findChallenge(ctx, token)
  if (!token || !challenge) throw new Problem('OTP_EXPIRED')
  const { phone } = challenge
  const otpId = await proveOtp(ctx, { phone, purpose: 'login', browserHash: hashOfToken(token) }, code)
  return inTransaction(ctx, async (ctx) => {
    await consumeOtp(ctx, otpId)
    const [user] = await ctx.db
      .select()
      .from(users)
      .where(and(eq(users.phone, phone), users.isActive))
      .for('no key update')
    if (!user) throw new Problem('OTP_EXPIRED')
    return logIn(ctx, user, client, { isByPassword: true })
  })
}

/**
 * Sends a code for a new password. `token` is for the `__Host-rst` cookie. PHONE_UNKNOWN within the rate limit of such answers; beyond it
 * an unknown number gets the answer of a known one, and no SMS.
 */
export async function startReset(ctx: Ctx, phone: string, client: AuthClient): Promise<{ token: string; otp: OtpSent }> {
  const token = newBrowserToken()
  const binding = { phone, purpose: 'reset', browserHash: hashOfToken(token) } as const
  await ensureMaySend(ctx, binding, client)
  const [user] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.phone, phone), users.isActive))
  if (!user && (await mayRevealPhone(ctx, client)))
    throw new Problem('PHONE_UNKNOWN', { fields: [{ field: 'phone', message: 'field_phone_unknown' }] })
  return { token, otp: await sendOtp(ctx, binding, client, { isPretended: !user }) }
}

/** This browser's reset, while its code is live. */
export async function findReset(ctx: Ctx, token: string | undefined): Promise<{ phone: string; resendInSeconds: number } | null> {
  if (!token) return null
  const [row] = await ctx.db
    .select({
      phone: otps.phone,
      resendInSeconds: sql<number>`greatest(0, ceil(extract(epoch from ${otps.createdAt} + make_interval(secs => ${RESEND_SECONDS}) - now())))::int`,
    })
    .from(otps)
    .where(and(eq(otps.browserHash, hashOfToken(token)), eq(otps.purpose, 'reset'), isLiveCode))
  return row ?? null
}

/** Sets the new password, ends every session, logs this browser in, and sends an SMS. OTP_WRONG, OTP_EXPIRED. */
export async function finishReset(
  ctx: Ctx,
  input: { phone: string; code: string; password: string },
  token: string | undefined,
  client: AuthClient,
): Promise<LoggedIn> {
  const { phone, password } = input
  // Check the password before the code, so that a refused password costs no try.
  await ensureUncommon(password, input)
  const otpId = await proveOtp(ctx, { phone, purpose: 'reset', browserHash: hashOfToken(token ?? '') }, input.code)
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
    // The SMS about the new password is enough.
    return logIn(ctx, user, client, { notifies: false })
  })
}

/**
 * For a logged-in person who knows the old password; all other sessions end. PASSWORD_WRONG, also when it was changed meanwhile;
 * RATE_LIMITED after five a day.
 */
export async function changePassword(
  ctx: Ctx,
  input: { oldPassword?: string | undefined; newPassword: string },
  limits: RateLimits,
): Promise<void> {
  const user = await requireOwnPassword(ctx, input.oldPassword, 'oldPassword')
  await ensureUncommon(input.newPassword, user, 'newPassword')
  await limits.takeDurable(ctx.db, 'passwordChange', String(user.id))
  const passwordHash = await hashPassword(ctx.vault, input.newPassword)
  await inTransaction(ctx, async (ctx) => {
    const [changed] = await ctx.db
      .update(users)
      .set({ passwordHash })
      .where(
        and(eq(users.id, user.id), user.passwordHash === null ? isNull(users.passwordHash) : eq(users.passwordHash, user.passwordHash)),
      )
      .returning()
    if (!changed) throw passwordWrong('oldPassword')
    await notePasswordChange(ctx, changed)
    await endSessionsOf(ctx, user.id, ctx.sessionId)
  })
}

/**
 * Guards critical acts against misuse of an unattended phone. Returns the viewer's row if this is their password. A person without a
 * password must have signed in with a code within the last fifteen minutes, else PROOF_NEEDED; a password that they send is ignored.
 * PASSWORD_WRONG, RATE_LIMITED; VALIDATION when the password is missing.
 */
export async function requireOwnPassword(ctx: Ctx, password: string | undefined, field = 'password'): Promise<typeof users.$inferSelect> {
  const codeUser = await findCodeUser(ctx)
  if (codeUser) {
    if (!(await hasFreshProof(ctx))) throw new Problem('PROOF_NEEDED')
    return codeUser
  }
  if (password === undefined) throw invalidField(field, 'field_password_blank')
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

/** The viewer if they have no password; they sign in with codes. */
export async function findCodeUser(ctx: Ctx): Promise<typeof users.$inferSelect | null> {
  const [user] = await ctx.db
    .select()
    .from(users)
    .where(and(eq(users.id, ctx.viewer?.id ?? 0), isNull(users.passwordHash)))
  return user ?? null
}

const passwordWrong = (field: string) => new Problem('PASSWORD_WRONG', { fields: [{ field, message: 'field_password_wrong' }] })

async function notePasswordChange(ctx: Ctx, user: Omit<Receiver, 'devices'>): Promise<void> {
  // An attacker with the old password may have begun a login that waits for its code.
  await ctx.db
    .update(otps)
    .set({ endedAt: sql`now()` })
    .where(and(eq(otps.phone, user.phone), eq(otps.purpose, 'login'), isNull(otps.endedAt)))
  await audit(ctx, 'authn_password_change', `user:${user.id}`)
  await queueMessage(ctx, smsTo(user, 'password-changed', {}, m.sms_password_changed({}, { locale: user.locale })))
}

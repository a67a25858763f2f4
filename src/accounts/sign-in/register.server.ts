import { and, eq, gt, sql } from 'drizzle-orm'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction, sqlState } from '#src/kit/database.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import {
  browserHashOf,
  isRegistered,
  logIn,
  mayTellPhone,
  newBrowserToken,
  phoneTaken,
  type Door,
  type LoggedIn,
} from './identity.server.ts'
import { consumeOtp, proveOtp, RESEND_SECONDS, sendOtp, type OtpSent } from './otp.server.ts'
import { ensureUncommon } from './password-rules.server.ts'
import { userTitles } from './reference-data.ts'
import { newReferralCode } from './referral-codes.server.ts'
import { SELLER_TYPES, VET_TYPE } from './rules.ts'
import { ACCOUNT_CONSENT_VERSION, REFERRAL_CODE_LENGTH, type Registration } from './schemas.ts'
import { consents, otps, pendingRegistrations, users } from './tables.ts'

/** Specification A §9. It begins with the form and is not prolonged by anything. */
export const PENDING_MINUTES = 15

/** A registration that waits for its code. */
export interface Pending {
  id: number
  phone: string
  secondsLeft: number
  /** Until when another code may be asked for, in seconds; 0: now. */
  resendInSeconds: number
}

/**
 * Notes who wants to register and sends the code; nobody is a user yet, and the phone is not blocked for others. `token` is for
 * the `__Host-reg` cookie. PHONE_TAKEN, within the budget of such answers; beyond it, or when told never to say so, the answer
 * is that of a free number, and no SMS goes out.
 */
export async function startRegistration(ctx: Ctx, input: Registration, door: Door): Promise<{ id: number; token: string; otp: OtpSent }> {
  const { phone, typeId } = input
  const titleId = userTitles.some(({ id }) => id === input.titleId) ? input.titleId : null
  await ensureUncommon(input.password, input)
  const isTaken = await isRegistered(ctx, phone)
  if (isTaken && (await mayTellPhone(ctx, door))) throw phoneTaken()
  const passwordHash = await hashPassword(ctx.vault, input.password)
  const token = newBrowserToken()
  const [row] = await ctx.db
    .insert(pendingRegistrations)
    .values({
      browserHash: browserHashOf(token),
      phone,
      name: input.name,
      titleId,
      typeId,
      passwordHash,
      panSealed: SELLER_TYPES.includes(typeId) && input.pan ? ctx.vault.seal('pan', input.pan) : null,
      degree: typeId === VET_TYPE && input.degree ? input.degree : null,
      referralCode: input.referralCode.length === REFERRAL_CODE_LENGTH ? input.referralCode.toUpperCase() : null,
      locale: ctx.locale,
      consentVersion: ACCOUNT_CONSENT_VERSION,
      expiresAt: sql`now() + make_interval(mins => ${PENDING_MINUTES})` as never,
    })
    .returning({ id: pendingRegistrations.id })
  const { id } = row!
  const binding = { phone, purpose: 'register', browserHash: browserHashOf(token) } as const
  try {
    return { id, token, otp: await sendOtp(ctx, binding, door, { isPretended: isTaken }) }
  } catch (error) {
    await ctx.db.delete(pendingRegistrations).where(eq(pendingRegistrations.id, id))
    throw error
  }
}

/** The registration this browser has begun; null when there is none, or its quarter of an hour is over. */
export async function findPending(ctx: Ctx, token: string | undefined): Promise<Pending | null> {
  if (!token) return null
  const [row] = await ctx.db
    .select({
      id: pendingRegistrations.id,
      phone: pendingRegistrations.phone,
      secondsLeft: sql<number>`ceil(extract(epoch from ${pendingRegistrations.expiresAt} - now()))::int`,
      resendInSeconds: sql<number>`greatest(0, coalesce((select ceil(extract(epoch from max(${otps.createdAt}) + make_interval(secs => ${RESEND_SECONDS}) - now())) from ${otps} where ${otps.browserHash} = ${pendingRegistrations.browserHash}), 0))::int`,
    })
    .from(pendingRegistrations)
    .where(and(eq(pendingRegistrations.browserHash, browserHashOf(token)), gt(pendingRegistrations.expiresAt, sql`now()`)))
  return row ?? null
}

async function requirePending(ctx: Ctx, token: string | undefined, id: number | null = null) {
  const [row] = await ctx.db
    .select()
    .from(pendingRegistrations)
    .where(and(eq(pendingRegistrations.browserHash, browserHashOf(token ?? '')), gt(pendingRegistrations.expiresAt, sql`now()`)))
  if (!row || (id !== null && row.id !== id)) throw notFound()
  return row
}

/** Another code, to the same number or, after a typing error, to a new one. NOT_FOUND when nothing is pending in this browser. */
export async function resendRegistration(ctx: Ctx, token: string | undefined, door: Door, newPhone?: string): Promise<OtpSent> {
  const pending = await requirePending(ctx, token)
  const phone = newPhone ?? pending.phone
  const isTaken = await isRegistered(ctx, phone)
  if (isTaken && (await mayTellPhone(ctx, door))) throw phoneTaken()
  if (phone !== pending.phone) {
    await ctx.db.update(pendingRegistrations).set({ phone }).where(eq(pendingRegistrations.id, pending.id))
  }
  return sendOtp(ctx, { phone, purpose: 'register', browserHash: pending.browserHash }, door, { isPretended: isTaken })
}

/** Forgets what this browser has begun: "this was not me", or to begin again. */
export async function dropRegistration(ctx: Ctx, token: string | undefined): Promise<void> {
  if (token) await ctx.db.delete(pendingRegistrations).where(eq(pendingRegistrations.browserHash, browserHashOf(token)))
}

/**
 * The code proves the phone: only now there is a user, as noted at the beginning, whatever is sent along now. Logs in.
 * NOT_FOUND when this browser has no such registration; OTP_WRONG, OTP_EXPIRED; PHONE_TAKEN when another was faster.
 */
export async function finishRegistration(
  ctx: Ctx,
  proof: { token: string | undefined; id?: number; code: string },
  door: Door,
): Promise<LoggedIn> {
  const pending = await requirePending(ctx, proof.token, proof.id ?? null)
  const { phone, browserHash, typeId } = pending
  const otpId = await proveOtp(ctx, { phone, purpose: 'register', browserHash }, proof.code)
  try {
    return await inTransaction(ctx, async (ctx) => {
      await consumeOtp(ctx, otpId)
      const referredById = await findReferrer(ctx, pending.referralCode)
      const [user] = await ctx.db
        .insert(users)
        .values({
          phone,
          name: pending.name,
          titleId: pending.titleId,
          typeId,
          passwordHash: pending.passwordHash,
          panSealed: pending.panSealed,
          degree: pending.degree,
          locale: pending.locale,
          referralCode: newReferralCode(),
          referredById,
        })
        .returning()
      const { consentVersion: version, locale, createdAt } = pending
      await ctx.db.insert(consents).values({ userId: user!.id, purpose: 'account', version, locale, givenAt: createdAt })
      await ctx.db.delete(pendingRegistrations).where(eq(pendingRegistrations.id, pending.id))
      await audit(ctx, 'user_created', `user:${user!.id}`, { typeId })
      return logIn(ctx, user!, door)
    })
  } catch (error) {
    if (sqlState(error) === '23505') throw new Problem('PHONE_TAKEN')
    throw error
  }
}

async function findReferrer(ctx: Ctx, code: string | null): Promise<number | null> {
  if (!code) return null
  const [user] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.referralCode, code), users.isActive))
  return user?.id ?? null
}

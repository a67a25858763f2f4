import { and, eq, gt, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { userTitles } from '../reference-data.ts'
import { SELLER_TYPES, VET_TYPE } from '../rules.ts'
import { ACCOUNT_CONSENT_VERSION, REFERRAL_CODE_LENGTH, type Registration } from '../schemas.ts'
import { otps, pendingRegistrations } from '../tables.ts'
import { hashOfToken } from '../sessions.server.ts'
import { isRegistered, logIn, mayRevealPhone, newBrowserToken, phoneTaken, type AuthClient, type LoggedIn } from './identity.server.ts'
import { addPerson } from './new-person.server.ts'
import { ensureMaySend } from './otp-limits.server.ts'
import { consumeOtp, proveOtp, RESEND_SECONDS, sendOtp, type OtpSent } from './otp.server.ts'
import { ensureUncommon } from './password-rules.server.ts'

/** Specification A §9. The time starts with the form, and nothing prolongs it. */
export const PENDING_MINUTES = 15

/** The version that a registration by the API has whose client sent no consent. */
const NO_CONSENT = ''

export interface Pending {
  id: number
  phone: string
  secondsLeft: number
  /** Seconds until another code may be requested; 0: now. */
  resendInSeconds: number
}

/**
 * Stores a registration and sends the code; creates no user yet, and does not reserve the phone. `token` is for the `__Host-reg` cookie.
 * PHONE_TAKEN within the rate limit of such answers; beyond it, or when configured never to reveal it, a registered number gets the answer
 * of a free one, and no SMS.
 */
export async function startRegistration(
  ctx: Ctx,
  input: Registration,
  client: AuthClient,
): Promise<{ id: number; token: string; otp: OtpSent }> {
  const { phone, typeId } = input
  const titleId = userTitles.find(({ id }) => id === input.titleId)?.id ?? null
  if (input.password !== null) await ensureUncommon(input.password, input)
  const token = newBrowserToken()
  const binding = { phone, purpose: 'register', browserHash: hashOfToken(token) } as const
  await ensureMaySend(ctx, binding, client)
  const isTaken = await isRegistered(ctx, phone)
  if (isTaken && (await mayRevealPhone(ctx, client))) throw phoneTaken()
  const passwordHash = input.password === null ? null : await hashPassword(ctx.vault, input.password)
  const [row] = await ctx.db
    .insert(pendingRegistrations)
    .values({
      browserHash: binding.browserHash,
      phone,
      name: input.name,
      titleId,
      typeId,
      passwordHash,
      panSealed: SELLER_TYPES.includes(typeId) && input.pan ? ctx.vault.seal('pan', input.pan) : null,
      degree: typeId === VET_TYPE && input.degree ? input.degree : null,
      referralCode: input.referralCode.length === REFERRAL_CODE_LENGTH ? input.referralCode.toUpperCase() : null,
      locale: ctx.locale,
      consentVersion: input.hasConsented ? ACCOUNT_CONSENT_VERSION : NO_CONSENT,
      expiresAt: sql`now() + make_interval(mins => ${PENDING_MINUTES})`,
    })
    .returning({ id: pendingRegistrations.id })
  const { id } = row!
  try {
    return { id, token, otp: await sendOtp(ctx, binding, client, { isPretended: isTaken }) }
  } catch (error) {
    await ctx.db.delete(pendingRegistrations).where(eq(pendingRegistrations.id, id))
    throw error
  }
}

/** This browser's registration; null when there is none or its fifteen minutes are over. */
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
    .where(and(eq(pendingRegistrations.browserHash, hashOfToken(token)), gt(pendingRegistrations.expiresAt, sql`now()`)))
  return row ?? null
}

async function requirePending(ctx: Ctx, token: string | undefined, id: number | null = null) {
  const [row] = await ctx.db
    .select()
    .from(pendingRegistrations)
    .where(and(eq(pendingRegistrations.browserHash, hashOfToken(token ?? '')), gt(pendingRegistrations.expiresAt, sql`now()`)))
  if (!row || (id !== null && row.id !== id)) throw notFound()
  return row
}

/**
 * Sends another code, to the same number or to a corrected one. NOT_FOUND when nothing is pending in this browser. After a refusal, the
 * registration keeps its number and the code that went there.
 */
export async function resendRegistration(ctx: Ctx, token: string | undefined, client: AuthClient, newPhone?: string): Promise<OtpSent> {
  const pending = await requirePending(ctx, token)
  const phone = newPhone ?? pending.phone
  const binding = { phone, purpose: 'register', browserHash: pending.browserHash } as const
  await ensureMaySend(ctx, binding, client)
  const isTaken = await isRegistered(ctx, phone)
  if (isTaken && (await mayRevealPhone(ctx, client))) throw phoneTaken()
  const sent = await sendOtp(ctx, binding, client, { isPretended: isTaken })
  if (phone !== pending.phone) {
    await ctx.db.update(pendingRegistrations).set({ phone }).where(eq(pendingRegistrations.id, pending.id))
  }
  return sent
}

/** Drops this browser's registration: "this was not me", or to begin again. */
export async function dropRegistration(ctx: Ctx, token: string | undefined): Promise<void> {
  if (token) await ctx.db.delete(pendingRegistrations).where(eq(pendingRegistrations.browserHash, hashOfToken(token)))
}

/**
 * Creates the user from the stored form once the code proves the phone, and logs in; ignores fields sent with the code. NOT_FOUND when this
 * browser has no such registration; OTP_WRONG, OTP_EXPIRED; PHONE_TAKEN when another request was faster.
 */
export async function finishRegistration(
  ctx: Ctx,
  proof: { token: string | undefined; id?: number; code: string },
  client: AuthClient,
): Promise<LoggedIn> {
  const pending = await requirePending(ctx, proof.token, proof.id ?? null)
  const { phone, browserHash, typeId } = pending
  const otpId = await proveOtp(ctx, { phone, purpose: 'register', browserHash }, proof.code)
  try {
    return await inTransaction(ctx, async (ctx) => {
      await consumeOtp(ctx, otpId)
      const { name, titleId, passwordHash, panSealed, degree, locale, referralCode } = pending
      const facts = { phone, name, titleId, typeId, passwordHash, panSealed, degree, locale, referralCode }
      const { consentVersion: version, createdAt: givenAt } = pending
      const user = await addPerson(ctx, { ...facts, consent: version === NO_CONSENT ? null : { version, givenAt } })
      await ctx.db.delete(pendingRegistrations).where(eq(pendingRegistrations.id, pending.id))
      return logIn(ctx, user, client, { notifies: false, isByCode: true })
    })
  } catch (error) {
    if (sqlState(error) === '23505') throw new Problem('PHONE_TAKEN')
    throw error
  }
}

/** The code of a referral link that this browser has followed. */
export const referralCodeIn = (code = ''): string | null =>
  code.length === REFERRAL_CODE_LENGTH && /^[A-Za-z0-9]+$/.test(code) ? code : null

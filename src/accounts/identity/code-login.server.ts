import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { ACCOUNT_CONSENT_VERSION, REFERRAL_CODE_LENGTH, registration, userType } from '../schemas.ts'
import { otps, users } from '../tables.ts'
import { hashOfToken } from '../sessions.server.ts'
import { isRegistered, logIn, mayRevealPhone, newBrowserToken, type AuthClient, type LoggedIn } from './identity.server.ts'
import { addPerson } from './new-person.server.ts'
import { ensureMaySend } from './otp-limits.server.ts'
import type { Share } from './unused-codes.server.ts'
import { consumeOtp, isLiveCode, proveOtp, RESEND_SECONDS, sendOtp, type OtpSent } from './otp.server.ts'

/**
 * Sign-in with a phone number and a code to it, without a password (decisions.md §7.6, decision 0044). Only a visitor who has given the
 * code learns whether the number has an account: before that every number gets the same answers and an SMS.
 */

/** How long a browser may take for the name after it has given the code of an unregistered number. */
const NAME_MINUTES = 15

/** Vets use the whole registration, which asks for their degree. */
export const CODE_TYPES = [1, 2, 3, 4]

/** A person without an account is asked for these. */
export const newPerson = z.object({
  name: registration.shape.name,
  typeId: userType.refine((id) => CODE_TYPES.includes(id), 'field_type_blank'),
  referralCode: registration.shape.referralCode,
  hasConsented: registration.shape.hasConsented,
})
/** Only the API accepts a new person without consent, as it does a registration (decisions §8.2). */
export const newPersonOnWire = newPerson.extend({ hasConsented: registration.shape.hasConsented.optional() })
type NewPerson = z.output<typeof newPersonOnWire>

/** The code was right and the number has no account; the name comes next. */
interface NameNeeded {
  needsName: true
}

/**
 * Sends a code to the number, registered or not; `token` is for the `__Host-rst` cookie. A deactivated number gets the same answer and no
 * SMS. Throws as `sendOtp` does.
 */
export async function startCodeLogin(ctx: Ctx, phone: string, client: AuthClient): Promise<{ token: string; otp: OtpSent }> {
  const token = newBrowserToken()
  const share = await shareFor(ctx, phone, token, client)
  const isPretended = (await ctx.db.$count(users, and(eq(users.phone, phone), eq(users.isActive, false)))) > 0
  return { token, otp: await sendOtp(ctx, bindingOf(phone, token), client, { isPretended, share }) }
}

/**
 * A number with an account has a share of its own once that of all numbers is used up. The answers then differ, so it takes from the limit of
 * answers that reveal a number; beyond that limit all numbers are alike.
 */
async function shareFor(ctx: Ctx, phone: string, token: string, client: AuthClient): Promise<Share> {
  try {
    await ensureMaySend(ctx, bindingOf(phone, token), client)
    return 'sign-in'
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'RATE_LIMITED') throw error
    const mayReveal = await mayRevealPhone(ctx, client)
    return (await isRegistered(ctx, phone)) && mayReveal ? 'members' : 'sign-in'
  }
}

const bindingOf = (phone: string, token: string | undefined) =>
  ({ phone, purpose: 'sign-in', browserHash: hashOfToken(token ?? '') }) as const

interface WaitingCode {
  phone: string
  /** The code was right; the name is missing. */
  isProved: boolean
  resendInSeconds: number
}

/** This browser's sign-in that waits for its code or for a name. */
export async function findCodeLogin(ctx: Ctx, token: string | undefined): Promise<WaitingCode | null> {
  const row = await findRow(ctx, token)
  return row ? { phone: row.phone, isProved: row.isProved, resendInSeconds: row.resendInSeconds } : null
}

async function findRow(ctx: Ctx, token: string | undefined): Promise<(WaitingCode & { id: number }) | undefined> {
  if (!token) return undefined
  const [row] = await ctx.db
    .select({
      id: otps.id,
      phone: otps.phone,
      isProved: sql<boolean>`${otps.provedAt} is not null`,
      resendInSeconds: sql<number>`greatest(0, ceil(extract(epoch from ${otps.createdAt} + make_interval(secs => ${RESEND_SECONDS}) - now())))::int`,
    })
    .from(otps)
    .where(and(eq(otps.browserHash, hashOfToken(token)), eq(otps.purpose, 'sign-in'), isLiveCode))
    .orderBy(desc(otps.id))
    .limit(1)
  return row
}

/**
 * Logs in with the code. A number without an account needs a name and the consent next (`finishNewPerson`); the code stays valid for this
 * browser for fifteen minutes. OTP_WRONG, OTP_EXPIRED.
 */
export async function finishCodeLogin(
  ctx: Ctx,
  { phone, code }: { phone: string; code: string },
  token: string | undefined,
  client: AuthClient,
): Promise<LoggedIn | NameNeeded> {
  const otpId = await proveOtp(ctx, bindingOf(phone, token), code)
  return inTransaction(ctx, async (ctx) => {
    const [user] = await ctx.db.select().from(users).where(eq(users.phone, phone)).for('no key update')
    if (!user) return noteProved(ctx, otpId)
    await consumeOtp(ctx, otpId)
    if (!user.isActive) throw new Problem('OTP_EXPIRED')
    return logIn(ctx, user, client, { isByCode: true })
  })
}

async function noteProved(ctx: Ctx, otpId: number): Promise<NameNeeded> {
  const [proved] = await ctx.db
    .update(otps)
    .set({
      provedAt: sql`coalesce(${otps.provedAt}, now())`,
      wasUsed: true,
      // Set once: giving the code again does not prolong it.
      expiresAt: sql`case when ${otps.provedAt} is null then now() + make_interval(mins => ${NAME_MINUTES}) else ${otps.expiresAt} end`,
    })
    .where(and(eq(otps.id, otpId), isLiveCode))
    .returning({ id: otps.id })
  if (!proved) throw new Problem('OTP_EXPIRED')
  return { needsName: true }
}

/**
 * Registers and logs in a person whose code was right in this browser, once. OTP_EXPIRED without such a code; PHONE_TAKEN when the number
 * was registered meanwhile.
 */
export async function finishNewPerson(ctx: Ctx, person: NewPerson, token: string | undefined, client: AuthClient): Promise<LoggedIn> {
  const proved = await findRow(ctx, token)
  if (!proved?.isProved) throw new Problem('OTP_EXPIRED')
  const { phone } = proved
  try {
    return await inTransaction(ctx, async (ctx) => {
      await consumeOtp(ctx, proved.id)
      const { name, typeId, referralCode, hasConsented } = person
      const user = await addPerson(ctx, {
        phone,
        name,
        typeId,
        titleId: null,
        passwordHash: null,
        panSealed: null,
        degree: null,
        locale: ctx.locale,
        referralCode: referralCode.length === REFERRAL_CODE_LENGTH ? referralCode.toUpperCase() : null,
        consent: hasConsented ? { version: ACCOUNT_CONSENT_VERSION, givenAt: ctx.now } : null,
      })
      return logIn(ctx, user, client, { notifies: false, isByCode: true })
    })
  } catch (error) {
    if (sqlState(error) === '23505') throw new Problem('PHONE_TAKEN')
    throw error
  }
}

/** Drops this browser's code, for another number or "this was not me". */
export async function dropCodeLogin(ctx: Ctx, token: string | undefined): Promise<void> {
  const row = await findRow(ctx, token)
  if (!row) return
  await ctx.db
    .update(otps)
    .set({ endedAt: sql`now()` })
    .where(eq(otps.id, row.id))
}

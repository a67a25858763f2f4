import { createHash } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { isRegistered, mayRevealPhone, phoneTaken, type AuthClient } from '#src/accounts/identity/identity.server.ts'
import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { ensureMaySend } from '#src/accounts/identity/otp-limits.server.ts'
import { consumeOtp, proveOtp, sendOtp, type OtpSent } from '#src/accounts/identity/otp.server.ts'
import { endSessionsOf, rotateSession } from '../sessions.server.ts'
import { otps, users } from '../tables.ts'
import { smsTo } from '#src/accounts/notifications/receivers.server.ts'

/** Template of the SMS to the old number. */
export const PHONE_CHANGED = 'phone-changed'

/** Binds a code to this session, so that it is invalid in other browsers. */
export const sessionHash = (ctx: Ctx): Buffer => createHash('sha256').update(`session:${ctx.sessionId}`).digest()

/**
 * Sends a code to the new number. A live code proves that the password was given in this session, so the second step does not ask again.
 * PASSWORD_WRONG, PROOF_NEEDED; PHONE_TAKEN within the rate limit of such answers.
 */
export async function startPhoneChange(
  ctx: Ctx,
  input: { phone: string; password?: string | undefined },
  client: AuthClient,
): Promise<OtpSent> {
  const { phone } = input
  await requireOwnPassword(ctx, input.password)
  const binding = { phone, purpose: 'phone', browserHash: sessionHash(ctx) } as const
  await ensureMaySend(ctx, binding, client)
  const isPretended = await isRegistered(ctx, phone)
  if (isPretended && (await mayRevealPhone(ctx, client))) throw phoneTaken()
  return sendOtp(ctx, binding, client, { isPretended })
}

/**
 * Sets the new number, notifies the old one, and ends all other sessions. Only that SMS still links the old number to the person; it is
 * deleted after a day (retention.server.ts). `andSave` runs in the same transaction. Returns this session's new token. OTP_WRONG,
 * OTP_EXPIRED, PHONE_TAKEN.
 */
export async function finishPhoneChange(
  ctx: Ctx,
  { phone, code }: { phone: string; code: string },
  andSave?: (ctx: Ctx) => Promise<unknown>,
): Promise<string> {
  const id = ctx.viewer?.id
  if (id === undefined) throw notFound()
  const otpId = await proveOtp(ctx, { phone, purpose: 'phone', browserHash: sessionHash(ctx) }, code)
  try {
    return await inTransaction(ctx, async (ctx) => {
      await consumeOtp(ctx, otpId)
      const [user] = await ctx.db.select().from(users).where(eq(users.id, id)).for('no key update')
      if (!user || user.erasedAt) throw notFound()
      await ctx.db.update(users).set({ phone, isVerified: false }).where(eq(users.id, id))
      await ctx.db
        .update(otps)
        .set({ endedAt: sql`now()` })
        .where(and(eq(otps.phone, user.phone), isNull(otps.endedAt)))
      await endSessionsOf(ctx, id, ctx.sessionId)
      await andSave?.(ctx)
      await audit(ctx, 'user_phone_changed', `user:${id}`)
      if (user.isVerified) await audit(ctx, 'seller_badge_ended', `user:${id}`)
      await queueMessage(ctx, smsTo(user, PHONE_CHANGED, {}, m.sms_phone_changed({}, { locale: user.locale })))
      return rotateSession(ctx)
    })
  } catch (error) {
    if (sqlState(error) === '23505') throw phoneTaken()
    throw error
  }
}

/** Seals the number for the address of the second step, so that no log and no browser history contains it. */
export const sealPhone = (ctx: Ctx, phone: string): string => ctx.vault.seal('phone-change', phone).toString('base64url')

/** Null for text that we have not sealed. */
export function openPhone(ctx: Ctx, sealed: string | null): string | null {
  if (!sealed || sealed.length > 200) return null
  try {
    return ctx.vault.open('phone-change', Buffer.from(sealed, 'base64url'))
  } catch {
    return null
  }
}

import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction, sqlState } from '#src/kit/database.server.ts'
import { queueMessage } from '#src/kit/outbox.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { failureLadders, limitCounts } from '#src/kit/tables.ts'
import { m } from '#src/paraglide/messages.js'
import { isRegistered, mayTellPhone, phoneTaken, type Door } from './identity.server.ts'
import { requireOwnPassword } from './login.server.ts'
import { consumeOtp, proveOtp, sendOtp, type OtpSent } from './otp.server.ts'
import { rotateSession } from './sessions.server.ts'
import { users } from './tables.ts'
import { smsTo } from './receivers.server.ts'

/** The template of what the old number is told. */
export const PHONE_CHANGED = 'phone-changed'

/** For whom a code is that was asked for by somebody who is logged in: this session of his, and no other browser. */
export const sessionHash = (ctx: Ctx): Buffer => createHash('sha256').update(`session:${ctx.sessionId}`).digest()

/**
 * Sends a code to the new number. A live code for it is also the proof that the password was given in this session, so the
 * second step needs no other. PASSWORD_WRONG; PHONE_TAKEN within the budget of such answers.
 */
export async function startPhoneChange(ctx: Ctx, input: { phone: string; password: string }, door: Door): Promise<OtpSent> {
  const { phone } = input
  await requireOwnPassword(ctx, input.password)
  const isPretended = await isRegistered(ctx, phone)
  if (isPretended && (await mayTellPhone(ctx, door))) throw phoneTaken()
  return sendOtp(ctx, { phone, purpose: 'phone', browserHash: sessionHash(ctx) }, door, { isPretended })
}

/**
 * The number is the person's from now on; the old one is told, and what was counted by it is forgotten: nothing of ours leads from
 * it to him any more but that message, which goes after a day (retention.server.ts). `andSave` is done in the same transaction.
 * Answers this session's new token. OTP_WRONG, OTP_EXPIRED, PHONE_TAKEN.
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
      await forgetTriesOf(ctx, user.phone)
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

/** Counts and rests are kept by phone, with other things before or behind it. */
export async function forgetTriesOf(ctx: Ctx, phone: string): Promise<void> {
  await ctx.db.delete(limitCounts).where(sql`strpos(${limitCounts.key}, ${phone}) > 0`)
  await ctx.db.delete(failureLadders).where(sql`strpos(${failureLadders.key}, ${phone}) > 0`)
}

/** For the address of the second step: the number stands in no log and no history of a browser that others use. */
export const sealPhone = (ctx: Ctx, phone: string): string => ctx.vault.seal('phone-change', phone).toString('base64url')

/** Null for whatever we have not sealed. */
export function openPhone(ctx: Ctx, sealed: string | null): string | null {
  if (!sealed || sealed.length > 200) return null
  try {
    return ctx.vault.open('phone-change', Buffer.from(sealed, 'base64url'))
  } catch {
    return null
  }
}

import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { isIndianMobile } from '#src/kit/text/readers.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { claimTry, clearFailures, codeLadders, ensureMayTry } from '#src/kit/http/failure-ladder.server.ts'
import { firstAttempt, queueMessage } from '#src/kit/messages/outbox.server.ts'
import { tally } from '#src/kit/base/tally.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { OTP_DIGITS } from '../schemas.ts'
import { otps } from '../tables.ts'
import { takeSend, type OtpSite, type Asker } from './otp-limits.server.ts'
import type { Share } from './unused-codes.server.ts'

/**
 * One-time codes by SMS (decisions.md §2, safety.md §4.3). This file creates, hashes and checks codes; a code leaves it only in an SMS. The
 * row holds a keyed hash over row, phone, purpose and code; the outbox holds the message sealed until it is sent.
 */
type OtpPurpose = (typeof otps.$inferSelect)['purpose']

export const OTP_MINUTES = 10
export const RESEND_SECONDS = 60
export const OTP_TRIES = 5
/** How long a response waits for the result of sending the SMS. */
const ANSWER_WITHIN_MS = 2800

/** A code is valid only for this combination. */
export interface OtpBinding {
  phone: string
  purpose: OtpPurpose
  /** Hash of the cookie or session of the browser that asked. */
  browserHash: Buffer
}

/** A row without salt belongs to a pretended code, which matches no input. */
const NO_SALT = Buffer.alloc(0)
/** Result and duration of the last real SMS. A pretended one imitates them, also while the provider is down. */
let lastAttempt: { outcome: 'sent' | 'failed' | 'running'; tookMs: number } = { outcome: 'sent', tookMs: 150 }

async function realAttempt(ctx: Ctx, messageId: number) {
  const startedAt = performance.now()
  const outcome = await firstAttempt(ctx, messageId, ANSWER_WITHIN_MS)
  lastAttempt = { outcome, tookMs: performance.now() - startedAt }
  return outcome
}

async function pretendedAttempt() {
  const { outcome, tookMs } = lastAttempt
  await sleep(tookMs)
  return outcome
}

/** The answer to a form or an app: never the code. */
export interface OtpSent {
  expiresInSeconds: number
  resendAfterSeconds: number
  isOnItsWay: boolean
}

/**
 * Sends a code, which replaces the phone's older one for this purpose and kind of asker: a stranger's code does not end that of a known
 * browser. RATE_LIMITED beyond the limits (otp-limits.server.ts), SMS_UNAVAILABLE when the first attempt to send failed (then no code is
 * live), VALIDATION for a phone that our SMS do not reach. Pretended: does everything but the SMS, so that a visitor who must not learn
 * whether we know a number gets the same answers after the same time, here and when trying codes (safety.md §4.5). Do not call it inside a
 * transaction: limits must count refused tries, and the SMS goes out after the commit.
 */
export async function sendOtp(
  ctx: Ctx,
  wanted: OtpBinding,
  site: OtpSite,
  { isPretended: isUnreal = false, share }: { isPretended?: boolean; share?: Share } = {},
): Promise<OtpSent> {
  if (!isIndianMobile(wanted.phone)) throw invalidField('phone', 'field_phone_format')
  const { asker, isSilent } = await takeSend(ctx, wanted, site, { isPretended: isUnreal, share })
  const isPretended = isUnreal || isSilent
  // A pretended login code is stored beside the owner's real code, which must stay live.
  const binding = isPretended && wanted.purpose === 'login' ? { ...wanted, phone: `nobody:${randomUUID()}` } : wanted
  const sent = await storeOtp(ctx, binding, asker, isPretended)
  const attempt = sent.messageId === null ? await pretendedAttempt() : await realAttempt(ctx, sent.messageId)
  if (attempt === 'failed') {
    // Not sent, so do not count it as an unused code.
    await ctx.db.delete(otps).where(eq(otps.id, sent.otpId))
    throw new Problem('SMS_UNAVAILABLE', { retryAfterSeconds: RESEND_SECONDS })
  }
  ctx.log.info({ event: 'authn_token_created', purpose: wanted.purpose }, 'one-time code sent')
  return { expiresInSeconds: OTP_MINUTES * 60, resendAfterSeconds: RESEND_SECONDS, isOnItsWay: attempt === 'running' }
}

/** Ends the older code, stores a new one and queues its SMS; `messageId` is null for a pretended code. */
async function storeOtp(ctx: Ctx, binding: OtpBinding, { kind, ladder, addressHash, deviceHash }: Asker, isPretended: boolean) {
  const { phone, purpose, browserHash } = binding
  const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0')
  return inTransaction(ctx, async (ctx) => {
    await ctx.db
      .update(otps)
      .set({ endedAt: sql`now()` })
      .where(and(eq(otps.phone, phone), eq(otps.purpose, purpose), eq(otps.asker, kind), isNull(otps.endedAt)))
    const salt = isPretended ? NO_SALT : randomBytes(16)
    const [row] = await ctx.db
      .insert(otps)
      .values({
        phone,
        purpose,
        browserHash,
        asker: kind,
        ladder,
        addressHash,
        deviceHash,
        salt,
        mac: macsOf(ctx, salt, binding, code)[0]!,
        expiresAt: sql`now() + make_interval(mins => ${OTP_MINUTES})`,
      })
      .returning({ id: otps.id })
    if (isPretended) return { otpId: row!.id, messageId: null }
    const messageId = await queueMessage(ctx, {
      channel: 'sms',
      to: phone,
      template: `otp-${purpose}`,
      locale: ctx.locale,
      body: otpText(ctx, purpose, code),
      variables: { otp: code },
      isSecret: true,
      // A later attempt would come after the person has requested another code.
      maxAttempts: 1,
    })
    return { otpId: row!.id, messageId }
  }).catch((error: unknown) => {
    // One of two concurrent requests sends a code.
    if (sqlState(error) === '23505') throw new Problem('RATE_LIMITED', { retryAfterSeconds: RESEND_SECONDS })
    throw error
  })
}

/** A code that has neither ended nor expired. */
export const isLiveCode = and(isNull(otps.endedAt), gt(otps.expiresAt, sql`now()`))

const liveCodeOf = ({ phone, purpose, browserHash }: OtpBinding) =>
  and(eq(otps.phone, phone), eq(otps.purpose, purpose), eq(otps.browserHash, browserHash), isLiveCode)

/**
 * Checks the live code and returns its row's id for `consumeOtp`; takes one of its five tries first. OTP_WRONG; OTP_EXPIRED when this
 * browser has no live code with tries left; RATE_LIMITED while such askers are blocked after many wrong ones. Do not call it inside a
 * transaction: a try counts even when the act is rolled back.
 */
export async function proveOtp(ctx: Ctx, binding: OtpBinding, code: string): Promise<number> {
  const live = and(liveCodeOf(binding), lt(otps.attempts, OTP_TRIES))
  const [asked] = await ctx.db.select({ ladder: otps.ladder }).from(otps).where(live)
  if (!asked) throw new Problem('OTP_EXPIRED')
  await ensureMayTry(ctx.db, asked.ladder)
  const [row] = await ctx.db
    .update(otps)
    .set({ attempts: sql`${otps.attempts} + 1` })
    .where(live)
    .returning({ id: otps.id, salt: otps.salt, mac: otps.mac, asker: otps.asker, ladder: otps.ladder })
  if (!row) throw new Problem('OTP_EXPIRED')
  await claimTry(ctx.db, row.ladder, codeLadders[row.asker])
  if (!macsOf(ctx, row.salt, binding, code).some((mac) => timingSafeEqual(row.mac, mac))) {
    ctx.log.info({ event: 'authn_login_fail', purpose: binding.purpose }, 'wrong one-time code')
    throw new Problem('OTP_WRONG', { fields: [{ field: 'otp', message: 'field_otp_wrong' }] })
  }
  await clearFailures(ctx.db, row.ladder)
  return row.id
}

export const hasLiveOtp = async (ctx: Ctx, binding: OtpBinding): Promise<boolean> => (await ctx.db.$count(otps, liveCodeOf(binding))) > 0

/** Call it in the transaction of the act. The code works once, so of two concurrent acts one gets OTP_EXPIRED. */
export async function consumeOtp(ctx: Ctx, otpId: number): Promise<void> {
  const [used] = await ctx.db
    .update(otps)
    .set({ endedAt: sql`now()`, wasUsed: true })
    .where(and(eq(otps.id, otpId), isLiveCode))
    .returning({ id: otps.id })
  if (!used) throw new Problem('OTP_EXPIRED')
  tally('sandhai_codes_used_total')
}

/** The first is for new rows; the others are from before a change of PEPPER. */
const macsOf = (ctx: Ctx, salt: Buffer, { phone, purpose, browserHash }: OtpBinding, code: string) =>
  ctx.vault.macs('otp', salt, phone, purpose, browserHash, code)

const texts = {
  register: m.sms_otp_register,
  reset: m.sms_otp_reset,
  phone: m.sms_otp_phone,
  erase: m.sms_otp_erase,
  login: m.sms_otp_login,
  totp: m.sms_otp_totp,
  'sign-in': m.sms_otp_sign_in,
}

/** The last line lets the browser on that phone fill in the code (WebOTP): the site's host, then the code. */
const otpText = ({ locale, publicOrigin }: Ctx, purpose: OtpPurpose, otp: string) =>
  texts[purpose]({ otp, domain: new URL(publicOrigin).hostname }, { locale })

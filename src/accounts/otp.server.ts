import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction, sqlState } from '#src/kit/database.server.ts'
import { claimTry, clearFailures, ensureMayTry, otpLadder } from '#src/kit/failure-ladder.server.ts'
import { firstAttempt, queueMessage } from '#src/kit/outbox.server.ts'
import { Problem } from '#src/kit/problem.ts'
import type { DurableLimitName, RateLimits } from '#src/kit/rate-limits.server.ts'
import { m } from '#src/paraglide/messages.js'
import { isIndianMobile, OTP_DIGITS } from './schemas.ts'
import { otps } from './tables.ts'

/**
 * One-time codes by SMS (decisions.md §2, safety.md §4.3). A code is made, hashed and checked here and leaves us in an SMS only:
 * the row holds a keyed hash over row, phone, purpose and code; the message stands sealed in the outbox until it is sent.
 */
type OtpPurpose = (typeof otps.$inferSelect)['purpose']

export const OTP_MINUTES = 10
export const RESEND_SECONDS = 60
export const OTP_TRIES = 5
/** How long a person waits at the form to hear whether the SMS is on its way. */
const ANSWER_WITHIN_MS = 2800

/** Of the codes sent in the last hour so many must have been used, or somebody is making us send SMS to strangers. */
const MIN_USED_SHARE = 0.4
/** Asked for with a login and its password: no stranger makes us send these. */
const fromPeopleLoggedIn: OtpPurpose[] = ['phone', 'erase']
/** Fewer say nothing. */
const MIN_SENT_FOR_SHARE = 100
/** How far into a budget the log says so. */
const ALARM_SHARE = 0.5

/** For whom, from where: a code is bound to all of it. */
export interface OtpBinding {
  phone: string
  purpose: OtpPurpose
  /** Hash of the cookie or session of the browser that asked. */
  browserHash: Buffer
}

/** A row without salt is of a pretended code, which nobody has. */
const NO_SALT = Buffer.alloc(0)
/** What became of the last real SMS and how long that took: the same becomes of a pretended one, also while none can be sent. */
let lastAttempt: { outcome: 'sent' | 'failed' | 'running'; tookMs: number } = { outcome: 'sent', tookMs: 150 }

async function realAttempt(ctx: Ctx, messageId: number) {
  const asked = performance.now()
  const outcome = await firstAttempt(ctx, messageId, ANSWER_WITHIN_MS)
  lastAttempt = { outcome, tookMs: performance.now() - asked }
  return outcome
}

async function pretendedAttempt() {
  const { outcome, tookMs } = lastAttempt
  await sleep(tookMs)
  return outcome
}

/** What a form or an app is told: never the code. */
export interface OtpSent {
  expiresInSeconds: number
  resendAfterSeconds: number
  isOnItsWay: boolean
}

export interface OtpSite {
  limits: RateLimits
  /** The bucket of the address that asks. */
  address: string
}

/**
 * Sends a code; the phone's older one for this purpose is worth nothing from then on. RATE_LIMITED beyond the limits,
 * SMS_UNAVAILABLE when the first attempt to send failed (then no code is live), VALIDATION for a phone our SMS do not go to.
 * Pretended: all of it but the SMS, so that who must not learn whether we know a number sees the same answers after the same
 * time, here and when he tries codes (safety.md §4.5).
 * Not inside a transaction: limits count refused tries too, and the SMS goes out after the commit.
 */
export async function sendOtp(ctx: Ctx, binding: OtpBinding, site: OtpSite, { isPretended = false } = {}): Promise<OtpSent> {
  const { phone, purpose, browserHash } = binding
  if (!isIndianMobile(phone)) throw new Problem('VALIDATION', { fields: [{ field: 'phone', message: 'field_phone_format' }] })
  await ensureMayTry(ctx.db, ladderKey(phone))
  await takeSendLimits(ctx, binding, site, isPretended)
  const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0')
  const sent = await inTransaction(ctx, async (ctx) => {
    await ctx.db
      .update(otps)
      .set({ endedAt: sql`now()` })
      .where(and(eq(otps.phone, phone), eq(otps.purpose, purpose), isNull(otps.endedAt)))
    const salt = isPretended ? NO_SALT : randomBytes(16)
    const [row] = await ctx.db
      .insert(otps)
      .values({
        phone,
        purpose,
        browserHash,
        salt,
        mac: macOf(ctx, salt, binding, code),
        expiresAt: sql`now() + make_interval(mins => ${OTP_MINUTES})` as never,
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
      // At a later attempt the person would have asked for another one.
      maxAttempts: 1,
    })
    return { otpId: row!.id, messageId }
  }).catch((error: unknown) => {
    // Two asked at the same instant: one code is on its way.
    if (sqlState(error) === '23505') throw new Problem('RATE_LIMITED', { retryAfterSeconds: RESEND_SECONDS })
    throw error
  })
  const attempt = sent.messageId === null ? await pretendedAttempt() : await realAttempt(ctx, sent.messageId)
  if (attempt === 'failed') {
    await ctx.db
      .update(otps)
      .set({ endedAt: sql`now()` })
      .where(and(eq(otps.id, sent.otpId), isNull(otps.endedAt)))
    throw new Problem('SMS_UNAVAILABLE', { retryAfterSeconds: RESEND_SECONDS })
  }
  ctx.log.info({ event: 'authn_token_created', purpose }, 'one-time code sent')
  return { expiresInSeconds: OTP_MINUTES * 60, resendAfterSeconds: RESEND_SECONDS, isOnItsWay: attempt === 'running' }
}

/**
 * Whether this is the live code, as its row's id for `consumeOtp`; takes one of its five tries first. OTP_WRONG, or OTP_EXPIRED
 * when there is no live one with tries left, or RATE_LIMITED while the phone rests after many wrong ones. Not inside a
 * transaction: a try counts whatever becomes of the act.
 */
export async function proveOtp(ctx: Ctx, binding: OtpBinding, code: string): Promise<number> {
  const { phone, purpose, browserHash } = binding
  await ensureMayTry(ctx.db, ladderKey(phone))
  const [row] = await ctx.db
    .update(otps)
    .set({ attempts: sql`${otps.attempts} + 1` })
    .where(
      and(
        eq(otps.phone, phone),
        eq(otps.purpose, purpose),
        eq(otps.browserHash, browserHash),
        isNull(otps.endedAt),
        lt(otps.attempts, OTP_TRIES),
        gt(otps.expiresAt, sql`now()`),
      ),
    )
    .returning({ id: otps.id, salt: otps.salt, mac: otps.mac })
  if (!row) throw new Problem('OTP_EXPIRED')
  await claimTry(ctx.db, ladderKey(phone), otpLadder)
  if (!timingSafeEqual(row.mac, macOf(ctx, row.salt, binding, code))) {
    ctx.log.info({ event: 'authn_login_fail', purpose }, 'wrong one-time code')
    throw new Problem('OTP_WRONG', { fields: [{ field: 'otp', message: 'field_otp_wrong' }] })
  }
  await clearFailures(ctx.db, ladderKey(phone))
  return row.id
}

/** In the transaction of the act: the code works once, so of two acts at the same time one is OTP_EXPIRED. */
export async function consumeOtp(ctx: Ctx, otpId: number): Promise<void> {
  const [used] = await ctx.db
    .update(otps)
    .set({ endedAt: sql`now()`, wasUsed: true })
    .where(and(eq(otps.id, otpId), isNull(otps.endedAt), gt(otps.expiresAt, sql`now()`)))
    .returning({ id: otps.id })
  if (!used) throw new Problem('OTP_EXPIRED')
}

const ladderKey = (phone: string) => `otp:${phone}`

const macOf = (ctx: Ctx, salt: Buffer, { phone, purpose, browserHash }: OtpBinding, code: string) =>
  ctx.vault.mac('otp', salt, phone, purpose, browserHash, code)

const texts = { register: m.sms_otp_register, reset: m.sms_otp_reset, phone: m.sms_otp_phone, erase: m.sms_otp_erase }

/** Its last line lets the browser on that phone fill in the code by itself (WebOTP): the site's host, then the code. */
const otpText = ({ locale, publicOrigin }: Ctx, purpose: OtpPurpose, otp: string) =>
  texts[purpose]({ otp, domain: new URL(publicOrigin).hostname }, { locale })

/** The narrow ones first: what one browser or phone may not send must not use up what all may. */
async function takeSendLimits(
  ctx: Ctx,
  { phone, purpose, browserHash }: OtpBinding,
  { limits, address }: OtpSite,
  isPretended: boolean,
): Promise<void> {
  const take = (name: DurableLimitName, key: string) => limits.takeDurable(ctx.db, name, key)
  await take('otpAddress', address)
  await take('otpBrowser', ctx.browserId ?? browserHash.toString('base64url'))
  await take('otpPhoneMinute', phone)
  await take('otpPhoneQuarter', phone)
  await take('otpPhoneDay', phone)
  await take('otpPrefix', phone.slice(0, -4))
  // No SMS, nothing taken of what all share.
  if (isPretended) return
  if (!fromPeopleLoggedIn.includes(purpose)) await ensureCodesAreUsed(ctx)
  for (const name of ['otpAllHour', 'otpAllDay'] as const) {
    const { used, of } = await limits.takeDurable(ctx.db, name, 'all')
    if (used === Math.ceil(of * ALARM_SHARE)) ctx.log.error({ limit: name, used, of }, 'one-time codes: half of the budget is used')
  }
}

/** Stops sending for a while when hardly anybody uses the codes (RATE_LIMITED). */
async function ensureCodesAreUsed(ctx: Ctx): Promise<void> {
  const [counted] = await ctx.db
    .select({ sent: sql<number>`count(*)::int`, used: sql<number>`(count(*) filter (where ${otps.wasUsed}))::int` })
    .from(otps)
    .where(and(gt(otps.createdAt, sql`now() - interval '1 hour'`), ne(otps.salt, NO_SALT)))
  const { sent, used } = counted!
  if (sent < MIN_SENT_FOR_SHARE || used / sent >= MIN_USED_SHARE) return
  ctx.log.error({ sent, used }, 'one-time codes: too few are used, sending stopped')
  throw new Problem('RATE_LIMITED', { retryAfterSeconds: 600 })
}

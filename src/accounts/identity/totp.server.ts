import { firstRow } from '#src/kit/db/rows.server.ts'
import { createHash } from 'node:crypto'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { audit } from '#src/kit/records/audit.server.ts'
import { qrPicture } from '#src/kit/paper/qr-picture.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { failureLadders } from '#src/kit/db/tables.ts'
import { claimTry, clearFailures, otpLadder } from '#src/kit/http/failure-ladder.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { rotateSession, type Session } from '../sessions.server.ts'
import { sessions, users } from '../tables.ts'
import type { OtpSite } from './otp-limits.server.ts'
import { consumeOtp, hasLiveOtp, proveOtp, sendOtp } from './otp.server.ts'
import { consumeRecoveryCode, RECOVERY_DIGITS } from './recovery-codes.server.ts'

/**
 * The second step of an admin of a live site: six digits of an authenticator app (RFC 6238), or a recovery code. The app's secret is shown
 * at enrolment only, to a session that began with the password and has just given a code by SMS, because a leaked password alone must not
 * enrol an attacker.
 */
const PERIOD_SECONDS = 30
/** Half-minute periods accepted on either side, because phones' clocks differ. */
const WINDOW = 1
/** Wrong codes in a row from which the log raises an alarm. A person who mistypes has a new code before that. */
const MANY_WRONG = 5

interface Enrolment {
  /** For typing, in groups of four. */
  secret: string
  /** The same as a QR code in SVG. */
  qr: string
}

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer: 'Sandhai', label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) })

/** How long the secret is shown after the code by SMS. */
const ENROL_MINUTES = 10

/** The step that this session still needs before it is logged in. */
type SecondStep =
  | { step: 'totp' }
  /** Show the enrolment; it stays the same until the first code was given. */
  | { step: 'enrol'; enrolment: Enrolment }
  /** A code by SMS comes first. */
  | { step: 'sms'; isCodeSent: boolean }
  /** The session did not begin with the password: log in again. */
  | { step: 'password' }

export async function findSecondStep(ctx: Ctx, { id, viewer: { id: userId, name } }: Session): Promise<SecondStep> {
  const [user] = await ctx.db.select({ sealed: users.totpSealed, step: users.totpStep }).from(users).where(eq(users.id, userId))
  if (user?.step != null) return { step: 'totp' }
  const [session] = await ctx.db
    .select({ isByPassword: sessions.isByPassword, mayEnrol: sql<boolean>`coalesce(${sessions.enrolUntil} > now(), false)` })
    .from(sessions)
    .where(eq(sessions.id, id))
  if (!session?.isByPassword) return { step: 'password' }
  if (!session.mayEnrol) return { step: 'sms', isCodeSent: await hasLiveOtp(ctx, bindingOf(await phoneOf(ctx, userId), id)) }
  const secret = ctx.vault.open('totp', user?.sealed ?? (await makeSecret(ctx, userId)))
  return {
    step: 'enrol',
    enrolment: { secret: secret.replace(/(.{4})(?=.)/g, '$1 '), qr: qrPicture(totpOf(secret, name).toString()) },
  }
}

const bindingOf = (phone: string, sessionId: number) =>
  ({ phone, purpose: 'totp', browserHash: createHash('sha256').update(`session:${sessionId}`).digest() }) as const

async function phoneOf(ctx: Ctx, userId: number): Promise<string> {
  return firstRow(await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId))).phone
}

/** Sends the code that opens the enrolment. Throws as `sendOtp` does; NOT_FOUND when there is nothing to enrol. */
export async function sendEnrolmentCode(ctx: Ctx, session: Session, site: OtpSite): Promise<void> {
  if ((await findSecondStep(ctx, session)).step !== 'sms') throw notFound()
  await sendOtp(ctx, bindingOf(await phoneOf(ctx, session.viewer.id), session.id), site)
}

/** Checks the code by SMS and shows the secret to this session for ten minutes. OTP_WRONG, OTP_EXPIRED, RATE_LIMITED. */
export async function openEnrolment(ctx: Ctx, session: Session, code: string): Promise<void> {
  const otpId = await proveOtp(ctx, bindingOf(await phoneOf(ctx, session.viewer.id), session.id), code)
  await inTransaction(ctx, async (ctx) => {
    await consumeOtp(ctx, otpId)
    await ctx.db
      .update(sessions)
      .set({ enrolUntil: sql`now() + make_interval(mins => ${ENROL_MINUTES})` })
      .where(and(eq(sessions.id, session.id), sessions.isByPassword))
  })
}

async function makeSecret(ctx: Ctx, id: number): Promise<Buffer> {
  const sealed = ctx.vault.seal('totp', new Secret({ size: 20 }).base32)
  await ctx.db
    .update(users)
    .set({ totpSealed: sealed })
    .where(and(eq(users.id, id), isNull(users.totpSealed)))
  const user = firstRow(await ctx.db.select({ sealed: users.totpSealed }).from(users).where(eq(users.id, id)))
  return user.sealed!
}

/**
 * Checks the code, logs the waiting session in and returns its new token. OTP_WRONG; RATE_LIMITED after wrong ones. Accepts no code twice,
 * and no code of a secret that this session may not see yet.
 */
export async function passTotp(ctx: Ctx, session: Session, code: string): Promise<string> {
  const { id, name } = session.viewer
  const { step } = await findSecondStep(ctx, session)
  if (step !== 'totp' && step !== 'enrol') throw wrong()
  const ladders = await findLadders(ctx, session)
  const tries = await claimTry(ctx.db, ladders.counted, otpLadder)
  if (code.length === RECOVERY_DIGITS && step === 'totp') {
    const token = await inTransaction({ ...ctx, viewer: session.viewer, sessionId: session.id }, async (ctx) => {
      if (!(await consumeRecoveryCode(ctx, id, code))) return null
      return finish(ctx, ladders, 'recovery code')
    })
    if (token === null) throw noteWrong(ctx, id, tries)
    return token
  }
  const [user] = await ctx.db.select({ sealed: users.totpSealed }).from(users).where(eq(users.id, id))
  const delta = user?.sealed
    ? totpOf(ctx.vault.open('totp', user.sealed), name).validate({ token: code, window: WINDOW, timestamp: ctx.now.getTime() })
    : null
  if (delta === null) throw noteWrong(ctx, id, tries)
  const taken = Math.floor(ctx.now.getTime() / 1000 / PERIOD_SECONDS) + delta
  return inTransaction({ ...ctx, viewer: session.viewer, sessionId: session.id }, async (ctx) => {
    const [row] = await ctx.db
      .update(users)
      .set({ totpStep: taken })
      .where(and(eq(users.id, id), or(isNull(users.totpStep), lt(users.totpStep, taken))))
      .returning({ id: users.id })
    if (!row) throw wrong()
    return finish(ctx, ladders, 'totp')
  })
}

interface Ladders {
  /** The key under which the tries of this browser for this admin count. */
  own: string
  /** The key under which this try counts. */
  counted: string
}

/**
 * A browser that has passed this admin's second step before has a ladder of its own; all others share one, which leaves an attacker with the
 * password few tries and the owner their browser. The row of the own ladder exists from the first right code on.
 */
async function findLadders(ctx: Ctx, { id, viewer }: Session): Promise<Ladders> {
  const [session] = await ctx.db.select({ device: sessions.deviceHash }).from(sessions).where(eq(sessions.id, id))
  const shared = `totp:${viewer.id}`
  const own = `${shared}|${session?.device?.toString('base64url') ?? ''}`
  const hasPassed = (await ctx.db.$count(failureLadders, eq(failureLadders.key, own))) > 0
  return { own, counted: hasPassed ? own : shared }
}

async function finish(ctx: Ctx, { own, counted }: Ladders, step: string): Promise<string> {
  await clearFailures(ctx.db, counted)
  await ctx.db
    .insert(failureLadders)
    .values({ key: own, failures: 0, triedAt: sql`now()` })
    .onConflictDoNothing()
  await audit(ctx, 'authn_login_success', `user:${ctx.viewer!.id}`, { step })
  return rotateSession(ctx)
}

/** A person who gets here has the password of an admin. */
function noteWrong(ctx: Ctx, user: number, tries: number): Problem {
  if (tries >= MANY_WRONG) ctx.log.error({ event: 'authn_login_fail', user, tries }, 'authenticator: many wrong codes in a row')
  return wrong()
}

const wrong = () => new Problem('OTP_WRONG', { fields: [{ field: 'otp', message: 'field_otp_wrong' }] })

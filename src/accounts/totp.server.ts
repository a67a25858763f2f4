import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { claimTry, clearFailures, otpLadder } from '#src/kit/failure-ladder.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { rotateSession, type Session } from './sessions.server.ts'
import { users } from './tables.ts'

/**
 * The second step of an admin of a live site: six digits of an authenticator app (RFC 6238). The first time, the app is shown
 * the secret; whoever has the password then is the one who enrols, so an admin logs in once right after he was made.
 */
const PERIOD_SECONDS = 30
/** One half minute to either side: phones' clocks differ. */
const WINDOW = 1
/** In a row; from then on the log says so. Who mistypes sees the next code before. */
const MANY_WRONG = 5

interface Enrolment {
  /** For typing in, in groups of four. */
  secret: string
  /** An SVG of the same as a QR code. */
  qr: string
}

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer: 'Sandhai', label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) })

/** What the app is to be shown; null once the first code was given. The same until then. */
export async function findEnrolment(ctx: Ctx, { viewer: { id, name } }: Session): Promise<Enrolment | null> {
  const [user] = await ctx.db.select({ sealed: users.totpSealed, step: users.totpStep }).from(users).where(eq(users.id, id))
  if (user?.step != null) return null
  const sealed = user?.sealed ?? (await makeSecret(ctx, id))
  const secret = ctx.vault.open('totp', sealed)
  return { secret: secret.replace(/(.{4})(?=.)/g, '$1 '), qr: renderSVG(totpOf(secret, name).toString(), { border: 2 }) }
}

async function makeSecret(ctx: Ctx, id: number): Promise<Buffer> {
  const sealed = ctx.vault.seal('totp', new Secret({ size: 20 }).base32)
  await ctx.db
    .update(users)
    .set({ totpSealed: sealed })
    .where(and(eq(users.id, id), isNull(users.totpSealed)))
  const [user] = await ctx.db.select({ sealed: users.totpSealed }).from(users).where(eq(users.id, id))
  return user!.sealed!
}

/**
 * The code is right: the session that waited for it is one from now on, under the token that is answered. OTP_WRONG; RATE_LIMITED
 * after wrong ones. No code is taken twice.
 */
export async function passTotp(ctx: Ctx, session: Session, code: string): Promise<string> {
  const { id, name } = session.viewer
  const ladder = `totp:${id}`
  const tries = await claimTry(ctx.db, ladder, otpLadder)
  const [user] = await ctx.db.select({ sealed: users.totpSealed }).from(users).where(eq(users.id, id))
  const delta = user?.sealed
    ? totpOf(ctx.vault.open('totp', user.sealed), name).validate({ token: code, window: WINDOW, timestamp: ctx.now.getTime() })
    : null
  if (delta === null) {
    // Whoever gets here has the password of an admin.
    if (tries >= MANY_WRONG) ctx.log.error({ event: 'authn_login_fail', user: id, tries }, 'authenticator: many wrong codes in a row')
    throw wrong()
  }
  const step = Math.floor(ctx.now.getTime() / 1000 / PERIOD_SECONDS) + delta
  return inTransaction({ ...ctx, viewer: session.viewer, sessionId: session.id }, async (ctx) => {
    const [taken] = await ctx.db
      .update(users)
      .set({ totpStep: step })
      .where(and(eq(users.id, id), or(isNull(users.totpStep), lt(users.totpStep, step))))
      .returning({ id: users.id })
    if (!taken) throw wrong()
    await clearFailures(ctx.db, ladder)
    await audit(ctx, 'authn_login_success', `user:${id}`, { step: 'totp' })
    return rotateSession(ctx)
  })
}

const wrong = () => new Problem('OTP_WRONG', { fields: [{ field: 'otp', message: 'field_otp_wrong' }] })

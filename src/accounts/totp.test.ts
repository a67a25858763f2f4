import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import type { Log } from '#src/kit/log.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { testDoor } from '#src/testing/test-door.ts'
import { logIn } from './identity.server.ts'
import { makeUser } from './makers.server.ts'
import { findSession, type Session } from './sessions.server.ts'
import { users } from './tables.ts'
import { findEnrolment, passTotp } from './totp.server.ts'
import { makeFirstAdmin } from './users.server.ts'

let market: TestMarket
let ctx: Ctx
let session: Session
let token: string
beforeAll(async () => {
  market = await openTestMarket()
  ctx = market.ctx
})
afterAll(() => market?.close())
beforeEach(async () => {
  const { id } = await makeUser(ctx, { typeId: 9, superAdmin: true })
  const [user] = await ctx.db.select().from(users).where(eq(users.id, id))
  token = (await logIn(ctx, user!, testDoor({ env: { mode: 'live', authEnumeration: 'spec' } }))).token
  session = (await findSession(ctx.db, token))!
})

/** What the app on the admin's phone shows at a time. */
const appOf = (secret: string) => (at: Date) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')), digits: 6, period: 30 }).generate({ timestamp: at.getTime() })
const enrol = async () => appOf((await findEnrolment(ctx, session))!.secret)
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )
const seconds = (n: number) => new Date(ctx.now.getTime() + n * 1000)

describe("an admin's second step", () => {
  test('opens the session that waited, under a new token; the old one is worth nothing', async () => {
    const show = await enrol()
    const fresh = await passTotp(ctx, session, show(ctx.now))
    expect(await findSession(ctx.db, token)).toBeNull()
    expect(await findSession(ctx.db, fresh)).toMatchObject({ id: session.id, awaitsTotp: false, viewer: { superAdmin: true } })
  })

  test('takes no code twice, and none older than one taken', async () => {
    const show = await enrol()
    await passTotp(ctx, session, show(ctx.now))
    expect(await refusal(passTotp(ctx, session, show(ctx.now)))).toBe('OTP_WRONG')
    expect(await refusal(passTotp(ctx, session, show(seconds(-30))))).toBe('OTP_WRONG')
  })

  test('forgives a clock that is half a minute off, not more', async () => {
    const show = await enrol()
    expect(await refusal(passTotp(ctx, session, show(seconds(-90))))).toBe('OTP_WRONG')
    expect(await refusal(passTotp(ctx, session, show(seconds(90))))).toBe('OTP_WRONG')
    expect(await refusal(passTotp(ctx, session, show(seconds(-30))))).toBe('taken')
  })

  test('shows the secret until the first code, then never again', async () => {
    const first = (await findEnrolment(ctx, session))!
    expect((await findEnrolment(ctx, session))!.secret).toBe(first.secret)
    expect(first.qr).toMatch(/^<svg/)
    await passTotp(ctx, session, appOf(first.secret)(ctx.now))
    expect(await findEnrolment(ctx, session)).toBeNull()
  })

  test('keeps the secret sealed, and begins anew when it was forgotten', async () => {
    const first = (await findEnrolment(ctx, session))!.secret.replaceAll(' ', '')
    const [row] = await ctx.db.select().from(users).where(eq(users.id, session.viewer.id))
    expect(row!.totpSealed!.toString('latin1')).not.toContain(first)
    await makeFirstAdmin(ctx, { phone: row!.phone, forgetsTotp: true })
    expect((await findEnrolment(ctx, session))!.secret.replaceAll(' ', '')).not.toBe(first)
  })

  test('rests for an hour after ten wrong ones, as a code by SMS does; from the fifth the log is alarmed', async () => {
    const show = await enrol()
    const alarms: unknown[] = []
    const log: Log = Object.assign(Object.create(ctx.log) as Log, { error: (what: unknown) => void alarms.push(what) })
    const failed = (code: string) =>
      passTotp({ ...ctx, log }, session, code).then(
        () => null,
        (error: Problem) => error,
      )
    for (let n = 0; n < 4; n++) expect(await failed('x')).toMatchObject({ code: 'OTP_WRONG' })
    expect(alarms).toEqual([])
    for (let n = 0; n < 6; n++) expect(await failed('x')).toMatchObject({ code: 'OTP_WRONG' })
    expect(alarms[0]).toMatchObject({ user: session.viewer.id, tries: 5 })
    const refused = await failed(show(ctx.now))
    expect(refused).toMatchObject({ code: 'RATE_LIMITED' })
    expect(refused!.retryAfterSeconds).toBeGreaterThan(3500)
  })

  test('is nobody else’s: a code of another admin does not open', async () => {
    const show = await enrol()
    const { id, name } = await makeUser(ctx, { typeId: 9 })
    const other: Session = { ...session, viewer: { ...session.viewer, id, name } }
    await findEnrolment(ctx, other)
    expect(await refusal(passTotp(ctx, other, show(ctx.now)))).toBe('OTP_WRONG')
  })
})

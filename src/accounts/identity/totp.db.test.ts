import { eq, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { codeSentTo, startTestOutbox, testAuthClient } from '#tools/test-kit/test-auth-client.ts'
import { forgetSends } from '#tools/test-kit/test-people.ts'
import { makeUser } from '../makers.server.ts'
import { findSession, type Session } from '../sessions.server.ts'
import { sessions, users } from '../tables.ts'
import { makeFirstAdmin } from '#src/accounts/people/users.server.ts'
import { logIn } from './identity.server.ts'
import { makeRecoveryCodes } from './recovery-codes.server.ts'
import { findSecondStep, openEnrolment, passTotp, sendEnrolmentCode } from './totp.server.ts'

let market: TestMarket
let sms: ReturnType<typeof startTestOutbox>
let ctx: Ctx
let session: Session
let token: string
shareMarket((opened) => (market = opened))
beforeAll(() => {
  ctx = market.ctx
  sms = startTestOutbox(ctx)
})
afterAll(() => sms?.stop())
beforeEach(async () => {
  // The sample numbers are neighbours and share a limit.
  await ctx.db.execute(sql`delete from limit_counts`)
  await ctx.db.execute(sql`delete from otps`)
  const { id } = await makeUser(ctx, { typeId: 9, superAdmin: true })
  const [user] = await ctx.db.select().from(users).where(eq(users.id, id))
  phone = user!.phone
  token = (await logIn(ctx, user!, client, { isByPassword: true })).token
  session = (await findSession(ctx.db, token))!
})
const client = testAuthClient({ env: { mode: 'live', authEnumeration: 'spec' } })
let phone: string

async function proveBySms(): Promise<void> {
  await sendEnrolmentCode(ctx, session, client)
  await openEnrolment(ctx, session, await codeSentTo(ctx, phone))
}
async function findEnrolment(of = session) {
  const found = await findSecondStep(ctx, of)
  return found.step === 'enrol' ? found.enrolment : null
}

/** The code that the admin's app shows at a given time. */
const appOf = (secret: string) => (at: Date) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')), digits: 6, period: 30 }).generate({ timestamp: at.getTime() })
const enrol = async () => {
  await proveBySms()
  return appOf((await findEnrolment())!.secret)
}
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )
const seconds = (n: number) => new Date(ctx.now.getTime() + n * 1000)

describe("an admin's second step", () => {
  test('opens the waiting session under a new token; the old token is invalid', async () => {
    const show = await enrol()
    const fresh = await passTotp(ctx, session, show(ctx.now))
    expect(await findSession(ctx.db, token)).toBeNull()
    expect(await findSession(ctx.db, fresh)).toMatchObject({ id: session.id, awaitsTotp: false, viewer: { superAdmin: true } })
  })

  test('accepts no code twice, and none older than an accepted one', async () => {
    const show = await enrol()
    await passTotp(ctx, session, show(ctx.now))
    expect(await refusal(passTotp(ctx, session, show(ctx.now)))).toBe('OTP_WRONG')
    expect(await refusal(passTotp(ctx, session, show(seconds(-30))))).toBe('OTP_WRONG')
  })

  test('tolerates a clock that is half a minute off, not more', async () => {
    const show = await enrol()
    expect(await refusal(passTotp(ctx, session, show(seconds(-90))))).toBe('OTP_WRONG')
    expect(await refusal(passTotp(ctx, session, show(seconds(90))))).toBe('OTP_WRONG')
    expect(await refusal(passTotp(ctx, session, show(seconds(-30))))).toBe('taken')
  })

  test('shows no secret for a password alone: a code by SMS must come first, and opens it for ten minutes', async () => {
    expect(await findSecondStep(ctx, session)).toEqual({ step: 'sms', isCodeSent: false })
    // Not even when the secret was created before.
    await ctx.db
      .update(users)
      .set({ totpSealed: ctx.vault.seal('totp', 'JBSWY3DPEHPK3PXP') })
      .where(eq(users.id, session.viewer.id))
    expect(await refusal(passTotp(ctx, session, appOf('JBSWY3DPEHPK3PXP')(ctx.now)))).toBe('OTP_WRONG')
    await sendEnrolmentCode(ctx, session, client)
    expect(await findSecondStep(ctx, session)).toEqual({ step: 'sms', isCodeSent: true })
    const code = await codeSentTo(ctx, phone)
    expect(await refusal(openEnrolment(ctx, session, code === '000000' ? '111111' : '000000'))).toBe('OTP_WRONG')
    expect(await findEnrolment()).toBeNull()
    await openEnrolment(ctx, session, code)
    expect(await findEnrolment()).not.toBeNull()
    await ctx.db
      .update(sessions)
      .set({ enrolUntil: new Date(0) })
      .where(eq(sessions.id, session.id))
    expect(await findSecondStep(ctx, session)).toMatchObject({ step: 'sms' })
  })

  test('shows no secret to another session of the same admin, nor to a session that began with a code alone', async () => {
    await proveBySms()
    const [user] = await ctx.db.select().from(users).where(eq(users.id, session.viewer.id))
    const second = (await findSession(ctx.db, (await logIn(ctx, user!, client, { isByPassword: true })).token))!
    expect(await findSecondStep(ctx, second)).toMatchObject({ step: 'sms' })
    const byCode = (await findSession(ctx.db, (await logIn(ctx, user!, client)).token))!
    expect(await findSecondStep(ctx, byCode)).toEqual({ step: 'password' })
    expect(await refusal(sendEnrolmentCode(ctx, byCode, client))).toBe('NOT_FOUND')
    await ctx.db
      .update(sessions)
      .set({ enrolUntil: seconds(600) })
      .where(eq(sessions.id, byCode.id))
    expect(await findSecondStep(ctx, byCode)).toEqual({ step: 'password' })
  })

  test('accepts each recovery code once in place of the app, only after enrolment; new codes end the old ones', async () => {
    const [first, second] = await makeRecoveryCodes(ctx, session.viewer.id)
    expect(first).toMatch(/^\d{10}$/)
    expect(await refusal(passTotp(ctx, session, first!))).toBe('OTP_WRONG')
    await passTotp(ctx, session, (await enrol())(ctx.now))
    const { rows } = (await ctx.db.execute(sql`select mac::text from recovery_codes`)) as unknown as { rows: { mac: string }[] }
    expect(JSON.stringify(rows)).not.toContain(first!)
    expect(await refusal(passTotp(ctx, session, first!))).toBe('taken')
    expect(await refusal(passTotp(ctx, session, first!))).toBe('OTP_WRONG')
    expect(await refusal(passTotp(ctx, session, '1234567890'))).toBe('OTP_WRONG')
    await makeRecoveryCodes(ctx, session.viewer.id)
    expect(await refusal(passTotp(ctx, session, second!))).toBe('OTP_WRONG')
  })

  test('shows the secret until the first code, then never again', async () => {
    await proveBySms()
    const first = (await findEnrolment())!
    expect((await findEnrolment())!.secret).toBe(first.secret)
    expect(first.qr).toMatch(/^<svg/)
    await passTotp(ctx, session, appOf(first.secret)(ctx.now))
    expect(await findEnrolment()).toBeNull()
  })

  test('keeps the secret sealed, and starts over after a reset', async () => {
    await proveBySms()
    const first = (await findEnrolment())!.secret.replaceAll(' ', '')
    const [row] = await ctx.db.select().from(users).where(eq(users.id, session.viewer.id))
    expect(row!.totpSealed!.toString('latin1')).not.toContain(first)
    await makeFirstAdmin(ctx, { phone: row!.phone, forgetsTotp: true })
    token = (await logIn(ctx, (await ctx.db.select().from(users).where(eq(users.id, row!.id)))[0]!, client, { isByPassword: true })).token
    session = (await findSession(ctx.db, token))!
    await forgetSends(ctx)
    await proveBySms()
    expect((await findEnrolment())!.secret.replaceAll(' ', '')).not.toBe(first)
  })

  test('is blocked for an hour after ten wrong codes, as a code by SMS is; from the fifth the log raises an alarm', async () => {
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

  test('others who know the password cannot keep the owner out of a browser that has passed it before', async () => {
    const show = await enrol()
    const [user] = await ctx.db.select().from(users).where(eq(users.id, session.viewer.id))
    const enter = async (known?: string) => {
      const entered = await logIn(ctx, user!, { ...client, known }, { isByPassword: true })
      return { known: entered.deviceToken, session: (await findSession(ctx.db, entered.token))! }
    }
    await passTotp(ctx, session, show(seconds(-30)))
    const owner = await enter()
    await passTotp(ctx, owner.session, show(ctx.now))
    const thief = await enter()
    for (let n = 0; n < 60; n++) await refusal(passTotp(ctx, thief.session, 'x'))
    expect(await refusal(passTotp(ctx, (await enter()).session, show(ctx.now)))).toBe('RATE_LIMITED')
    const back = await enter(owner.known)
    for (let n = 0; n < 9; n++) expect(await refusal(passTotp(ctx, back.session, 'x'))).toBe('OTP_WRONG')
    expect(await refusal(passTotp(ctx, back.session, show(seconds(30))))).toBe('taken')
    // The owner's wrong codes count in their browser, too.
    const again = await enter(owner.known)
    for (let n = 0; n < 10; n++) expect(await refusal(passTotp(ctx, again.session, 'x'))).toBe('OTP_WRONG')
    expect(await refusal(passTotp(ctx, again.session, show(seconds(30))))).toBe('RATE_LIMITED')
  })

  test('is personal: a code of another admin is refused', async () => {
    const show = await enrol()
    const { id, name } = await makeUser(ctx, { typeId: 9 })
    const other: Session = { ...session, viewer: { ...session.viewer, id, name } }
    await findEnrolment(other)
    expect(await refusal(passTotp(ctx, other, show(ctx.now)))).toBe('OTP_WRONG')
  })
})

import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { limitCounts, outbox } from '#src/kit/db/tables.ts'
import { codeSentTo, shareTestOutbox, testAuthClient } from '#tools/test-kit/test-auth-client.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeUser } from '../makers.server.ts'
import { knownPeople } from '../known-devices.server.ts'
import { endOwnSession, findSession, listSessions } from '../sessions.server.ts'
import { sessions, users } from '../tables.ts'
import { forgetSends, newPhone, PASSWORD, refusalOf, registerPerson } from '#tools/test-kit/test-people.ts'
import { finishCodeLogin, startCodeLogin } from './code-login.server.ts'
import type { LoggedIn } from './identity.server.ts'
import { changePassword, finishReset, login, requireOwnPassword, startReset } from './login.server.ts'
import { phoneKey } from './otp-limits.server.ts'

let market: TestMarket
let ctx: Ctx
shareMarket((opened) => {
  market = opened
  ctx = { ...market.ctx, browserId: null }
})
shareTestOutbox(() => ctx)

const enter = (phone: string, password: string, client = testAuthClient()) => login(ctx, { phone, password }, client)
/** A login that needs no code. */
const entered = async (phone: string, password: string, client = testAuthClient()) => (await enter(phone, password, client)) as LoggedIn

const register = (phone: string, changes?: Record<string, unknown>) => registerPerson(ctx, phone, changes)

describe('logging in', () => {
  test("accepts phone and password and names the browser; the browser's old session ends", async () => {
    const { user, token: first } = await register(newPhone())
    const { token } = await entered(user.phone, PASSWORD, testAuthClient({ oldToken: first }))
    expect(await findSession(ctx.db, first)).toBeNull()
    const session = (await findSession(ctx.db, token))!
    expect(session.viewer.id).toBe(user.id)
    expect(await listSessions({ ...ctx, viewer: session.viewer, sessionId: session.id })).toMatchObject([
      { device: 'Chrome · Android', isThis: true },
    ])
  })

  test('answers the same for a wrong password, an unknown phone and a deactivated account', async () => {
    const { user } = await register(newPhone())
    expect(await refusalOf(login(ctx, { phone: user.phone, password: 'not this one' }, testAuthClient()))).toBe('LOGIN_FAILED')
    expect(await refusalOf(login(ctx, { phone: newPhone(), password: PASSWORD }, testAuthClient()))).toBe('LOGIN_FAILED')
    await ctx.db.update(users).set({ isActive: false }).where(eq(users.id, user.id))
    expect(await refusalOf(login(ctx, { phone: user.phone, password: PASSWORD }, testAuthClient()))).toBe('LOGIN_FAILED')
  })

  test('who knows the password alone pushes out no browser that proved a code, by however many logins', async () => {
    const first = await register(newPhone())
    const { phone } = first.user
    const isKnown = async ({ deviceToken }: LoggedIn) => (await knownPeople(ctx, deviceToken)).length > 0
    const byPassword = await entered(phone, PASSWORD)
    expect(await isKnown(byPassword)).toBe(true)
    // A browser that logged in by password earlier, and proves a code now.
    const proved = await entered(phone, PASSWORD)
    const again = testAuthClient({ known: proved.deviceToken })
    const { token } = await startCodeLogin(ctx, phone, again)
    await finishCodeLogin(ctx, { phone, code: await codeSentTo(ctx, phone) }, token, again)
    const attacker: LoggedIn[] = []
    for (let n = 0; n < 25; n++) attacker.push(await entered(phone, PASSWORD, testAuthClient({ address: `203.0.113.${n}` })))
    expect(await isKnown(proved)).toBe(true)
    expect(await Promise.all(attacker.map(isKnown))).toEqual(attacker.map((_, n) => n >= 20))
    // Control: places that a login by password shares are pushed out.
    expect(await isKnown(byPassword)).toBe(false)
  })

  test('five wrong passwords block their IP address for a while; the owner can still log in from another one', async () => {
    const { user } = await register(newPhone())
    const client = testAuthClient()
    for (let n = 0; n < 5; n++)
      expect(await refusalOf(login(ctx, { phone: user.phone, password: 'wrong wrong' }, client))).toBe('LOGIN_FAILED')
    expect(await refusalOf(login(ctx, { phone: user.phone, password: PASSWORD }, client))).toBe('RATE_LIMITED')
    expect(await refusalOf(login(ctx, { phone: user.phone, password: PASSWORD }, testAuthClient()))).toBe('taken')
  })

  test('after a hundred wrong passwords in a day a new browser needs a code; right ones do not count', async () => {
    const { user } = await register(newPhone())
    const client = testAuthClient()
    const wrongOnes = async (count: number) => {
      for (let n = 0; n < count; n++) await client.limits.takeDurable(ctx.db, 'loginPhone', phoneKey(ctx, user.phone))
    }
    await wrongOnes(99)
    for (let n = 0; n < 2; n++) expect(await enter(user.phone, PASSWORD)).toHaveProperty('user')
    await wrongOnes(100)
    expect(await enter(user.phone, PASSWORD)).toHaveProperty('needsCode', true)
  })

  test("after a hundred wrong passwords of strangers, only the owner's known browser needs no code", async () => {
    const { user, deviceToken } = await register(newPhone())
    const other = await register(newPhone())
    for (let n = 0; n < 100; n++) await testAuthClient().limits.takeDurable(ctx.db, 'loginPhone', phoneKey(ctx, user.phone))
    for (const known of [undefined, '', 'x', other.deviceToken, `${deviceToken}x`, deviceToken.slice(1)])
      expect(await enter(user.phone, PASSWORD, testAuthClient({ known }))).toHaveProperty('needsCode', true)
    const own = testAuthClient({ known: deviceToken })
    expect(await enter(user.phone, PASSWORD, own)).toHaveProperty('user')
    for (let n = 0; n < 5; n++) expect(await refusalOf(enter(user.phone, 'wrong wrong', own))).toBe('LOGIN_FAILED')
    // After five wrong passwords this browser is blocked, too, from every address.
    expect(await refusalOf(enter(user.phone, PASSWORD, testAuthClient({ known: deviceToken })))).toBe('RATE_LIMITED')
  })

  test("the owner's known browser is not blocked by wrong passwords from the same address", async () => {
    const { user, deviceToken } = await register(newPhone())
    const client = testAuthClient()
    for (let n = 0; n < 5; n++) await refusalOf(enter(user.phone, 'wrong wrong', client))
    expect(await refusalOf(enter(user.phone, PASSWORD, client))).toBe('RATE_LIMITED')
    expect(await enter(user.phone, PASSWORD, { ...client, known: deviceToken })).toHaveProperty('user')
  })

  test('a try that was not checked because of overload does not count', async () => {
    const { user, token } = await register(newPhone())
    const client = testAuthClient()
    const tooMany = new Problem('UNAVAILABLE', { retryAfterSeconds: 2 })
    const busy = (ctx: Ctx): Ctx => ({
      ...ctx,
      vault: {
        ...ctx.vault,
        get passwordPepper(): Buffer {
          throw tooMany
        },
      },
    })
    const input = { phone: user.phone, password: 'wrong wrong' }
    const points = async () =>
      (
        await ctx.db
          .select()
          .from(limitCounts)
          .where(eq(limitCounts.key, `loginPhone:${phoneKey(ctx, user.phone)}`))
      ).map(({ points }) => points)
    for (let n = 0; n < 4; n++) expect(await refusalOf(login(ctx, input, client))).toBe('LOGIN_FAILED')
    for (let n = 0; n < 6; n++) expect(await refusalOf(login(busy(ctx), input, client))).toBe('UNAVAILABLE')
    expect(await points()).toEqual([4])
    expect(await refusalOf(login(ctx, { ...input, password: PASSWORD }, client))).toBe('taken')

    const { viewer, id: sessionId } = (await findSession(ctx.db, token))!
    const asMe = { ...ctx, viewer, sessionId }
    for (let n = 0; n < 4; n++) expect(await refusalOf(requireOwnPassword(asMe, 'wrong wrong'))).toBe('PASSWORD_WRONG')
    for (let n = 0; n < 6; n++) expect(await refusalOf(requireOwnPassword(busy(asMe), PASSWORD))).toBe('UNAVAILABLE')
    expect(await refusalOf(requireOwnPassword(asMe, PASSWORD))).toBe('taken')
  })

  test('at most ten sessions stay; the least recently used one ends', async () => {
    const { user, token: first } = await register(newPhone())
    await ctx.db
      .update(sessions)
      .set({ seenAt: new Date(Date.now() - 60_000) })
      .where(eq(sessions.userId, user.id))
    for (let n = 0; n < 10; n++) await login(ctx, { phone: user.phone, password: PASSWORD }, testAuthClient())
    expect(await findSession(ctx.db, first)).toBeNull()
    expect(await ctx.db.select().from(sessions).where(eq(sessions.userId, user.id))).toHaveLength(10)
  })

  test('an admin of a live site is anonymous until they give the authenticator’s code', async () => {
    const { user } = await register(newPhone())
    await ctx.db.update(users).set({ typeId: 9 }).where(eq(users.id, user.id))
    const { token, awaitsTotp } = await entered(user.phone, PASSWORD, testAuthClient({ env: { mode: 'live', authEnumeration: 'spec' } }))
    expect(awaitsTotp).toBe(true)
    expect(await findSession(ctx.db, token)).toMatchObject({ awaitsTotp: true })
  })
})

describe('a session', () => {
  test.each([
    ['of a buyer', 1, '29 days', true],
    ['of a buyer', 1, '31 days', false],
    ['of an admin', 9, '29 minutes', true],
    ['of an admin', 9, '31 minutes', false],
  ])('%s (type %i) not used for %s: alive %s', async (_, typeId, idle, isAlive) => {
    const { user, token } = await register(newPhone())
    await ctx.db.update(users).set({ typeId }).where(eq(users.id, user.id))
    await ctx.db.execute(sql`update sessions set seen_at = now() - ${idle}::interval where user_id = ${user.id}`)
    expect((await findSession(ctx.db, token)) !== null).toBe(isAlive)
  })

  test('can be ended and listed only by its owner', async () => {
    const [me, you] = [await register(newPhone()), await register(newPhone())]
    const mine = (await findSession(ctx.db, me.token))!
    const yours = (await findSession(ctx.db, you.token))!
    const asMe = { ...ctx, viewer: mine.viewer, sessionId: mine.id }
    expect(await refusalOf(endOwnSession(asMe, yours.id))).toBe('NOT_FOUND')
    expect(await findSession(ctx.db, you.token)).not.toBeNull()
    await endOwnSession(asMe, mine.id)
    expect(await findSession(ctx.db, me.token)).toBeNull()
  })

  test('always has the current role', async () => {
    const { user, token } = await register(newPhone())
    await ctx.db.update(users).set({ typeId: 2 }).where(eq(users.id, user.id))
    expect((await findSession(ctx.db, token))!.viewer.typeId).toBe(2)
    await ctx.db.update(users).set({ isActive: false }).where(eq(users.id, user.id))
    expect(await findSession(ctx.db, token)).toBeNull()
  })
})

describe('a new password', () => {
  const NEW = 'வெள்ளை ஆடு நான்கு'

  test('by code ends every session, logs in here and sends an SMS', async () => {
    const { user, token: old } = await register(newPhone())
    await forgetSends(ctx)
    const client = testAuthClient()
    const { token } = await startReset(ctx, user.phone, client)
    const code = await codeSentTo(ctx, user.phone)
    const fresh = await finishReset(ctx, { phone: user.phone, code, password: NEW }, token, client)
    expect(await findSession(ctx.db, old)).toBeNull()
    expect((await findSession(ctx.db, fresh.token))!.viewer.id).toBe(user.id)
    expect(await refusalOf(login(ctx, { phone: user.phone, password: PASSWORD }, testAuthClient()))).toBe('LOGIN_FAILED')
    expect(await refusalOf(login(ctx, { phone: user.phone, password: NEW }, testAuthClient()))).toBe('taken')
    const notified = await ctx.db
      .select()
      .from(outbox)
      .where(sql`${outbox.recipient} = ${user.phone} and ${outbox.template} = 'password-changed'`)
    expect(notified).toHaveLength(1)
  })

  test('needs the browser and phone of the request; a bad password costs no try', async () => {
    const { user } = await register(newPhone())
    const { user: other } = await register(newPhone())
    await forgetSends(ctx)
    const client = testAuthClient()
    const { token } = await startReset(ctx, user.phone, client)
    const code = await codeSentTo(ctx, user.phone)
    expect(await refusalOf(finishReset(ctx, { phone: user.phone, code, password: NEW }, 'x'.repeat(43), client))).toBe('OTP_EXPIRED')
    expect(await refusalOf(finishReset(ctx, { phone: other.phone, code, password: NEW }, token, client))).toBe('OTP_EXPIRED')
    for (let n = 0; n < 6; n++)
      expect(await refusalOf(finishReset(ctx, { phone: user.phone, code, password: 'password' }, token, client))).toBe('VALIDATION')
    expect(await refusalOf(finishReset(ctx, { phone: user.phone, code, password: NEW }, token, client))).toBe('taken')
  })

  test('for an unknown number: PHONE_UNKNOWN five times, then a neutral answer, and never an SMS', async () => {
    const client = testAuthClient()
    const phone = newPhone()
    for (let n = 0; n < 5; n++) expect(await refusalOf(startReset(ctx, phone, client))).toBe('PHONE_UNKNOWN')
    expect(await refusalOf(startReset(ctx, phone, client))).toBe('taken')
    expect(await ctx.db.select().from(outbox).where(eq(outbox.recipient, phone))).toEqual([])
  })

  test('with the old one: needs it, ends the other sessions, keeps this one', async () => {
    const { user, token } = await register(newPhone())
    const elsewhere = await entered(user.phone, PASSWORD)
    const session = (await findSession(ctx.db, token))!
    const asMe = { ...ctx, viewer: session.viewer, sessionId: session.id }
    const { limits } = testAuthClient()
    expect(await refusalOf(changePassword(asMe, { oldPassword: 'not the old one', newPassword: NEW }, limits))).toBe('PASSWORD_WRONG')
    await changePassword(asMe, { oldPassword: PASSWORD, newPassword: NEW }, limits)
    expect(await findSession(ctx.db, token)).not.toBeNull()
    expect(await findSession(ctx.db, elsewhere.token)).toBeNull()
  })

  test('with the old one: five times a day, because each sends an SMS; refused ones do not count', async () => {
    const { user, token } = await register(newPhone())
    const { viewer, id: sessionId } = (await findSession(ctx.db, token))!
    const { limits } = testAuthClient()
    const change = (oldPassword: string, newPassword: string) =>
      refusalOf(changePassword({ ...ctx, viewer, sessionId }, { oldPassword, newPassword }, limits))
    expect(await change('not the old one', NEW)).toBe('PASSWORD_WRONG')
    expect(await change(PASSWORD, 'password')).toBe('VALIDATION')
    for (let n = 0; n < 5; n++) expect(await (n % 2 ? change(NEW, PASSWORD) : change(PASSWORD, NEW))).toBe('taken')
    expect(await change(NEW, PASSWORD)).toBe('RATE_LIMITED')
    const notified = and(eq(outbox.recipient, user.phone), eq(outbox.template, 'password-changed'))
    expect(await ctx.db.select().from(outbox).where(notified)).toHaveLength(5)
  })

  test('cannot be reset for a deactivated account', async () => {
    const user = await makeUser(ctx, { isActive: false })
    expect(await refusalOf(startReset(ctx, user.phone, testAuthClient()))).toBe('PHONE_UNKNOWN')
  })
})

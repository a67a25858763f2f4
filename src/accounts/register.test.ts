import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/problem.ts'
import { failureLadders, outbox } from '#src/kit/tables.ts'
import { SendFailure } from '#src/kit/outbox.server.ts'
import { sweep } from '#src/retention.server.ts'
import { codeSentTo, startTestOutbox, testDoor } from '#src/testing/test-door.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { browserHashOf } from './identity.server.ts'
import { changePassword, finishReset, login, startReset } from './login.server.ts'
import { makeUser } from './makers.server.ts'
import { dropRegistration, findPending, finishRegistration, resendRegistration, startRegistration } from './register.server.ts'
import { registration } from './schemas.ts'
import { endOwnSession, findSession, listSessions } from './sessions.server.ts'
import { consents, otps, pendingRegistrations, sessions, users } from './tables.ts'

let market: TestMarket
let ctx: Ctx
let outboxWorker: ReturnType<typeof startTestOutbox>
let lastPhone = 9_100_000_000
/** No two are neighbours: those share a limit. */
const newPhone = () => `+91${(lastPhone += 10_001)}`
beforeAll(async () => {
  market = await openTestMarket()
  ctx = { ...market.ctx, browserId: null }
  outboxWorker = startTestOutbox(ctx)
})
afterAll(async () => {
  await outboxWorker?.stop()
  await market?.close()
})

const PASSWORD = 'காளை மாடு ஏழு'
const form = (phone: string, changes: Record<string, unknown> = {}) =>
  registration.parse({
    phone,
    password: PASSWORD,
    name: 'Selvi',
    titleId: 2,
    typeId: '1',
    pan: '',
    degree: '',
    referralCode: '',
    hasConsented: true,
    ...changes,
  })
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )
const userOf = async (phone: string) => (await ctx.db.select().from(users).where(eq(users.phone, phone)))[0]
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
/** The next code may be asked for at once: what the clock would do in a minute. */
const forgetSends = () => ctx.db.execute(sql`delete from limit_counts where key like 'otpPhone%'`)

async function register(phone: string, changes: Record<string, unknown> = {}) {
  const door = testDoor()
  const { token } = await startRegistration(ctx, form(phone, changes), door)
  return finishRegistration(ctx, { token, code: await codeSentTo(ctx, phone) }, door)
}

describe('registering', () => {
  test('makes nobody a user before the code, and logs in with it', async () => {
    const phone = newPhone()
    const door = testDoor()
    const { token, id, otp } = await startRegistration(ctx, form(phone, { typeId: '3', pan: 'abcde 1234 f', degree: 'BVSc' }), door)
    expect(otp).toEqual({ expiresInSeconds: 600, resendAfterSeconds: 60, isOnItsWay: false })
    expect(await userOf(phone)).toBeUndefined()
    expect(await findPending(ctx, token)).toMatchObject({ id, phone })
    const { user, token: session } = await finishRegistration(ctx, { token, id, code: await codeSentTo(ctx, phone) }, door)
    expect(user).toMatchObject({ name: 'Selvi', phone, typeId: 3, referralCode: expect.stringMatching(/^[A-Z2-9]{10}$/) })
    expect((await findSession(ctx.db, session))?.viewer).toMatchObject({ id: user.id, typeId: 3, vetApproved: false, superAdmin: false })
    const row = (await userOf(phone))!
    expect(ctx.vault.open('pan', row.panSealed!)).toBe('ABCDE1234F')
    expect(row.degree).toBeNull()
    expect(await ctx.db.select().from(consents).where(eq(consents.userId, user.id))).toMatchObject([
      { purpose: 'account', locale: 'en', withdrawnAt: null },
    ])
    expect(await findPending(ctx, token)).toBeNull()
  })

  test('keeps neither the code nor the password anywhere in the database', async () => {
    const phone = newPhone()
    const door = testDoor()
    await startRegistration(ctx, form(phone), door)
    const code = await codeSentTo(ctx, phone)
    for (const table of [otps, pendingRegistrations, outbox]) {
      for (const row of await ctx.db.select().from(table)) {
        const text = JSON.stringify(row, (_, value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : value))
        expect(text).not.toContain(code)
        expect(text).not.toContain(PASSWORD)
      }
    }
  })

  test('is not possible as an admin, nor as nobody', () => {
    for (const typeId of ['0', '9', '6', '', 'x', '1.5', null])
      expect(registration.safeParse({ ...form(newPhone()), typeId }).success).toBe(false)
  })

  test('does not block the phone: two may begin, the one who has the phone ends it', async () => {
    const phone = newPhone()
    const [thief, owner] = [testDoor(), testDoor()]
    const one = await startRegistration(ctx, form(phone, { name: 'Thief' }), thief)
    await forgetSends()
    const two = await startRegistration(ctx, form(phone, { name: 'Owner' }), owner)
    const code = await codeSentTo(ctx, phone)
    expect(await refusal(finishRegistration(ctx, { token: one.token, code }, thief))).toBe('OTP_EXPIRED')
    expect((await finishRegistration(ctx, { token: two.token, code }, owner)).user.name).toBe('Owner')
  })

  test("with another browser's code, or another's registration, is refused", async () => {
    const [mine, yours] = [newPhone(), newPhone()]
    const door = testDoor()
    const me = await startRegistration(ctx, form(mine), door)
    const you = await startRegistration(ctx, form(yours), door)
    expect(await refusal(finishRegistration(ctx, { token: me.token, id: you.id, code: await codeSentTo(ctx, yours) }, door))).toBe(
      'NOT_FOUND',
    )
    expect(await refusal(finishRegistration(ctx, { token: undefined, code: await codeSentTo(ctx, yours) }, door))).toBe('NOT_FOUND')
    expect(await refusal(finishRegistration(ctx, { token: me.token, code: wrong(await codeSentTo(ctx, mine)) }, door))).toBe('OTP_WRONG')
    expect(await userOf(mine)).toBeUndefined()
  })

  test('can be taken up again for a quarter of an hour, with another code after a minute, or with the right number', async () => {
    const [typo, phone] = [newPhone(), newPhone()]
    const door = testDoor()
    const { token } = await startRegistration(ctx, form(typo), door)
    expect(await refusal(resendRegistration(ctx, token, door))).toBe('RATE_LIMITED')
    await resendRegistration(ctx, token, door, phone)
    expect(await findPending(ctx, token)).toMatchObject({ phone, resendInSeconds: expect.any(Number) })
    expect(await refusal(finishRegistration(ctx, { token, code: await codeSentTo(ctx, typo) }, door))).not.toBe('taken')
    expect((await finishRegistration(ctx, { token, code: await codeSentTo(ctx, phone) }, door)).user.phone).toBe(phone)
  })

  test('is over after fifteen minutes, and can be given up before', async () => {
    const phone = newPhone()
    const door = testDoor()
    const { token, id } = await startRegistration(ctx, form(phone), door)
    const code = await codeSentTo(ctx, phone)
    await ctx.db
      .update(pendingRegistrations)
      .set({ expiresAt: sql`now()` as never })
      .where(eq(pendingRegistrations.id, id))
    expect(await findPending(ctx, token)).toBeNull()
    expect(await refusal(finishRegistration(ctx, { token, code }, door))).toBe('NOT_FOUND')
    const again = await startRegistration(ctx, form(newPhone()), door)
    await dropRegistration(ctx, again.token)
    expect(await findPending(ctx, again.token)).toBeNull()
  })

  test('a registered number is told some times, then not, and gets no SMS either way', async () => {
    const taken = newPhone()
    await register(taken)
    const door = testDoor()
    const before = (await ctx.db.select().from(outbox)).length
    for (let n = 0; n < 5; n++) expect(await refusal(startRegistration(ctx, form(taken), door))).toBe('PHONE_TAKEN')
    await forgetSends()
    const neutral = await startRegistration(ctx, form(taken), door)
    expect(neutral.otp.expiresInSeconds).toBe(600)
    expect(await refusal(finishRegistration(ctx, { token: neutral.token, code: '123456' }, door))).toBe('OTP_WRONG')
    expect((await ctx.db.select().from(outbox)).length).toBe(before)
    await forgetSends()
    const uniform = testDoor({ env: { mode: 'demo', authEnumeration: 'uniform' } })
    expect((await startRegistration(ctx, form(taken), uniform)).otp).toEqual(neutral.otp)
  })

  test('with a code of a friend remembers who that was; with a wrong or no code it goes on', async () => {
    const friend = (await register(newPhone())).user
    const guest = (await register(newPhone(), { referralCode: friend.referralCode.toLowerCase() })).user
    const lost = (await register(newPhone(), { referralCode: 'NOSUCHCODE' })).user
    expect((await userOf(guest.phone))!.referredById).toBe(friend.id)
    expect((await userOf(lost.phone))!.referredById).toBeNull()
  })

  test.each(['password', '12345678', 'sandhai123', 'Selvi123', 'aaaaaaaa', 'qwertyuiop'])(
    'the password %s is refused: others would guess it',
    async (password) => {
      expect(await refusal(startRegistration(ctx, form(newPhone(), { password }), testDoor()))).toBe('VALIDATION')
    },
  )

  test("the person's own number is refused as a password", async () => {
    const phone = newPhone()
    expect(await refusal(startRegistration(ctx, form(phone, { password: phone.slice(3) }), testDoor()))).toBe('VALIDATION')
  })

  test('when no SMS can be sent, says so, leaves nothing behind and sends nothing later', async () => {
    await outboxWorker.stop()
    let calls = 0
    const down = startTestOutbox(ctx, {
      send: async () => {
        calls += 1
        throw new SendFailure('PROVIDER_500')
      },
    })
    const phone = newPhone()
    try {
      const started = performance.now()
      expect(await refusal(startRegistration(ctx, form(phone), testDoor()))).toBe('SMS_UNAVAILABLE')
      expect(performance.now() - started).toBeLessThan(3000)
    } finally {
      await down.stop()
      outboxWorker = startTestOutbox(ctx)
    }
    expect(await ctx.db.select().from(pendingRegistrations).where(eq(pendingRegistrations.phone, phone))).toEqual([])
    expect(
      await ctx.db
        .select()
        .from(otps)
        .where(sql`${otps.phone} = ${phone} and ${otps.endedAt} is null`),
    ).toEqual([])
    expect(calls).toBe(1)
  })
})

describe('a one-time code', () => {
  const start = async () => {
    const phone = newPhone()
    const door = testDoor()
    const { token } = await startRegistration(ctx, form(phone), door)
    return { phone, door, token, code: await codeSentTo(ctx, phone), row: eq(otps.browserHash, browserHashOf(token)) }
  }

  test('works at 9:59.9 and not at 10:00', async () => {
    const late = await start()
    await ctx.db
      .update(otps)
      .set({ expiresAt: sql`now()` as never })
      .where(late.row)
    expect(await refusal(finishRegistration(ctx, late, late.door))).toBe('OTP_EXPIRED')
    const inTime = await start()
    await ctx.db
      .update(otps)
      .set({ expiresAt: sql`now() + interval '3 seconds'` as never })
      .where(inTime.row)
    expect(await refusal(finishRegistration(ctx, inTime, inTime.door))).toBe('taken')
  })

  test('may be tried five times, the right one then comes too late', async () => {
    const { token, door, code } = await start()
    for (let n = 0; n < 5; n++) expect(await refusal(finishRegistration(ctx, { token, code: wrong(code) }, door))).toBe('OTP_WRONG')
    expect(await refusal(finishRegistration(ctx, { token, code }, door))).toBe('OTP_EXPIRED')
  })

  test('is worth nothing once a newer one was sent', async () => {
    const { token, door, code, phone } = await start()
    await forgetSends()
    await resendRegistration(ctx, token, door)
    const newer = await codeSentTo(ctx, phone)
    if (newer !== code) expect(await refusal(finishRegistration(ctx, { token, code }, door))).toBe('OTP_WRONG')
    expect(await refusal(finishRegistration(ctx, { token, code: newer }, door))).toBe('taken')
  })

  test('after ten wrong ones in a row the phone rests for an hour, and says how long', async () => {
    const { token, door, code, phone } = await start()
    await ctx.db.insert(failureLadders).values({ key: `otp:${phone}`, failures: 9, triedAt: new Date() })
    expect(await refusal(finishRegistration(ctx, { token, code: wrong(code) }, door))).toBe('OTP_WRONG')
    const resting = await finishRegistration(ctx, { token, code }, door).catch((error: unknown) => error as Problem)
    expect(resting).toMatchObject({ code: 'RATE_LIMITED' })
    expect((resting as Problem).retryAfterSeconds).toBeGreaterThan(3500)
  })
})

describe('logging in', () => {
  test('takes phone and password, in a browser that is named; the old session of that browser ends', async () => {
    const { user, token: first } = await register(newPhone())
    const { token } = await login(ctx, { phone: user.phone, password: PASSWORD }, testDoor({ oldToken: first }))
    expect(await findSession(ctx.db, first)).toBeNull()
    const session = (await findSession(ctx.db, token))!
    expect(session.viewer.id).toBe(user.id)
    expect(await listSessions({ ...ctx, viewer: session.viewer, sessionId: session.id })).toMatchObject([
      { device: 'Chrome · Android', isThis: true },
    ])
  })

  test('says the same for a wrong password, an unknown phone and a deactivated account', async () => {
    const { user } = await register(newPhone())
    expect(await refusal(login(ctx, { phone: user.phone, password: 'not this one' }, testDoor()))).toBe('LOGIN_FAILED')
    expect(await refusal(login(ctx, { phone: newPhone(), password: PASSWORD }, testDoor()))).toBe('LOGIN_FAILED')
    await ctx.db.update(users).set({ isActive: false }).where(eq(users.id, user.id))
    expect(await refusal(login(ctx, { phone: user.phone, password: PASSWORD }, testDoor()))).toBe('LOGIN_FAILED')
  })

  test('rests after five wrong ones from one address; from elsewhere the owner comes in, and is never locked out', async () => {
    const { user } = await register(newPhone())
    const door = testDoor()
    for (let n = 0; n < 5; n++) expect(await refusal(login(ctx, { phone: user.phone, password: 'wrong wrong' }, door))).toBe('LOGIN_FAILED')
    expect(await refusal(login(ctx, { phone: user.phone, password: PASSWORD }, door))).toBe('RATE_LIMITED')
    expect(await refusal(login(ctx, { phone: user.phone, password: PASSWORD }, testDoor()))).toBe('taken')
  })

  test('after a hundred wrong ones in a day only a code helps; right ones do not count', async () => {
    const { user } = await register(newPhone())
    const door = testDoor()
    const wrongOnes = async (count: number) => {
      for (let n = 0; n < count; n++) await door.limits.takeDurable(ctx.db, 'loginPhone', user.phone)
    }
    await wrongOnes(99)
    for (let n = 0; n < 2; n++) expect(await refusal(login(ctx, { phone: user.phone, password: PASSWORD }, testDoor()))).toBe('taken')
    await wrongOnes(100)
    expect(await refusal(login(ctx, { phone: user.phone, password: PASSWORD }, testDoor()))).toBe('LOGIN_FAILED')
  })

  test('keeps ten sessions, the one not used for longest ends', async () => {
    const { user, token: first } = await register(newPhone())
    await ctx.db
      .update(sessions)
      .set({ seenAt: new Date(Date.now() - 60_000) })
      .where(eq(sessions.userId, user.id))
    for (let n = 0; n < 10; n++) await login(ctx, { phone: user.phone, password: PASSWORD }, testDoor())
    expect(await findSession(ctx.db, first)).toBeNull()
    expect(await ctx.db.select().from(sessions).where(eq(sessions.userId, user.id))).toHaveLength(10)
  })

  test('an admin of a live site is nobody until the authenticator has spoken', async () => {
    const { user } = await register(newPhone())
    await ctx.db.update(users).set({ typeId: 9 }).where(eq(users.id, user.id))
    const { token, awaitsTotp } = await login(
      ctx,
      { phone: user.phone, password: PASSWORD },
      testDoor({ env: { mode: 'live', authEnumeration: 'spec' } }),
    )
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

  test("can be ended by its owner and nobody else, and other people's are not listed", async () => {
    const [me, you] = [await register(newPhone()), await register(newPhone())]
    const mine = (await findSession(ctx.db, me.token))!
    const yours = (await findSession(ctx.db, you.token))!
    const asMe = { ...ctx, viewer: mine.viewer, sessionId: mine.id }
    expect(await refusal(endOwnSession(asMe, yours.id))).toBe('NOT_FOUND')
    expect(await findSession(ctx.db, you.token)).not.toBeNull()
    await endOwnSession(asMe, mine.id)
    expect(await findSession(ctx.db, me.token)).toBeNull()
  })

  test('has the role of this minute', async () => {
    const { user, token } = await register(newPhone())
    await ctx.db.update(users).set({ typeId: 2 }).where(eq(users.id, user.id))
    expect((await findSession(ctx.db, token))!.viewer.typeId).toBe(2)
    await ctx.db.update(users).set({ isActive: false }).where(eq(users.id, user.id))
    expect(await findSession(ctx.db, token)).toBeNull()
  })
})

describe('what nobody can use any more', () => {
  test('is removed: codes and registrations of yesterday, sessions that are over', async () => {
    const { token } = await register(newPhone())
    const { token: kept } = await register(newPhone())
    await startRegistration(ctx, form(newPhone()), testDoor())
    await ctx.db.execute(sql`update otps set created_at = now() - interval '25 hours'`)
    await ctx.db.execute(sql`update pending_registrations set created_at = now() - interval '25 hours'`)
    const over = (await findSession(ctx.db, token))!
    await ctx.db.execute(sql`update sessions set expires_at = now() where id = ${over.id}`)
    await sweep(ctx.db)
    expect([(await ctx.db.select().from(otps)).length, (await ctx.db.select().from(pendingRegistrations)).length]).toEqual([0, 0])
    expect(await ctx.db.select().from(sessions).where(eq(sessions.id, over.id))).toEqual([])
    expect(await findSession(ctx.db, kept)).not.toBeNull()
  })
})

describe('a new password', () => {
  const NEW = 'வெள்ளை ஆடு நான்கு'

  test('by code ends every session, logs in here and tells the phone', async () => {
    const { user, token: old } = await register(newPhone())
    await forgetSends()
    const door = testDoor()
    const { token } = await startReset(ctx, user.phone, door)
    const code = await codeSentTo(ctx, user.phone)
    const fresh = await finishReset(ctx, { phone: user.phone, code, password: NEW }, token, door)
    expect(await findSession(ctx.db, old)).toBeNull()
    expect((await findSession(ctx.db, fresh.token))!.viewer.id).toBe(user.id)
    expect(await refusal(login(ctx, { phone: user.phone, password: PASSWORD }, testDoor()))).toBe('LOGIN_FAILED')
    expect(await refusal(login(ctx, { phone: user.phone, password: NEW }, testDoor()))).toBe('taken')
    const told = await ctx.db
      .select()
      .from(outbox)
      .where(sql`${outbox.recipient} = ${user.phone} and ${outbox.template} = 'password-changed'`)
    expect(told).toHaveLength(1)
  })

  test('needs the browser that asked, the phone it was asked for, and a good password before a try is lost', async () => {
    const { user } = await register(newPhone())
    const { user: other } = await register(newPhone())
    await forgetSends()
    const door = testDoor()
    const { token } = await startReset(ctx, user.phone, door)
    const code = await codeSentTo(ctx, user.phone)
    expect(await refusal(finishReset(ctx, { phone: user.phone, code, password: NEW }, 'x'.repeat(43), door))).toBe('OTP_EXPIRED')
    expect(await refusal(finishReset(ctx, { phone: other.phone, code, password: NEW }, token, door))).toBe('OTP_EXPIRED')
    for (let n = 0; n < 6; n++)
      expect(await refusal(finishReset(ctx, { phone: user.phone, code, password: 'password' }, token, door))).toBe('VALIDATION')
    expect(await refusal(finishReset(ctx, { phone: user.phone, code, password: NEW }, token, door))).toBe('taken')
  })

  test('for a number that is not here: told five times, then a neutral answer, and never an SMS', async () => {
    const door = testDoor()
    const phone = newPhone()
    for (let n = 0; n < 5; n++) expect(await refusal(startReset(ctx, phone, door))).toBe('PHONE_UNKNOWN')
    expect(await refusal(startReset(ctx, phone, door))).toBe('taken')
    expect(await ctx.db.select().from(outbox).where(eq(outbox.recipient, phone))).toEqual([])
  })

  test('with the old one: needs it, ends the other sessions, keeps this one', async () => {
    const { user, token } = await register(newPhone())
    const elsewhere = await login(ctx, { phone: user.phone, password: PASSWORD }, testDoor())
    const session = (await findSession(ctx.db, token))!
    const asMe = { ...ctx, viewer: session.viewer, sessionId: session.id }
    expect(await refusal(changePassword(asMe, { oldPassword: 'not the old one', newPassword: NEW }))).toBe('PASSWORD_WRONG')
    await changePassword(asMe, { oldPassword: PASSWORD, newPassword: NEW })
    expect(await findSession(ctx.db, token)).not.toBeNull()
    expect(await findSession(ctx.db, elsewhere.token)).toBeNull()
  })

  test('cannot be reset for a deactivated account', async () => {
    const user = await makeUser(ctx, { isActive: false })
    expect(await refusal(startReset(ctx, user.phone, testDoor()))).toBe('PHONE_UNKNOWN')
  })
})

import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPhone } from '#src/kit/text/readers.ts'
import type { Ctx } from '#src/kit/context.ts'
import { claimTry, loginLadder, otpLadder } from '#src/kit/http/failure-ladder.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { failureLadders, outbox } from '#src/kit/db/tables.ts'
import { SendFailure } from '#src/kit/messages/outbox.server.ts'
import { sweep } from '#src/market/retention.server.ts'
import { codeSentTo, startTestOutbox, testAuthClient, wrongCode } from '#tools/test-kit/test-auth-client.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { pageRegistration, registration } from '../schemas.ts'
import { REGISTRABLE_TYPES } from '../rules.ts'
import { findSession, hashOfToken } from '../sessions.server.ts'
import { consents, otps, pendingRegistrations, sessions, users } from '../tables.ts'
import { forgetSends, newPhone, PASSWORD, refusalOf, registerPerson, registrationForm } from '#tools/test-kit/test-people.ts'
import { phoneKey } from './otp-limits.server.ts'
import { dropRegistration, findPending, finishRegistration, resendRegistration, startRegistration } from './register.server.ts'

let market: TestMarket
let ctx: Ctx
let outboxWorker: ReturnType<typeof startTestOutbox>
shareMarket((opened) => (market = opened))
beforeAll(() => {
  ctx = { ...market.ctx, browserId: null }
  outboxWorker = startTestOutbox(ctx)
})
afterAll(() => outboxWorker?.stop())

const userOf = async (phone: string) => (await ctx.db.select().from(users).where(eq(users.phone, phone)))[0]

const register = (phone: string, changes?: Record<string, unknown>) => registerPerson(ctx, phone, changes)

describe('registering', () => {
  test('creates the user only with the code, and logs in with it', async () => {
    const phone = newPhone()
    const client = testAuthClient()
    const { token, id, otp } = await startRegistration(
      ctx,
      registrationForm(phone, { typeId: '3', pan: 'abcde 1234 f', degree: 'BVSc' }),
      client,
    )
    expect(otp).toEqual({ expiresInSeconds: 600, resendAfterSeconds: 60, isOnItsWay: false })
    expect(await userOf(phone)).toBeUndefined()
    expect(await findPending(ctx, token)).toMatchObject({ id, phone })
    const { user, token: session } = await finishRegistration(ctx, { token, id, code: await codeSentTo(ctx, phone) }, client)
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

  test('without a password logs in by code alone', async () => {
    const phone = newPhone()
    const client = testAuthClient()
    const form = pageRegistration.parse({
      phone,
      password: null,
      name: 'Selvi',
      titleId: '',
      typeId: '1',
      pan: '',
      degree: '',
      referralCode: '',
      hasConsented: true,
    })
    const { token } = await startRegistration(ctx, form, client)
    await finishRegistration(ctx, { token, code: await codeSentTo(ctx, phone) }, client)
    expect(await userOf(phone)).toMatchObject({ name: 'Selvi', typeId: 1, titleId: null, passwordHash: null, panSealed: null })
  })

  test('on the page checks each field that is filled with the message of the specification, and lets the others stay empty', () => {
    const form = { phone: newPhone(), password: null, name: 'Selvi', titleId: '', typeId: '2', pan: '', degree: '', referralCode: '' }
    const errorsOf = (changes: object) => {
      const parsed = pageRegistration.safeParse({ ...form, hasConsented: true, ...changes })
      return Object.fromEntries((parsed.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]))
    }
    for (const typeId of REGISTRABLE_TYPES) expect(errorsOf({ typeId: String(typeId) })).toEqual({})
    expect(errorsOf({ titleId: '4', password: PASSWORD, pan: 'abcde 1234 f', degree: 'BVSc' })).toEqual({})
    expect(errorsOf({ phone: '', name: ' ', typeId: '' })).toEqual({
      phone: 'field_phone_blank',
      name: 'field_name_blank',
      typeId: 'field_type_blank',
    })
    expect(errorsOf({ phone: '12345', pan: 'ABCD12345F', password: 'short', titleId: '99' })).toEqual({
      phone: 'field_phone_format',
      pan: 'field_pan_format',
      password: 'field_password_short',
      titleId: 'field_title_unknown',
    })
  })

  test('a phone number has at least twelve digits with the country code, and India is the default', () => {
    for (const typed of ['9876543210', '09876543210', '+91 98765 43210', '919876543210']) expect(readPhone(typed)).toBe('+919876543210')
    expect(readPhone('+12345678901')).toBeNull()
    expect(readPhone('+123456789012')).toBe('+123456789012')
  })

  test('stores neither the code nor the password in the database', async () => {
    const phone = newPhone()
    const client = testAuthClient()
    await startRegistration(ctx, registrationForm(phone), client)
    const code = await codeSentTo(ctx, phone)
    for (const table of [otps, pendingRegistrations, outbox]) {
      for (const row of await ctx.db.select().from(table)) {
        const text = JSON.stringify(row, (_, value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : value))
        expect(text).not.toContain(code)
        expect(text).not.toContain(PASSWORD)
      }
    }
  })

  test('is refused for admins and guests', () => {
    for (const typeId of [
      '0',
      '9',
      '6',
      '',
      'x',
      '1.5',
      null,
      0,
      9,
      1.5,
      '0x5',
      '5.0',
      ' 5',
      '05',
      '5e0',
      true,
      [5],
      ['5'],
      { valueOf: 5 },
    ])
      expect(registration.safeParse({ ...registrationForm(newPhone()), typeId }).success, JSON.stringify(typeId)).toBe(false)
    for (const typeId of [5, '5']) expect(registrationForm(newPhone(), { typeId }).typeId).toBe(5)
  })

  test('does not reserve the phone: two may begin, and the one who has the phone finishes', async () => {
    const phone = newPhone()
    const [thief, owner] = [testAuthClient(), testAuthClient()]
    const one = await startRegistration(ctx, registrationForm(phone, { name: 'Thief' }), thief)
    await forgetSends(ctx)
    const two = await startRegistration(ctx, registrationForm(phone, { name: 'Owner' }), owner)
    const code = await codeSentTo(ctx, phone)
    expect(await refusalOf(finishRegistration(ctx, { token: one.token, code }, thief))).toBe('OTP_EXPIRED')
    expect((await finishRegistration(ctx, { token: two.token, code }, owner)).user.name).toBe('Owner')
  })

  test("with another browser's code, or another's registration, is refused", async () => {
    const [mine, yours] = [newPhone(), newPhone()]
    const client = testAuthClient()
    const me = await startRegistration(ctx, registrationForm(mine), client)
    const you = await startRegistration(ctx, registrationForm(yours), client)
    expect(await refusalOf(finishRegistration(ctx, { token: me.token, id: you.id, code: await codeSentTo(ctx, yours) }, client))).toBe(
      'NOT_FOUND',
    )
    expect(await refusalOf(finishRegistration(ctx, { token: undefined, code: await codeSentTo(ctx, yours) }, client))).toBe('NOT_FOUND')
    expect(await refusalOf(finishRegistration(ctx, { token: me.token, code: wrongCode(await codeSentTo(ctx, mine)) }, client))).toBe(
      'OTP_WRONG',
    )
    expect(await userOf(mine)).toBeUndefined()
  })

  test('can be continued for fifteen minutes, with another code after a minute, or with a corrected number', async () => {
    const [typo, phone] = [newPhone(), newPhone()]
    const client = testAuthClient()
    const { token } = await startRegistration(ctx, registrationForm(typo), client)
    expect(await refusalOf(resendRegistration(ctx, token, client))).toBe('RATE_LIMITED')
    await resendRegistration(ctx, token, client, phone)
    expect(await findPending(ctx, token)).toMatchObject({ phone, resendInSeconds: expect.any(Number) })
    expect(await refusalOf(finishRegistration(ctx, { token, code: await codeSentTo(ctx, typo) }, client))).not.toBe('taken')
    expect((await finishRegistration(ctx, { token, code: await codeSentTo(ctx, phone) }, client)).user.phone).toBe(phone)
  })

  test('a registration waits for its code for 900,000 milliseconds', async () => {
    const { id } = await startRegistration(ctx, registrationForm(newPhone()), testAuthClient())
    const [row] = await ctx.db.select().from(pendingRegistrations).where(eq(pendingRegistrations.id, id))
    expect(row!.expiresAt.getTime() - row!.createdAt.getTime()).toBe(900_000)
  })

  test('expires after fifteen minutes, and can be dropped before', async () => {
    const phone = newPhone()
    const client = testAuthClient()
    const { token, id } = await startRegistration(ctx, registrationForm(phone), client)
    const code = await codeSentTo(ctx, phone)
    await ctx.db
      .update(pendingRegistrations)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(pendingRegistrations.id, id))
    expect(await findPending(ctx, token)).toBeNull()
    expect(await refusalOf(finishRegistration(ctx, { token, code }, client))).toBe('NOT_FOUND')
    const again = await startRegistration(ctx, registrationForm(newPhone()), client)
    await dropRegistration(ctx, again.token)
    expect(await findPending(ctx, again.token)).toBeNull()
  })

  test('a registered number gets PHONE_TAKEN a few times, then the neutral answer, and never an SMS', async () => {
    const taken = newPhone()
    await register(taken)
    const client = testAuthClient()
    const before = (await ctx.db.select().from(outbox)).length
    for (let n = 0; n < 5; n++) expect(await refusalOf(startRegistration(ctx, registrationForm(taken), client))).toBe('PHONE_TAKEN')
    await forgetSends(ctx)
    const neutral = await startRegistration(ctx, registrationForm(taken), client)
    expect(neutral.otp.expiresInSeconds).toBe(600)
    expect(await refusalOf(finishRegistration(ctx, { token: neutral.token, code: '123456' }, client))).toBe('OTP_WRONG')
    expect((await ctx.db.select().from(outbox)).length).toBe(before)
    await forgetSends(ctx)
    const uniform = testAuthClient({ env: { mode: 'demo', authEnumeration: 'uniform' } })
    expect((await startRegistration(ctx, registrationForm(taken), uniform)).otp).toEqual(neutral.otp)
  })

  test("with a friend's code stores the referrer; a wrong or missing code is ignored", async () => {
    const friend = (await register(newPhone())).user
    const guest = (await register(newPhone(), { referralCode: friend.referralCode.toLowerCase() })).user
    const lost = (await register(newPhone(), { referralCode: 'NOSUCHCODE' })).user
    expect((await userOf(guest.phone))!.referredById).toBe(friend.id)
    expect((await userOf(lost.phone))!.referredById).toBeNull()
  })

  test.each(['password', '12345678', 'sandhai123', 'Selvi123', 'aaaaaaaa', 'qwertyuiop'])(
    'refuses the easily guessed password %s',
    async (password) => {
      expect(await refusalOf(startRegistration(ctx, registrationForm(newPhone(), { password }), testAuthClient()))).toBe('VALIDATION')
    },
  )

  test("refuses the person's own number as a password", async () => {
    const phone = newPhone()
    expect(await refusalOf(startRegistration(ctx, registrationForm(phone, { password: phone.slice(3) }), testAuthClient()))).toBe(
      'VALIDATION',
    )
  })

  test('reports when no SMS can be sent, leaves no code, and sends nothing later', async () => {
    const known = newPhone()
    await register(known)
    await forgetSends(ctx)
    await outboxWorker.stop()
    let calls = 0
    const down = startTestOutbox(ctx, {
      send: async () => {
        calls += 1
        throw new SendFailure('PROVIDER_500')
      },
    })
    const phone = newPhone()
    const uniform = testAuthClient({ env: { mode: 'demo', authEnumeration: 'uniform' } })
    try {
      expect(await refusalOf(startRegistration(ctx, registrationForm(phone), testAuthClient()))).toBe('SMS_UNAVAILABLE')
      // A number that would get no SMS anyway gets the same answer.
      expect(await refusalOf(startRegistration(ctx, registrationForm(known), uniform))).toBe('SMS_UNAVAILABLE')
    } finally {
      await down.stop()
      outboxWorker = startTestOutbox(ctx)
    }
    await startRegistration(ctx, registrationForm(newPhone()), testAuthClient())
    await forgetSends(ctx)
    await startRegistration(ctx, registrationForm(known), uniform)
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
    const client = testAuthClient()
    const { token } = await startRegistration(ctx, registrationForm(phone), client)
    return { phone, client, token, code: await codeSentTo(ctx, phone), row: eq(otps.browserHash, hashOfToken(token)) }
  }

  test('works at 9:59.9 and not at 10:00', async () => {
    const late = await start()
    await ctx.db
      .update(otps)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(late.row)
    expect(await refusalOf(finishRegistration(ctx, late, late.client))).toBe('OTP_EXPIRED')
    const inTime = await start()
    await ctx.db
      .update(otps)
      .set({ expiresAt: sql`now() + interval '3 seconds'` })
      .where(inTime.row)
    expect(await refusalOf(finishRegistration(ctx, inTime, inTime.client))).toBe('taken')
  })

  test('allows five tries; after that the right one is refused', async () => {
    const { token, client, code } = await start()
    for (let n = 0; n < 5; n++) expect(await refusalOf(finishRegistration(ctx, { token, code: wrongCode(code) }, client))).toBe('OTP_WRONG')
    expect(await refusalOf(finishRegistration(ctx, { token, code }, client))).toBe('OTP_EXPIRED')
  })

  test('is invalid once a newer one was sent', async () => {
    const { token, client, code, phone } = await start()
    await forgetSends(ctx)
    await resendRegistration(ctx, token, client)
    const newer = await codeSentTo(ctx, phone)
    if (newer !== code) expect(await refusalOf(finishRegistration(ctx, { token, code }, client))).toBe('OTP_WRONG')
    expect(await refusalOf(finishRegistration(ctx, { token, code: newer }, client))).toBe('taken')
  })

  test('after ten wrong codes in a row strangers are blocked for a day at this number, and the answer says how long', async () => {
    const { token, client, code, phone } = await start()
    await ctx.db.insert(failureLadders).values({ key: `otp:${phoneKey(ctx, phone)}`, failures: 9, triedAt: new Date() })
    expect(await refusalOf(finishRegistration(ctx, { token, code: wrongCode(code) }, client))).toBe('OTP_WRONG')
    const resting = await finishRegistration(ctx, { token, code }, client).catch((error: unknown) => error as Problem)
    expect(resting).toMatchObject({ code: 'RATE_LIMITED' })
    expect((resting as Problem).retryAfterSeconds).toBeGreaterThan(86_000)
  })
})

describe('the retention sweep', () => {
  test("deletes yesterday's codes and registrations, and expired sessions", async () => {
    const { token } = await register(newPhone())
    const { token: kept } = await register(newPhone())
    await startRegistration(ctx, registrationForm(newPhone()), testAuthClient())
    await ctx.db.execute(sql`update otps set created_at = now() - interval '25 hours'`)
    await ctx.db.execute(sql`update pending_registrations set created_at = now() - interval '25 hours'`)
    const over = (await findSession(ctx.db, token))!
    await ctx.db.execute(sql`update sessions set expires_at = now() where id = ${over.id}`)
    await sweep(ctx.db)
    expect([(await ctx.db.select().from(otps)).length, (await ctx.db.select().from(pendingRegistrations)).length]).toEqual([0, 0])
    expect(await ctx.db.select().from(sessions).where(eq(sessions.id, over.id))).toEqual([])
    expect(await findSession(ctx.db, kept)).not.toBeNull()
  })
  test('deletes counts of wrong passwords after a day, of wrong codes after half a year', async () => {
    const left = async () => {
      await sweep(ctx.db)
      return (await ctx.db.select({ key: failureLadders.key }).from(failureLadders)).map(({ key }) => key.split(':')[0]).toSorted()
    }
    const triedAgo = (age: string) => ctx.db.execute(sql`update failure_ladders set tried_at = now() - ${age}::interval`)
    await ctx.db.delete(failureLadders)
    for (const [key, ladder] of [
      ['login:+919876500000|10.0.0.1', loginLadder],
      ['password:7', loginLadder],
      ['otp:+919876500000', otpLadder],
      ['totp:7', otpLadder],
    ] as const)
      await claimTry(ctx.db, key, ladder)
    await triedAgo('23 hours')
    expect(await left()).toEqual(['login', 'otp', 'password', 'totp'])
    await triedAgo('25 hours')
    expect(await left()).toEqual(['otp', 'totp'])
    await triedAgo('179 days')
    expect(await left()).toEqual(['otp', 'totp'])
    await triedAgo('181 days')
    expect(await left()).toEqual([])
  })
})

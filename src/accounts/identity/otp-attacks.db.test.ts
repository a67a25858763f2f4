import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { limitCounts, outbox } from '#src/kit/db/tables.ts'
import { letTimePass } from '#tools/test-kit/let-time-pass.ts'
import { codeSentTo, shareTestOutbox, testAuthClient, wrongCode } from '#tools/test-kit/test-auth-client.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { often, oftenOn } from '#tools/test-kit/often.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { newPhone, PASSWORD, refusalOf, registrationForm } from '#tools/test-kit/test-people.ts'
import type { AuthClient } from './identity.server.ts'
import { action as codeAction, loader as codeLoader } from '#src/accounts/sign-in/login-code-page.tsx'
import { action as loginAction } from '#src/accounts/sign-in/login-page.tsx'
import { finishLogin, finishReset, login, startReset, type CodeNeeded } from './login.server.ts'
import { makeUser } from '../makers.server.ts'
import { phoneKey } from './otp-limits.server.ts'
import { proveOtp, sendOtp } from './otp.server.ts'
import { finishRegistration, resendRegistration, startRegistration } from './register.server.ts'
import { findSession, hashOfToken } from '../sessions.server.ts'
import { otps, users } from '../tables.ts'

// Attackers who request codes that nobody uses, and who try codes and passwords of other people's numbers (safety.md §4.3). Time comes from
// the database's clock, so the tests let time pass by making all rows older.

let market: TestMarket
let ctx: Ctx
let passwordHash: string
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  ctx = { ...market.ctx, browserId: null }
  passwordHash = await hashPassword(ctx.vault, PASSWORD)
})
shareTestOutbox(() => ctx)
beforeEach(() => letTimePass(ctx, 3 * 86_400))

/** A person's browser at a separate IP address. */
const browser = (changes: Partial<AuthClient> = {}) => ({
  ctx: { ...ctx, browserId: randomUUID() } as Ctx,
  client: testAuthClient(changes),
})
type Browser = ReturnType<typeof browser>

const makeOwner = async (changes: Partial<typeof users.$inferInsert> = {}) => {
  const user = await makeUser(ctx, { phone: newPhone(), passwordHash, ...changes })
  return { ...user, phone: user.phone }
}
const smsSent = () => ctx.db.$count(outbox, sql`${outbox.template} like 'otp-%'`)

async function registers({ ctx, client }: Browser, phone = newPhone()): Promise<string> {
  return refusalOf(
    (async () => {
      const { token } = await startRegistration(ctx, registrationForm(phone), client)
      await finishRegistration(ctx, { token, code: await codeSentTo(ctx, phone) }, client)
    })(),
  )
}

async function resets({ ctx, client }: Browser, phone: string): Promise<string> {
  return refusalOf(
    (async () => {
      const { token } = await startReset(ctx, phone, client)
      await finishReset(ctx, { phone, code: await codeSentTo(ctx, phone), password: 'வெள்ளை ஆடு நான்கு' }, token, client)
    })(),
  )
}

/** Requests a code to another person's number, from a browser without cookies; nobody will use it. */
const pumps = (client: AuthClient, phone = newPhone(), purpose: 'register' | 'reset' = 'register') =>
  refusalOf(sendOtp({ ...ctx, browserId: null }, { phone, purpose, browserHash: hashOfToken(randomUUID()) }, client))

describe('strangers who request codes that nobody uses', () => {
  const attacks = [
    { by: 'registration', purpose: 'register', count: 10 },
    { by: 'resets', purpose: 'reset', count: 10 },
    { by: 'registration', purpose: 'register', count: 30 },
  ] as const
  // Even with the longest steps there would be more than three hundred codes without the limits.
  const STEP_MINUTES = oftenOn(4, often(2, 1))

  test.each(often(attacks.slice(0, 1), [...attacks]))(
    'by $by, an hour long, from $count addresses: honest people can still register and reset, within the budget',
    async ({ purpose, count }) => {
      const attackers = Array.from({ length: count }, () => testAuthClient())
      const victims: string[] = []
      for (let n = 0; n < 20; n++) victims.push((await makeOwner()).phone)
      const before = await smsSent()
      const answers: string[] = []
      for (let minute = 0; minute < 60; minute += STEP_MINUTES) {
        const began = performance.now()
        for (const [n, client] of attackers.entries())
          for (let n2 = 0; n2 < 2; n2++)
            await pumps(client, purpose === 'reset' ? victims[(minute + n + n2) % victims.length] : newPhone(), purpose)
        answers.push(await registers(browser()))
        if (minute % 4 === 0) answers.push(await resets(browser(), (await makeOwner()).phone))
        // On a slow machine the tries themselves take minutes, which the hourly budget would count.
        await letTimePass(ctx, STEP_MINUTES * 60 - (performance.now() - began) / 1000)
      }
      const taken = answers.filter((answer) => answer === 'taken').length
      expect(taken / answers.length).toBeGreaterThanOrEqual(0.95)
      expect((await smsSent()) - before).toBeLessThanOrEqual(300)
    },
  )

  test('must wait a minute between two codes first, then ten', async () => {
    const client = testAuthClient()
    for (let n = 0; n < 5; n++) expect(await pumps(client)).toBe('taken')
    expect(await pumps(client)).toBe('RATE_LIMITED')
    for (let n = 5; n < 10; n++) {
      await letTimePass(ctx, 60)
      expect(await pumps(client)).toBe('taken')
    }
    await letTimePass(ctx, 540)
    expect(await pumps(client)).toBe('RATE_LIMITED')
    await letTimePass(ctx, 61)
    expect(await pumps(client)).toBe('taken')
  })

  test('are also limited by browser and by number prefix', async () => {
    const { ctx: asking } = browser()
    const ask = (client: AuthClient, phone: string) =>
      refusalOf(sendOtp(asking, { phone, purpose: 'register', browserHash: hashOfToken(randomUUID()) }, client))
    for (let n = 0; n < 3; n++) expect(await ask(testAuthClient(), newPhone())).toBe('taken')
    expect(await ask(testAuthClient(), newPhone())).toBe('RATE_LIMITED')
    const prefix = newPhone().slice(0, -4)
    for (let n = 0; n < 5; n++) expect(await pumps(testAuthClient(), `${prefix}000${n}`)).toBe('taken')
    expect(await pumps(testAuthClient(), `${prefix}0005`)).toBe('RATE_LIMITED')
  })

  test('a demo sends ten codes a minute to one phone, whether they are used or not', async () => {
    const phone = newPhone()
    const client = testAuthClient({ limits: new RateLimits(20, 10, 10) })
    const { ctx: asking } = browser()
    const wanted = { phone, purpose: 'register', browserHash: hashOfToken(randomUUID()) } as const
    const ask = () => refusalOf(sendOtp(asking, wanted, client))
    for (let n = 0; n < 10; n++) expect(await ask()).toBe('taken')
    expect(await ask()).toBe('RATE_LIMITED')
  })

  test('do not affect resets, logged-in people and known browsers, even at the same IP address', async () => {
    const client = testAuthClient()
    const owner = await makeOwner()
    const { deviceToken: known } = (await login(ctx, { phone: owner.phone, password: PASSWORD }, testAuthClient())) as {
      deviceToken: string
    }
    for (let n = 0; n < 5; n++) await pumps(client)
    expect(await pumps(client)).toBe('RATE_LIMITED')
    expect(await registers({ ...browser(), client: { ...client, known } })).toBe('taken')
    expect(await resets({ ...browser(), client }, (await makeOwner()).phone)).toBe('taken')
    for (const purpose of ['phone', 'erase'] as const)
      expect(await refusalOf(sendOtp(ctx, { phone: newPhone(), purpose, browserHash: hashOfToken(randomUUID()) }, client))).toBe('taken')
  })

  test('a shared IP address whose codes are used is not limited', async () => {
    const client = testAuthClient()
    for (let n = 0; n < 12; n++) expect(await registers({ ...browser(), client })).toBe('taken')
  })

  test('learn nothing about a number while they must wait: known and unknown numbers cause the same statements and answers', async () => {
    const taken = (await makeOwner()).phone
    const client = testAuthClient()
    for (let n = 0; n < 5; n++) await pumps(client)
    const asked = async (phone: string) => {
      const { ctx } = browser()
      market.statements()
      const problem = await startRegistration(ctx, registrationForm(phone), client).catch((error: unknown) => error)
      return { problem: { ...(problem as object) }, statements: market.statements() }
    }
    const free = await asked(newPhone())
    const known = await asked(taken)
    expect(free.problem).toMatchObject({ code: 'RATE_LIMITED' })
    expect(known).toEqual(free)
    expect(free.statements.length).toBeGreaterThan(0)
  })

  test('learn nothing about a number from registration or reset when the budget is used up', async () => {
    const taken = (await makeOwner()).phone
    await ctx.db.delete(limitCounts)
    await ctx.db.insert(limitCounts).values({ key: 'otpAllHour:all', points: 300, expire: new Date(Date.now() + 3_600_000) })
    try {
      const asked = async (act: (phone: string, own: Browser) => Promise<unknown>, phone: string) => {
        const own = browser()
        market.statements()
        const code = await refusalOf(act(phone, own))
        return { code, statements: market.statements() }
      }
      const acts = {
        register: (phone: string, { ctx, client }: Browser) => startRegistration(ctx, registrationForm(phone), client),
        reset: (phone: string, { ctx, client }: Browser) => startReset(ctx, phone, client),
      }
      for (const act of Object.values(acts)) {
        const free = await asked(act, newPhone())
        expect(free.code).toBe('RATE_LIMITED')
        expect(await asked(act, taken)).toEqual(free)
      }
    } finally {
      await ctx.db.delete(limitCounts)
    }
  })
})

// Twenty fill every limit of a number (ten codes a day), as a hundred do.
const ADDRESSES = oftenOn(20, 100)
/** In minutes that the market asks the owner to wait. */
const A_QUARTER_OF_AN_HOUR = 15

describe(`a number under attack from ${ADDRESSES} addresses`, () => {
  const attackers = Array.from({ length: ADDRESSES }, () => browser())
  const codes = new Map<Browser, string>()

  /** One minute of attack: request a code and try a wrong one, five times. */
  async function attackFor(minutes: number, phone: string): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      for (const attacker of attackers) {
        const { ctx, client } = attacker
        const started = await startReset(ctx, phone, client).catch(() => null)
        if (started) codes.set(attacker, started.token)
        const token = codes.get(attacker)
        if (!token) continue
        for (let n = 0; n < 5; n++)
          if ((await refusalOf(proveOtp(ctx, { phone, purpose: 'reset', browserHash: hashOfToken(token) }, '000000'))) !== 'OTP_WRONG')
            break
      }
      await letTimePass(ctx, 60)
    }
  }

  /** Enough wrong passwords to need a code; each costs a hash. */
  async function tryPasswords(phone: string): Promise<void> {
    for (let n = 0; n < 100; n++) await attackers[n % ADDRESSES]!.client.limits.takeDurable(ctx.db, 'loginPhone', phoneKey(ctx, phone))
  }

  const enteredBy = async (act: Promise<{ token: string }>) => (await findSession(ctx.db, (await act).token))?.viewer.id

  test('its owner logs in at once with a known browser, and sets a new password with it at once', async () => {
    const owner = await makeOwner()
    const own = browser()
    const first = (await login(own.ctx, { phone: owner.phone, password: PASSWORD }, own.client)) as { deviceToken: string }
    own.client.known = first.deviceToken
    await attackFor(20, owner.phone)
    await tryPasswords(owner.phone)
    expect(await enteredBy(login(own.ctx, { phone: owner.phone, password: PASSWORD }, own.client))).toBe(owner.id)
    expect(await resets(own, owner.phone)).toBe('taken')
  })

  test('its owner logs in with a new browser by the right password and a code, at once', async () => {
    const owner = await makeOwner()
    await attackFor(20, owner.phone)
    await tryPasswords(owner.phone)
    const own = browser()
    const { token } = (await login(own.ctx, { phone: owner.phone, password: PASSWORD }, own.client)) as CodeNeeded
    await attackFor(2, owner.phone)
    expect(await enteredBy(finishLogin(own.ctx, await codeSentTo(ctx, owner.phone), token, own.client))).toBe(owner.id)
  })

  test('its owner logs in with a new browser and no password within fifteen minutes, by waiting as asked', async () => {
    const owner = await makeOwner()
    await attackFor(20, owner.phone)
    const own = browser()
    // Adds up the waits in the answers; `attackFor` makes the rows older, so no real time passes.
    let minutesAsked = 0
    let answer = await startReset(own.ctx, owner.phone, own.client).catch((error: unknown) => error)
    while (!('token' in (answer as object)) && minutesAsked < A_QUARTER_OF_AN_HOUR) {
      const { retryAfterSeconds = 60 } = answer as { retryAfterSeconds?: number }
      const minutes = Math.ceil(retryAfterSeconds / 60)
      // The attack continues during the wait.
      await attackFor(minutes, owner.phone)
      minutesAsked += minutes
      answer = await startReset(own.ctx, owner.phone, own.client).catch((error: unknown) => error)
    }
    expect(answer).toHaveProperty('token')
    expect(minutesAsked).toBeLessThan(A_QUARTER_OF_AN_HOUR)
    const { token } = answer as { token: string }
    const code = await codeSentTo(ctx, owner.phone)
    await attackFor(2, owner.phone)
    expect(await enteredBy(finishReset(own.ctx, { phone: owner.phone, code, password: 'வெள்ளை ஆடு நான்கு' }, token, own.client))).toBe(
      owner.id,
    )
  })

  test('costs its owner no tries of a code: wrong codes count against the browser that requested it', async () => {
    const owner = await makeOwner()
    const [own, other] = [browser(), browser()]
    const { token } = await startReset(own.ctx, owner.phone, own.client)
    const code = await codeSentTo(ctx, owner.phone)
    for (let n = 0; n < 12; n++)
      expect(
        await refusalOf(
          proveOtp(other.ctx, { phone: owner.phone, purpose: 'reset', browserHash: hashOfToken(randomUUID()) }, wrongCode(code)),
        ),
      ).toBe('OTP_EXPIRED')
    expect(await refusalOf(finishReset(own.ctx, { phone: owner.phone, code, password: 'வெள்ளை ஆடு நான்கு' }, token, own.client))).toBe('taken')
  })

  test('a known browser of another person does not count as known for this one', async () => {
    const [owner, thief] = [await makeOwner(), await makeOwner()]
    const theirs = browser()
    const { deviceToken } = (await login(ctx, { phone: thief.phone, password: PASSWORD }, theirs.client)) as { deviceToken: string }
    theirs.client.known = deviceToken
    for (let n = 0; n < 2; n++) await startReset(theirs.ctx, owner.phone, theirs.client).catch(() => null)
    expect(await ctx.db.select({ asker: otps.asker }).from(otps).where(eq(otps.phone, owner.phone))).toEqual([{ asker: 'stranger' }])
  })
})

describe('a login that asks for a code', () => {
  const capped = async () => {
    const owner = await makeOwner()
    const { limits } = testAuthClient()
    for (let n = 0; n < 100; n++) await limits.takeDurable(ctx.db, 'loginPhone', phoneKey(ctx, owner.phone))
    return owner
  }

  test('answers a wrong password, an unknown number and the right password alike, and sends an SMS only for the right one', async () => {
    const owner = await capped()
    const before = await smsSent()
    const nobody = newPhone()
    for (let n = 0; n < 100; n++) await testAuthClient().limits.takeDurable(ctx.db, 'loginPhone', phoneKey(ctx, nobody))
    for (const [phone, password] of [
      [owner.phone, 'not this one'],
      [nobody, PASSWORD],
      [owner.phone, PASSWORD],
    ] as const) {
      const { ctx, client } = browser()
      const asked = (await login(ctx, { phone, password }, client)) as CodeNeeded
      expect(asked).toEqual({ needsCode: true, token: expect.stringMatching(/^[\w-]{43}$/) })
      expect(await refusalOf(finishLogin(ctx, '000000', asked.token, client))).toBe('OTP_WRONG')
    }
    expect((await smsSent()) - before).toBe(1)
  })

  test('keeps its code when the password is given again, and when strangers give wrong passwords and codes', async () => {
    const owner = await capped()
    const own = browser()
    const { token } = (await login(own.ctx, { phone: owner.phone, password: PASSWORD }, own.client)) as CodeNeeded
    const code = await codeSentTo(ctx, owner.phone)
    const again = (await login(own.ctx, { phone: owner.phone, password: PASSWORD }, { ...own.client, proof: token })) as CodeNeeded
    expect(again.token).toBe(token)
    for (let n = 0; n < 4; n++) {
      const { ctx, client } = browser()
      const asked = (await login(ctx, { phone: owner.phone, password: 'not this one' }, client)) as CodeNeeded
      for (let n2 = 0; n2 < 5; n2++) await refusalOf(finishLogin(ctx, wrongCode(code), asked.token, client))
    }
    expect(await refusalOf(finishLogin(own.ctx, code, token, own.client))).toBe('taken')
  })

  test('leads over the pages to the code, and logs in', async () => {
    const owner = await capped()
    const send = async (action: unknown, fields: Record<string, string>, cookies = {}) => {
      const answer = await sendForm(browser().ctx, action as never, { viewer: null, params: {}, fields, cookies }).catch(
        (error: unknown) => error as Response,
      )
      if (!(answer instanceof Response)) return { refused: answer }
      return { to: answer.headers.get('Location'), cookies: answer.headers.getSetCookie().join() }
    }
    const asked = await send(loginAction, { phone: owner.phone, password: PASSWORD, next: '/en/me' })
    expect(asked.to).toBe('/en/login/code?next=%2Fen%2Fme')
    const cookies = { '__Host-rst': /__Host-rst=([\w-]{43})/.exec(asked.cookies!)![1]! }
    const otp = await codeSentTo(ctx, owner.phone)
    expect(await send(codeAction, { otp: wrongCode(otp) }, cookies)).toEqual({ refused: 'OTP_WRONG' })
    const entered = await send(codeAction, { otp, next: '/en/me' }, cookies)
    expect(entered.to).toBe('/en/me')
    expect(entered.cookies).toMatch(/__Host-sid=[\w-]{43}/)
    // An expired code leads back to the login with the reason; a visitor without a code gets no reason.
    expect((await send(codeLoader, {}, cookies)).to).toBe('/en/login?next=%2Fen&over')
    expect((await send(codeLoader, {})).to).toBe('/en/login?next=%2Fen')
  })

  test('answers the same when the number has no codes left today', async () => {
    const owner = await capped()
    await ctx.db
      .insert(limitCounts)
      .values({ key: `otpPhoneDay:${phoneKey(ctx, owner.phone)}`, points: 10, expire: new Date(Date.now() + 3_600_000) })
    for (const password of [PASSWORD, 'not this one'])
      expect(await login(ctx, { phone: owner.phone, password }, testAuthClient())).toMatchObject({ needsCode: true })
  })

  test('ends when the password is changed meanwhile', async () => {
    const owner = await capped()
    const thief = browser()
    const { token } = (await login(thief.ctx, { phone: owner.phone, password: PASSWORD }, thief.client)) as CodeNeeded
    const code = await codeSentTo(ctx, owner.phone)
    expect(await resets(browser(), owner.phone)).toBe('taken')
    expect(await refusalOf(finishLogin(thief.ctx, code, token, thief.client))).toBe('OTP_EXPIRED')
  })
})

describe('"change number" while a registration waits for its code', () => {
  test('keeps the number and its code when it is refused', async () => {
    const phone = newPhone()
    const taken = (await makeOwner()).phone
    const blocked = newPhone()
    const own = browser()
    const { token } = await startRegistration(own.ctx, registrationForm(phone), own.client)
    const code = await codeSentTo(ctx, phone)
    await ctx.db
      .insert(limitCounts)
      .values({ key: `otpPhoneMinute:${phoneKey(ctx, blocked)}`, points: 1, expire: new Date(Date.now() + 60_000) })
    expect(await refusalOf(resendRegistration(own.ctx, token, own.client, taken))).toBe('PHONE_TAKEN')
    expect(await refusalOf(resendRegistration(own.ctx, token, own.client, blocked))).toBe('RATE_LIMITED')
    expect((await finishRegistration(own.ctx, { token, code }, own.client)).user.phone).toBe(phone)
  })
})

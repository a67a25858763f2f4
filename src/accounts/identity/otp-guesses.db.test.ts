import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { sweep } from '#src/market/retention.server.ts'
import { letTimePass } from '#tools/test-kit/let-time-pass.ts'
import { often, oftenOn } from '#tools/test-kit/often.ts'
import { shareTestOutbox, testAuthClient } from '#tools/test-kit/test-auth-client.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { newPhone, refusalOf } from '#tools/test-kit/test-people.ts'
import { startReset } from './login.server.ts'
import { makeUser } from '../makers.server.ts'
import { PATIENCE_SECONDS } from './otp-limits.server.ts'
import { OTP_TRIES, proveOtp } from './otp.server.ts'
import { hashOfToken } from '../sessions.server.ts'

// How many guesses at the codes of one number an attacker gets in a year, from any number of IP addresses and browsers (safety.md §4.3).

const MOST_GUESSES = 80
const DAY = 86_400
const YEAR_DAYS = 365
/**
 * Interval of the attacker's returns. Without the lockouts after wrong codes, even one return every ten days would give hundreds of tries.
 */
const EVERY_DAYS = oftenOn(10, often(5, 1))

let market: TestMarket
let ctx: Ctx
shareMarket((opened) => (market = opened))
beforeAll(() => {
  ctx = market.ctx
})
shareTestOutbox(() => ctx)

/** From a new IP address: requests a code, waits if asked to, and tries as often as allowed. */
async function guessOnce(phone: string): Promise<number> {
  const asking = { ...ctx, browserId: randomUUID() }
  const client = testAuthClient()
  const ask = () => startReset(asking, phone, client).catch(() => null)
  let started = await ask()
  if (!started) {
    await letTimePass(ctx, PATIENCE_SECONDS)
    started = await ask()
  }
  if (!started) return 0
  const binding = { phone, purpose: 'reset', browserHash: hashOfToken(started.token) } as const
  let guesses = 0
  while (guesses < OTP_TRIES && (await refusalOf(proveOtp(asking, binding, '000000'))) === 'OTP_WRONG') guesses++
  return guesses
}

async function guessUntilRefused(phone: string): Promise<number> {
  let all = 0
  for (let refused = 0; refused < 2;) {
    const guesses = await guessOnce(phone)
    if (guesses === 0) refused++
    all += guesses
    await letTimePass(ctx, 60)
  }
  return all
}

test.each([
  ['returns as soon as tries are allowed again', () => EVERY_DAYS],
  ['guesses for two days, and again when all counts are deleted', (day: number) => (day % 182 === 0 ? 1 : 181)],
])('an attacker who guesses at one number and %s has fewer than eighty tries in a year', async (_, pause) => {
  const { phone } = await makeUser(ctx, { phone: newPhone() })
  let guesses = 0
  for (let day = 0; day < YEAR_DAYS;) {
    guesses += await guessUntilRefused(phone)
    const days = pause(day)
    await letTimePass(ctx, days * DAY)
    await sweep(ctx.db)
    day += days
  }
  expect(guesses).toBeGreaterThanOrEqual(2 * OTP_TRIES)
  expect(guesses).toBeLessThanOrEqual(MOST_GUESSES)
})

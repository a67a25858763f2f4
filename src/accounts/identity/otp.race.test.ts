import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { failureLadders } from '#src/kit/db/tables.ts'
import { codeSentTo, shareTestOutbox, testAuthClient } from '#tools/test-kit/test-auth-client.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { otps } from '../tables.ts'
import { hashOfToken } from '../sessions.server.ts'
import { phoneKey } from './otp-limits.server.ts'
import { consumeOtp, OTP_TRIES, proveOtp, sendOtp, type OtpBinding } from './otp.server.ts'

const RIGHT = 200
const WRONG = 2000

let market: TestMarket
let ctx: Ctx
let phone = 9_200_000_000
shareMarket((opened) => {
  market = opened
  ctx = { ...market.ctx, browserId: null }
})
shareTestOutbox(() => ctx)

async function newCode(): Promise<{ binding: OtpBinding; code: string; wrong: string }> {
  phone += 10_001
  const binding = { phone: `+91${phone}`, purpose: 'reset', browserHash: hashOfToken(String(phone)) } as const
  await sendOtp(ctx, binding, testAuthClient())
  const code = await codeSentTo(ctx, binding.phone)
  return { binding, code, wrong: code === '000000' ? '000001' : '000000' }
}

async function burst(count: number, attempt: () => Promise<unknown>): Promise<Record<string, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      attempt().then(
        () => 'taken',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      ),
    ),
  )
  return Object.fromEntries([...new Set(answers)].map((answer) => [answer, answers.filter((each) => each === answer).length]))
}

const use = (binding: OtpBinding, code: string) => async () => {
  const id = await proveOtp(ctx, binding, code)
  await inTransaction(ctx, (ctx) => consumeOtp(ctx, id))
}

describe('one code, tried many times concurrently', () => {
  test(`${RIGHT} times the right code: one try succeeds`, async () => {
    const { binding, code } = await newCode()
    expect(await burst(RIGHT, use(binding, code))).toMatchObject({ taken: 1, OTP_EXPIRED: RIGHT - 1 })
  })

  test(`${WRONG} times a wrong code: five tries are checked`, async () => {
    const { binding, wrong } = await newCode()
    const answers = await burst(WRONG, use(binding, wrong))
    expect(answers).toEqual({ OTP_WRONG: OTP_TRIES, OTP_EXPIRED: WRONG - OTP_TRIES })
    // Fewer than ten in a row cause no lockout; even one of length zero would have refused some of them.
    const [ladder] = await ctx.db
      .select()
      .from(failureLadders)
      .where(eq(failureLadders.key, `otp:${phoneKey(ctx, binding.phone)}`))
    expect(ladder).toMatchObject({ failures: OTP_TRIES, blockedUntil: null })
  })

  test('ten concurrent requests for a code: one code is live, and one SMS goes out', async () => {
    phone += 10_001
    const binding = { phone: `+91${phone}`, purpose: 'reset', browserHash: hashOfToken('ten') } as const
    expect(await burst(10, () => sendOtp(ctx, binding, testAuthClient()))).toEqual({ taken: 1, RATE_LIMITED: 9 })
    expect(
      await ctx.db
        .select()
        .from(otps)
        .where(sql`${otps.phone} = ${binding.phone} and ${otps.endedAt} is null`),
    ).toHaveLength(1)
  })
})

describe('controls: read first, write afterwards', () => {
  const naiveTries = async (phone: string) => {
    const [row] = await ctx.db.select().from(otps).where(eq(otps.phone, phone))
    if (!row || row.attempts >= OTP_TRIES || row.endedAt) throw new Problem('OTP_EXPIRED')
    return row
  }

  test('accepts the right code more than once', async () => {
    const { binding } = await newCode()
    const answers = await burst(RIGHT, async () => {
      const row = await naiveTries(binding.phone)
      await ctx.db.update(otps).set({ endedAt: new Date(), wasUsed: true }).where(eq(otps.id, row.id))
    })
    expect(answers.taken).toBeGreaterThan(1)
  })

  test('checks more than five wrong codes', async () => {
    const { binding } = await newCode()
    const answers = await burst(RIGHT, async () => {
      const row = await naiveTries(binding.phone)
      await ctx.db
        .update(otps)
        .set({ attempts: Math.min(row.attempts + 1, OTP_TRIES) })
        .where(eq(otps.id, row.id))
      throw new Problem('OTP_WRONG')
    })
    expect(answers.OTP_WRONG).toBeGreaterThan(OTP_TRIES)
  })
})

import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { pincodes } from '#src/addresses/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { changeDelivery, listDeliveryChanges, readDistrict } from './delivery.server.ts'

const ERODE = 'tamil-nadu_erode'
const PASSWORD = 'goats and cows'
const ADMINS = 4

let market: TestMarket
let admins: Viewer[]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const passwordHash = await hashPassword(market.ctx.vault, PASSWORD)
  admins = await Promise.all(Array.from({ length: ADMINS }, () => makeUser(market.ctx, { typeId: 9, passwordHash })))
})

/** Stops delivery to a whole district; returns the number of PIN codes it reports as changed. */
type Stop = (ctx: Ctx) => Promise<number>

const stop: Stop = (ctx) =>
  changeDelivery(ctx, ERODE, {
    chosen: { isAll: true, taluks: [], pincodes: [] },
    isDeliverable: false,
    reason: 'road',
    password: PASSWORD,
  })

/** Race control: read the open codes, then write without a lock. Concurrent callers all count the same codes. */
const naive =
  (allHaveRead: () => Promise<void>): Stop =>
  async (ctx) => {
    const { state, district } = await readDistrict(ctx, ERODE)
    const open = await ctx.db
      .select()
      .from(pincodes)
      .where(and(eq(pincodes.state, state), eq(pincodes.district, district), pincodes.isDeliverable))
    await allHaveRead()
    // Writers of one row at a time cannot deadlock.
    for (const { pincode } of open) await ctx.db.update(pincodes).set({ isDeliverable: false }).where(eq(pincodes.pincode, pincode))
    return open.length
  }

async function stopAtOnce(how: Stop) {
  const { state, district, pincodes: all } = await readDistrict(market.as(admins[0]!), ERODE)
  const here = and(eq(pincodes.state, state), eq(pincodes.district, district))
  await market.ctx.db.update(pincodes).set({ isDeliverable: true }).where(here)
  const counts = await Promise.all(admins.map((admin) => how(market.as(admin))))
  return { all, counted: counts.reduce((sum, count) => sum + count, 0) }
}

test('concurrent stops of one district count each PIN code once in total', async () => {
  for (let round = 1; round <= 3; round++) {
    const { all, counted } = await stopAtOnce(stop)
    expect(counted).toBe(all)
    expect(await listDeliveryChanges(market.as(admins[0]!), ERODE)).toHaveLength(round)
  }
})

test('control: reading and then writing without a lock counts each PIN code once for each admin', async () => {
  const { all, counted } = await stopAtOnce(naive(meetingOf(ADMINS)))
  expect(counted).toBe(ADMINS * all)
})

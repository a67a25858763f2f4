import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { verifications } from './tables.ts'
import { usualWaitHours } from './usual-wait.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  await market.ctx.db.delete(verifications)
})

test('the usual wait for a verdict covers most recent listings, and is null below five verdicts', async () => {
  const { ctx } = market
  const { id: adminId } = await makeUser(ctx, { typeId: 9 })
  const sellerId = (await makeUser(ctx, { typeId: 2 })).id
  const hourMs = 3_600_000
  const verdict = async (hours: number, daysAgo = 1) => {
    const decided = daysBefore(ctx.now, daysAgo)
    const listingId = await makeListing(ctx, { sellerId, submittedAt: new Date(decided.getTime() - hours * hourMs) })
    await ctx.db.insert(verifications).values({ listingId, adminId, passed: true, comment: 'Good.', createdAt: decided })
  }
  for (const hours of [1, 2, 3, 4]) await verdict(hours)
  // Too long ago, and one that was resubmitted after its verdict.
  await verdict(500, 40)
  await verdict(-500)
  expect(await usualWaitHours(ctx)).toBeNull()
  await verdict(24)
  expect(await usualWaitHours(ctx)).toBe(4)
})

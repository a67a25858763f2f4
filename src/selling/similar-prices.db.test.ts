import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { findSimilarPrices } from './similar-prices.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

const UMBLACHERY = 102
const [FEMALE, MALE] = [0, 1]

test('asked prices of a breed and sex, and prices of delivered animals, from five animals on', async () => {
  const { ctx } = market
  const seller = await makeUser(ctx, { typeId: 2 })
  const admin = await makeUser(ctx, { typeId: 9 })
  const animal = (thousands: number) => ({ breedId: UMBLACHERY, genderId: MALE, originalPrice: rupees(thousands * 1000) })
  for (const thousands of [10, 20, 30, 40]) await makeListing(ctx, { sellerId: seller.id, ...animal(thousands) })
  expect(await findSimilarPrices(ctx, UMBLACHERY, MALE)).toEqual({ asked: null, fetched: null })
  for (const thousands of [50, 60, 70, 80, 90])
    await makeOrder(ctx, { status: 6, seller, admin, listing: { ...animal(thousands), stock: 1 } })
  // Placed and not delivered yet.
  await makeOrder(ctx, { status: 1, seller, admin, listing: { ...animal(500), stock: 1 } })
  const { asked, fetched } = await findSimilarPrices(ctx, UMBLACHERY, MALE)
  expect(asked).toBeNull()
  expect(fetched).toEqual({ from: rupees(60_000), to: rupees(80_000), count: 5 })
  await makeListing(ctx, { sellerId: seller.id, ...animal(50) })
  expect((await findSimilarPrices(ctx, UMBLACHERY, MALE)).asked).toEqual({ from: rupees(20_000), to: rupees(40_000), count: 5 })
  expect(await findSimilarPrices(ctx, UMBLACHERY, FEMALE)).toEqual({ asked: null, fetched: null })
})

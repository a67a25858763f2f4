import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeEnquiry } from './makers.server.ts'
import { listOwnListings } from '#src/selling/own/own-listings.server.ts'
import { countSoldChoices, listOwnChoices } from './offers.server.ts'
import { getEnquiry } from './queries.server.ts'

const allSold = { tab: 'soldout' as const, seller: '', state: null, categoryId: null, listingId: null, after: null }

let market: TestMarket
shareMarket((opened) => (market = opened))

test('names at once how many of the seller’s fitting animals are sold, as the tab Soldout shows them', async () => {
  const id = await makeEnquiry(market.ctx)
  const owner = await makeUser(market.ctx, { typeId: 2 })
  const facts = { sellerId: owner.id, categoryId: 1, breedId: 101 }
  const live = await makeListing(market.ctx, facts)
  const sold = await makeListing(market.ctx, { ...facts, isSold: true })
  await makeListing(market.ctx, { ...facts, touchedAt: daysBefore(market.ctx.now, 101) })
  await makeListing(market.ctx, { ...facts, state: 'withdrawn' })
  await makeListing(market.ctx, { ...facts, categoryId: 2, breedId: 201, isSold: true })
  const ctx = market.as(owner)
  const enquiry = await getEnquiry(ctx, id)
  expect((await listOwnChoices(ctx, enquiry)).map((choice) => choice.id)).toEqual([live])
  expect(await countSoldChoices(ctx, enquiry)).toBe(1)
  const { listings } = await listOwnListings(ctx, { ...allSold, sellerId: owner.id })
  expect(listings.map(({ card }) => card.id)).toContain(sold)
})

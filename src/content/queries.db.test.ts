import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { makeListing, makeVaccination } from '#src/listings/makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { sweepViews } from '#src/listings/commands.server.ts'
import { getProduct, listTrending } from '#src/listings/queries.server.ts'
import { listingViews } from '#src/listings/tables.ts'
import { listTrendingCards } from '#src/listings/browse/trending.server.ts'
import { sweep } from '#src/market/retention.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
const animals: Record<'looked' | 'new' | 'verified' | 'vouched' | 'sold', number> = { looked: 0, new: 0, verified: 0, vouched: 0, sold: 0 }

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { ctx } = market
  const day = (n: number) => daysBefore(ctx.now, n)
  const trusted = (await makeUser(ctx, { typeId: 2, isVerified: true })).id
  const vet = (await makeUser(ctx, { typeId: 5, vetApproved: true })).id
  animals.vouched = await makeListing(ctx, { createdAt: day(9), sellerId: trusted })
  animals.looked = await makeListing(ctx, { createdAt: day(8) })
  animals.verified = await makeListing(ctx, { createdAt: day(3), sellerId: trusted })
  animals.new = await makeListing(ctx, { createdAt: day(1) })
  animals.sold = await makeListing(ctx, { createdAt: day(1), stock: 0 })
  const today = indianDay(ctx.now)
  await makeVetCheck(ctx, { listingId: animals.vouched, vetId: vet, approved: true, comments: 'நலம்', checkedOn: today })
  await makeVaccination(ctx, { listingId: animals.vouched, vaccineId: 1, dose: 1, vaccinatedOn: today })
  const looks = (listingId: number, count: number, ago: number) =>
    Array.from({ length: count }, (_, n) => ({ listingId, day: indianDay(day(ago)), viewerKey: `${listingId} ${n}` }))
  // Six views three weeks ago weigh less than one today; views five weeks ago count nothing.
  await ctx.db
    .insert(listingViews)
    .values([
      ...looks(animals.looked, 1, 0),
      ...looks(animals.verified, 6, 21),
      ...looks(animals.new, 50, 35),
      ...looks(animals.sold, 90, 0),
    ])
})

const named = (ids: number[]) => ids.map((id) => Object.entries(animals).find(([, each]) => each === id)?.[0])

test('trending: animals with the most views, older views count less, then the newest; sold ones are left out', async () => {
  const cards = await listTrendingCards(market.ctx, { top: 12 })
  expect(named(cards.map(({ id }) => id))).toEqual(['looked', 'verified', 'new', 'vouched'])
  expect((await listTrendingCards(market.ctx, { top: 2 })).map(({ id }) => id)).toEqual([animals.looked, animals.verified])
})

test('the API names the same animals in the same order as the page', async () => {
  for (const options of [{ top: 12 }, { top: 3 }, { top: 4, trustedOnly: true }]) {
    const products = await listTrending(market.ctx, options)
    expect((await listTrendingCards(market.ctx, options)).map(({ id }) => id)).toEqual(products.map(({ id }) => id))
  }
})

test('Top in Market: trusted listings only, the one with most vouchers before the one with more views', async () => {
  const cards = await listTrendingCards(market.ctx, { top: 4, trustedOnly: true })
  expect(named(cards.map(({ id }) => id))).toEqual(['vouched', 'verified'])
})

test('each shelf of the home page takes one statement', async () => {
  market.statements()
  await listTrendingCards(market.ctx, { top: 12 })
  expect(market.statements()).toHaveLength(1)
})

test('viewers are deleted after half a year, their count stays', async () => {
  const { ctx } = market
  const listingId = await makeListing(ctx, { createdAt: daysBefore(ctx.now, 400) })
  const looked = (ago: number) => ({ listingId, day: indianDay(daysBefore(ctx.now, ago)), viewerKey: String(ago) })
  await ctx.db.insert(listingViews).values([looked(0), looked(178), looked(183), looked(300)])
  const viewsOf = async () => (await getProduct(ctx, listingId)).views
  expect(await viewsOf()).toBe(4)
  for (let round = 0; round < 2; round++) await sweep(ctx.db)
  expect(await viewsOf()).toBe(4)
  const left = await ctx.db.select({ who: listingViews.viewerKey }).from(listingViews).where(eq(listingViews.listingId, listingId))
  expect(left.map(({ who }) => who).toSorted()).toEqual(['0', '178'])
})

test('several statements delete a large number of views, and each view is counted once', async () => {
  const { ctx } = market
  const listingId = await makeListing(ctx)
  const day = indianDay(daysBefore(ctx.now, 200))
  await ctx.db.insert(listingViews).values(['a', 'b', 'c', 'd', 'e'].map((viewerKey) => ({ listingId, day, viewerKey })))
  await sweepViews(ctx.db, 2)
  expect(await ctx.db.$count(listingViews, eq(listingViews.listingId, listingId))).toBe(0)
  expect((await getProduct(ctx, listingId)).views).toBe(5)
})

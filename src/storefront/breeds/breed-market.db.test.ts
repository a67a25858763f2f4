import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { countLiveByBreed, PRICES_NEEDED, readKindMarket } from './breed-market.server.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'

let market: TestMarket
let sellerId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
})
beforeEach(() => market.ctx.db.delete(listings))

const GOAT = { categoryId: 2, breedId: 203 }
const list = (facts: ListingFacts) => makeListing(market.ctx, { sellerId, ...GOAT, ...facts })
const goats = { breedIds: [203], categoryIds: [] }

describe('the market prices of a breed', () => {
  test('are those of our listings without the highest and lowest tenth, and null while there are too few', async () => {
    // An independent computation from single rows.
    const usualOf = (prices: number[]) => {
      if (prices.length < PRICES_NEEDED) return null
      const sorted = prices.toSorted((a, b) => a - b)
      const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1]!
      return { from: rupees(at(0.1)), to: rupees(at(0.9)) }
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            price: fc.integer({ min: 1, max: 90 }),
            offer: fc.boolean(),
            kind: fc.constantFrom('live', 'live', 'sold', 'old', 'pending', 'other'),
          }),
          {
            maxLength: 24,
          },
        ),
        async (animals) => {
          await market.ctx.db.delete(listings)
          for (const { price, offer, kind } of animals)
            await list({
              originalPrice: rupees(price * 1000 + (offer ? 500 : 0)),
              offerPrice: offer ? rupees(price * 1000) : null,
              ...(kind === 'sold' && { isSold: true }),
              ...(kind === 'old' && { createdAt: daysBefore(market.ctx.now, 200), touchedAt: daysBefore(market.ctx.now, 101) }),
              ...(kind === 'pending' && { state: 'pending' as const }),
              ...(kind === 'other' && { breedId: 201 }),
            })
          const live = animals.filter(({ kind }) => kind === 'live').map(({ price }) => price * 1000)
          const seen = await readKindMarket(market.ctx, goats)
          expect(seen.count).toBe(live.length)
          expect(seen.usual).toEqual(usualOf(live))
          expect((await countLiveByBreed(market.ctx)).get(203) ?? 0).toBe(live.length)
        },
      ),
      { numRuns: process.env.TEST_DATABASE === 'postgres' ? 12 : 20 },
    )
  })

  test('appear from five prices on', async () => {
    for (let n = 1; n < PRICES_NEEDED; n += 1) await list({ originalPrice: rupees(9000 + n) })
    expect(await readKindMarket(market.ctx, goats)).toMatchObject({ usual: null, steps: [] })
    await list({ originalPrice: rupees(9000) })
    const { usual, steps } = await readKindMarket(market.ctx, goats)
    expect(usual).toEqual({ from: rupees(9000), to: rupees(9004) })
    expect(steps.map(({ from, count }) => [from, count])).toEqual([9000, 9001, 9002, 9003, 9004].map((price) => [rupees(price), 1]))
  })

  test('exist for a whole category too, name districts in the reader’s language, and take one statement', async () => {
    await list({ pincode: '641001' })
    await list({ breedId: 201, pincode: '638701' })
    await list({ breedId: 201, pincode: '638701' })
    await list({ categoryId: 1, breedId: 101 })
    market.statements()
    const seen = await readKindMarket(market.as(null, { locale: 'ta' }), { breedIds: [], categoryIds: [2] })
    expect(market.statements()).toHaveLength(1)
    expect(seen.count).toBe(3)
    expect(seen.districts).toEqual([
      { name: 'Tiruppur', shown: 'திருப்பூர்', count: 2 },
      { name: 'Coimbatore', shown: 'கோயம்புத்தூர்', count: 1 },
    ])
  })

  test('exclude the animals of a deactivated seller', async () => {
    const deactivatedId = (await makeUser(market.ctx, { typeId: 2, isActive: false })).id
    await list({ sellerId: deactivatedId })
    expect((await readKindMarket(market.ctx, goats)).count).toBe(0)
    expect((await countLiveByBreed(market.ctx)).size).toBe(0)
  })
})

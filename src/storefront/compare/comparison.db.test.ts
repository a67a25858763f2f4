import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { comparePath, readCompared } from './compare-path.ts'
import { readComparison } from './comparison.server.ts'

let market: TestMarket
let seller: Awaited<ReturnType<typeof makeUser>>
let cow: number
let bull: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  seller = await makeUser(market.ctx, { typeId: 2 })
  const facts = { sellerId: seller.id, breedId: 101, ageId: 7, district: 'Theni' }
  cow = await makeListing(market.ctx, { ...facts, genderId: 0, milkLitresPerDay: 9, weightKg: 300 })
  bull = await makeListing(market.ctx, { ...facts, genderId: 1, weightKg: 420 })
})

test('a comparison keeps the order of the URL, marks differences and unknown facts, and takes one statement', async () => {
  market.statements()
  const { animals, facts, gone } = await readComparison(market.ctx, [bull, cow])
  expect(market.statements()).toHaveLength(1)
  expect([animals.map(({ id }) => id), gone]).toEqual([[bull, cow], 0])
  const line = (name: string) => facts.find((fact) => fact.name === name)
  expect(line('ageId')!.differs).toBe(false)
  expect(line('weightKg')!.differs).toBe(true)
  expect(line('milkLitresPerDay')).toMatchObject({ differs: true, texts: [null, expect.stringContaining('9') as string] })
  expect(animals[0]!.rest).toEqual([cow])
})

test("a comparison omits hidden animals, even the viewer's own, and counts them", async () => {
  const hidden = await makeListing(market.ctx, { sellerId: seller.id, state: 'failed' })
  for (const ctx of [market.ctx, market.as(seller)]) {
    const { animals, gone } = await readComparison(ctx, [cow, hidden, 999_999])
    expect([animals.map(({ id }) => id), gone]).toEqual([[cow], 2])
  }
  const sold = await makeListing(market.ctx, { sellerId: seller.id })
  await market.ctx.db.update(listings).set({ isSold: true }).where(eq(listings.id, sold))
  expect((await readComparison(market.ctx, [sold])).animals[0]!.availability).toBe('sold')
  expect(await readComparison(market.ctx, [])).toMatchObject({ animals: [], gone: 0 })
})

test('a comparison, which everybody shares, hides the phone numbers in names', async () => {
  const called = await makeListing(market.ctx, { sellerId: seller.id, name: 'Bull 98765 43210' })
  expect((await readComparison(market.as(seller), [called])).animals[0]!.name).toBe('Bull xxxxx')
})

test('the URL of a comparison gives at most three distinct ids; invalid ones are dropped', () => {
  expect(readCompared('7,x,7,-1,3,0,9,12')).toEqual([7, 3, 9])
  expect(readCompared(null)).toEqual([])
  expect(comparePath([7, 3])).toBe('/compare?ids=7,3')
})

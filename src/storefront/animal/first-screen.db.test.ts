import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { readProductPage } from './product-view.server.ts'

let market: TestMarket
let sellerId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
})
beforeEach(() => market.ctx.db.delete(listings))

const list = (facts: ListingFacts) => makeListing(market.ctx, { sellerId, ...facts })
const read = (id: number, query = '') => readProductPage(market.as(null), id, new URLSearchParams(query))

test('the usual price is the middle half of at least five prices of the same breed and sex', async () => {
  const priced = (thousands: number, facts: ListingFacts = {}) => list({ originalPrice: rupees(thousands * 1000), ...facts })
  for (const thousands of [10, 20, 30]) await priced(thousands)
  const id = await priced(40)
  // None of these counts: another sex, another breed, or not for sale.
  await priced(1, { genderId: 0 })
  await priced(1, { breedId: 102 })
  await priced(1, { isSold: true })
  await priced(1, { state: 'pending' })
  await priced(1, { createdAt: daysBefore(market.ctx.now, 200), touchedAt: daysBefore(market.ctx.now, 101) })
  await makeListing(market.ctx, { sellerId: (await makeUser(market.ctx, { typeId: 1 })).id, originalPrice: rupees(1000) })
  expect((await read(id)).usualPrice).toBeNull()
  await priced(60, { offerPrice: rupees(50_000) })
  expect((await read(id)).usualPrice).toEqual({ from: rupees(20_000), to: rupees(40_000), count: 5 })
})

test('goods have no usual price', async () => {
  const goods = { categoryId: 21, breedId: null, ageId: null, genderId: null, colorId: null }
  for (let n = 0; n < 6; n++) await list(goods)
  expect((await read(await list(goods))).usualPrice).toBeNull()
})

test("a seller's sales are those through Sandhai and those without stock left, not those elsewhere", async () => {
  const id = await list({})
  expect((await read(id)).seller.sold).toBe(0)
  await list({ isSold: true, soldThroughSandhai: true })
  await list({ stock: 0 })
  await list({ isSold: true, soldThroughSandhai: false })
  await makeListing(market.ctx, { isSold: true, soldThroughSandhai: true })
  expect((await read(id)).seller.sold).toBe(2)
})

test('the distance starts at the requested PIN code, else at the viewer’s address; strangers see none', async () => {
  const id = await list({ pincode: '638701' })
  const buyer = await makeUser(market.ctx, {})
  const readAs = (query = '') => readProductPage(market.as(buyer), id, new URLSearchParams(query))
  expect((await read(id)).kilometres).toBeNull()
  expect((await readAs()).kilometres).toBeNull()
  expect((await read(id, 'pincode=638701')).kilometres).toBe(0)
  const far = (await read(id, 'pincode=641001')).kilometres!
  expect(far).toBeGreaterThan(40)
  await makeAddress(market.ctx, buyer.id, { pincode: '641001' })
  expect((await readAs()).kilometres).toBe(far)
  expect((await readAs('pincode=638701')).kilometres).toBe(0)
  expect((await readAs('pincode=999999')).kilometres).toBe(far)
})

test('each species shows at most four known key facts', async () => {
  const iconsOf = async (facts: ListingFacts) => (await read(await list(facts))).keyFacts.map(({ icon }) => icon)
  expect(await iconsOf({ teethPairs: 2 })).toEqual(['calendar', 'sex', 'weight', 'teeth'])
  expect(await iconsOf({ genderId: 0, milkLitresPerDay: 8, lactation: 2 })).toEqual(['milk', 'lactation', 'calendar', 'weight'])
  expect(await iconsOf({ genderId: 0, weightKg: 0 })).toEqual(['calendar', 'sex'])
  const pregnant = { genderId: 0, milkLitresPerDay: 0, description: 'ஏழு மாத சினை. சாதுவான மாடு.' }
  expect((await read(await list(pregnant))).keyFacts.map(({ text }) => text)).toContain('Pregnant')
  expect(await iconsOf(pregnant)).toEqual(['lactation', 'calendar', 'weight', 'sex'])
  // The label is the fact's key on the page; a cow in calf and in milk has one icon twice.
  const { keyFacts } = await read(await list({ ...pregnant, milkLitresPerDay: 8, lactation: 2 }))
  expect(keyFacts.map(({ icon }) => icon)).toEqual(['milk', 'lactation', 'lactation', 'calendar'])
  expect(new Set(keyFacts.map(({ label }) => label)).size).toBe(keyFacts.length)
  expect(await iconsOf({ ...pregnant, description: 'சினை இல்லை.' })).toEqual(['calendar', 'weight', 'sex'])
  expect(await iconsOf({ ...pregnant, genderId: 1, milkLitresPerDay: null })).not.toContain('lactation')
  expect(await iconsOf({ categoryId: 4, breedId: 401, stock: 20 })).toEqual(['calendar', 'sex', 'weight', 'boxes'])
  const goods = { categoryId: 21, breedId: null, ageId: null, genderId: null, colorId: null }
  expect(await iconsOf({ ...goods, weightKg: 50 })).toEqual(['weight'])
})

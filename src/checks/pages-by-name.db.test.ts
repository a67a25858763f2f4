import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { relatedTo } from '#src/listings/queries.server.ts'
import { listings } from '#src/listings/tables.ts'
import { m } from '#src/paraglide/messages.js'
import { shareBuiltSite, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

/** The pages that a change makes stale (decision 0102), tested from outside. */
let market: TestMarket
let site: BuiltSite
let other: BuiltSite
let seller: { id: number }

shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  other = site.another()
  seller = await makeUser(market.ctx, { typeId: 2 })
})

const isHit = (page: { headers: Headers }) => page.headers.get('cache-status') === 'sandhai; hit'

describe('an order', () => {
  let cow: number
  let hens: number
  const pages = () => ({
    own: `/en/product/${hens}`,
    ownList: '/en/buy/4',
    call: `/api/v1/product/id=${hens}`,
    otherList: '/en/buy/1',
    otherAnimal: `/en/product/${cow}`,
    text: '/en/aboutus',
  })
  /** Returns the pages that are still cached after the change. */
  async function cachedAfter(change: () => Promise<unknown>): Promise<string[]> {
    for (const path of Object.values(pages())) await site.open(path)
    await change()
    const cached: string[] = []
    for (const [name, path] of Object.entries(pages())) if (isHit(await site.open(path))) cached.push(name)
    return cached
  }
  const setHens = (facts: Partial<typeof listings.$inferInsert>) => market.ctx.db.update(listings).set(facts).where(eq(listings.id, hens))

  beforeAll(async () => {
    cow = await makeListing(market.ctx, { nameEn: 'Quiet Cow' })
    hens = await makeListing(market.ctx, { nameEn: 'Nine Hens', categoryId: 4, breedId: null, stock: 9 })
  })

  test('of some of the stock re-renders the pages that show the animal, and no other', async () => {
    expect(await cachedAfter(() => setHens({ stock: 7, version: 2 }))).toEqual(['otherList', 'otherAnimal', 'text'])
    for (const process of [other, site]) {
      const list = textOf((await process.open('/en/buy/4')).html)
      expect([
        list.includes(m.card_stock({ count: 9 }, { locale: 'en' })),
        list.includes(m.card_stock({ count: 7 }, { locale: 'en' })),
      ]).toEqual([false, true])
    }
  })

  test('of the last one also re-renders pages with counts, and animals of its breed and seller', async () => {
    expect(await cachedAfter(() => setHens({ stock: 0 }))).toEqual(['otherAnimal'])
    expect((await other.open('/en/buy/4')).html).not.toContain('Nine Hens')
  })

  test.each([
    ['that comes back', () => setHens({ stock: 9 })],
    ['beside a new price', () => setHens({ stock: 8, originalPrice: rupees(444) })],
    ['of a listing that is sold', () => setHens({ stock: 7, isSold: true })],
    [
      'in one transaction with anything else',
      () =>
        inTransaction(market.ctx, async (ctx) => {
          await ctx.db.update(users).set({ degree: 'BVSc' }).where(eq(users.id, seller.id))
          await ctx.db.update(listings).set({ stock: 6 }).where(eq(listings.id, hens))
        }),
    ],
    [
      'in one transaction before anything else',
      () =>
        inTransaction(market.ctx, async (ctx) => {
          await ctx.db.update(listings).set({ stock: 5 }).where(eq(listings.id, hens))
          await ctx.db.update(users).set({ degree: 'MVSc' }).where(eq(users.id, seller.id))
        }),
    ],
  ] as const)('%s re-renders every page', async (_, change) => {
    expect(await cachedAfter(change)).toEqual([])
  })
})

describe('ordering the last of an animal in a market with more animals than are counted', () => {
  /** Newest first; each has its own seller and price. */
  let goats: number[]
  const sell = (id: number) => market.ctx.db.update(listings).set({ stock: 0 }).where(eq(listings.id, id))
  const isCachedAfter = async (path: string, change: () => Promise<unknown>) => {
    // A page's first rendering may date from the last check for changes; the second is current.
    for (const process of [site, other, other]) await process.open(path)
    await change()
    return isHit(await other.open(path))
  }

  beforeAll(async () => {
    const goat = { categoryId: 2, breedId: 201, sellerId: seller.id }
    const made: number[] = []
    for (let n = 0; n < 40; n++)
      made.push(
        await makeListing(market.ctx, {
          ...goat,
          nameEn: `Goat ${n}`,
          originalPrice: rupees(9000 + n),
          createdAt: new Date(Date.now() - n * 1000),
        }),
      )
    goats = made
    const columns = sql.raw(
      'seller_id, created_by_id, pickup_address_id, category_id, breed_id, name, description, gender_id, weight_kg, described_weight_kg, stock, state, pincode, taluk, district, state_name, search_keys, seller_active',
    )
    await market.owner.execute(sql`alter table listings disable trigger listings_photo`)
    await market.owner.execute(sql`
      insert into listings (${columns}, original_price, created_at) select ${columns}, original_price, created_at - interval '1 day'
      from listings, generate_series(1, 1100) where id = ${made[39]!}`)
    await market.owner.execute(sql`alter table listings enable trigger listings_photo`)
  })

  test('re-renders a list that shows it, and no list that does not', async () => {
    expect(await isCachedAfter('/en/buy/2', () => sell(goats[30]!))).toBe(true)
    expect(await isCachedAfter('/en/buy/2', () => sell(goats[3]!))).toBe(false)
    expect((await site.open('/en/buy/2')).html).not.toContain('Goat 3<')
    // The list has few enough to count, so one animal less changes it.
    expect(await isCachedAfter('/en/buy/2?max=9020', () => sell(goats[10]!))).toBe(false)
  })

  test('re-renders the call that lists them, even when the first unlisted animal is sold', async () => {
    const call = '/api/v1/product-detail-list/top=5&category=2&page=buy'
    const shown = goats.filter((_, n) => ![3, 10, 30].includes(n))
    expect(await isCachedAfter(call, () => sell(shown[6]!))).toBe(true)
    expect(await isCachedAfter(call, () => sell(shown[5]!))).toBe(false)
  })

  test("re-renders an animal's page when another animal considered for it is sold, shown or not", async () => {
    const kid = await makeListing(market.ctx, { categoryId: 2, breedId: 202, originalPrice: rupees(9000) })
    const path = `/en/product/${kid}`
    const { rows } = (await market.ctx.db.execute(relatedTo(market.ctx, kid))) as unknown as {
      rows: { id: string; considered: string[] }[]
    }
    const shown = rows.map(({ id }) => Number(id))
    const considered = rows[0]!.considered.map(Number)
    const hidden = considered.find((id) => !shown.includes(id))!
    const far = goats.findLast((id) => !considered.includes(id))!
    expect(await isCachedAfter(path, () => sell(far))).toBe(true)
    expect(await isCachedAfter(path, () => sell(hidden))).toBe(false)
    expect(await isCachedAfter(path, () => sell(shown[0]!))).toBe(false)
  })
})

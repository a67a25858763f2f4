import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { findPlace } from '#src/addresses/places.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { encodeCursor } from '#src/kit/http/pagination.ts'
import { openTestMarket, shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { browseListings } from './browse.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { makeListing } from '../makers.server.ts'
import { getProduct, getProductWithRelated, listProducts, listTrending, revealContact } from '../queries.server.ts'
import { browsePath, cursorList, readBrowse } from './schemas.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

async function find(query: string, pageSize = 24) {
  const { choices } = readBrowse(0, new URLSearchParams(query), knownIds)
  return browseListings(market.ctx, choices, { near: choices.near ? findPlace(choices.near) : null, pageSize })
}
const ids = async (query: string) => (await find(query)).cards.map((card) => card.id)

describe('a market with a few animals', () => {
  const animals: Record<string, number> = {}
  beforeAll(async () => {
    const day = (n: number) => daysBefore(market.ctx.now, n)
    const add = async (key: string, facts: Parameters<typeof makeListing>[1], photos?: Parameters<typeof makeListing>[2]) => {
      animals[key] = await makeListing(market.ctx, facts, photos)
    }
    await add('kangayam', { createdAt: day(5), originalPrice: rupees(90_000), offerPrice: rupees(80_000) })
    await add('jersey', {
      breedId: 118,
      genderId: 0,
      name: 'ஜெர்சி பசு',
      nameEn: 'Jersey cow in milk',
      createdAt: day(4),
      originalPrice: rupees(60_000),
      pincode: '642001',
    })
    await add('murrah', {
      breedId: 120,
      genderId: 0,
      name: 'முர்ரா எருமை',
      createdAt: day(3),
      originalPrice: rupees(95_000),
      pincode: '600001',
    })
    await add('kanni', {
      categoryId: 2,
      breedId: 201,
      name: 'கன்னி ஆடு',
      createdAt: day(2),
      originalPrice: rupees(12_000),
      stock: 4,
      weightKg: 28,
      pincode: '625531',
    })
    await add('goat of Kangayam town', {
      categoryId: 2,
      breedId: 207,
      name: 'பீட்டல் ஆடு',
      createdAt: day(2),
      originalPrice: rupees(14_000),
      pincode: '638701',
      isSold: true,
    })
    await add('siruvidai', {
      categoryId: 4,
      breedId: 401,
      name: 'சிறுவிடை சேவல்',
      createdAt: day(1),
      originalPrice: rupees(600),
      stock: 25,
      weightKg: 1.6,
      pincode: '625531',
    })
    await add('broiler', {
      categoryId: 4,
      breedId: 414,
      name: 'பிராய்லர்',
      createdAt: day(1),
      originalPrice: rupees(250),
      stock: 100,
      pincode: '625531',
    })
    await add('sold', { isSold: true })
    await add('none left', { stock: 0 })
    await add('pending', { state: 'pending' })
    await add('closed', { createdAt: day(120), touchedAt: day(101) })
  })

  test('the list shows live animals newest first, with their number', async () => {
    const page = await find('')
    expect(page.found).toBe(6)
    expect(page.foundMore).toBe(false)
    expect(page.cards.map((card) => card.id).slice(2)).toEqual(['kanni', 'murrah', 'jersey', 'kangayam'].map((k) => animals[k]))
  })

  test('a card has the facts that a buyer scans', async () => {
    const card = (await find('breed=101')).cards[0]!
    expect(card).toMatchObject({
      breed: 'Kangayam',
      category: 'Cattle',
      gender: 'Male',
      weightKg: 420,
      city: 'Tiruppur',
      state: 'Tamil Nadu',
      sellerVerified: false,
      vetPassed: false,
    })
    expect(card.originalPrice).toBe(rupees(90_000))
    expect(card.photo?.count).toBe(1)
  })

  test.each([
    ['maadu', ['murrah', 'jersey', 'kangayam']],
    ['மாடு', ['murrah', 'jersey', 'kangayam']],
    ['kangeyam', ['kangayam']],
    ['kangayam', ['kangayam']],
    ['kangyam', ['kangayam']],
    ['tiruppur maadu', ['kangayam']],
    ['theni aadu', ['kanni']],
    ['காங்கேயம் காளை', ['kangayam']],
    ['aadu', ['kanni']],
    ['naattu kozhi', ['siruvidai']],
    ['நாட்டுக்கோழி', ['siruvidai']],
    ['jersy cow', ['jersey']],
    ['erumai', ['murrah']],
    ['buffelo', ['murrah']],
    ['pollachi maadu', ['jersey']],
    ['zebra', []],
  ])('a search for "%s" finds %s', async (text, keys) => {
    expect(new Set(await ids(`q=${encodeURIComponent(text)}`))).toEqual(new Set(keys.map((k) => animals[k])))
  })

  test('a search word that names a breed and a town means the breed', async () => {
    const rival = await makeListing(market.ctx, { categoryId: 1, breedId: 118, genderId: 0, name: 'ஜெர்சி பசு', pincode: '638701' })
    expect(await ids('q=kangayam')).toEqual([animals.kangayam])
    expect(await ids('q=tiruppur+jersey')).toEqual([rival])
    await market.ctx.db.execute(sql`update listings set is_sold = true where id = ${rival}`)
  })

  test('with a text, the default order is best match, cows before bulls, and newest can be chosen', async () => {
    const cow = await makeListing(market.ctx, {
      breedId: 107,
      genderId: 0,
      name: 'நாட்டுப் பசு',
      milkLitresPerDay: 4,
      createdAt: daysBefore(market.ctx.now, 9),
    })
    expect(await ids('q=cow')).toEqual(['jersey', 'kangayam'].map((k) => animals[k]).toSpliced(1, 0, cow))
    expect(await ids('q=cow&sort=newest')).toEqual([animals.jersey, animals.kangayam, cow])
    // The Jersey's title says that she gives milk; her facts do not.
    expect(await ids('q=karavai+maadu')).toEqual([cow, animals.jersey])
    expect(await ids(`q=COW-${String(cow).padStart(5, '0')}`)).toEqual([cow])
    expect(await ids(`q=goat ${String(cow).padStart(5, '0')}`)).toEqual([])
    await market.ctx.db.execute(sql`update listings set is_sold = true where id = ${cow}`)
  })

  test.each(['best', 'newest'])('a search sorted by %s shows every match once over all pages', async (sort) => {
    const seen: number[] = []
    let after: string | null = ''
    while (after !== null) {
      const page: Awaited<ReturnType<typeof find>> = await find(`q=maadu&sort=${sort}&after=${after}`, 1)
      seen.push(...page.cards.map((card) => card.id))
      after = page.next
    }
    expect(seen).toEqual(await ids(`q=maadu&sort=${sort}`))
    expect(new Set(seen).size).toBe(3)
  })

  test.each([
    ['nearest', '1e-999'],
    ['nearest', '1e-400'],
    ['nearest', `999999.${'9'.repeat(20)}e-999`],
    ['nearest', `999999.${'9'.repeat(20)}e-99`],
    ['best', '99999999:99999999999999'],
    ['best', '9999999999:1'],
    ['newest', '99999999999999'],
    ['price-low', '9999999999999999'],
  ])('a crafted cursor by %s (%s) gives a page, never an error', async (sort, value) => {
    const query = `q=maadu&near=638701&sort=${sort}`
    const { choices } = readBrowse(0, new URLSearchParams(query), knownIds)
    const after = encodeCursor(cursorList(choices), { value, id: 999_999_999_999_999 })
    expect((await find(`${query}&after=${after}`)).found).toBe(3)
  })

  test.each(['category=1', 'breed=101', 'q=maadu', 'max=90000', 'near=638701&within=200', 'near=638701', 'sort=price-low'])(
    'a cursor of the whole list is invalid for the list under %s',
    async (filter) => {
      const { next } = await find('', 1)
      expect(readBrowse(0, new URLSearchParams(`after=${next}`), knownIds).choices.after).not.toBeNull()
      expect(readBrowse(0, new URLSearchParams(`${filter}&after=${next}`), knownIds).choices.after).toBeNull()
      expect((await find(`${filter}&after=${next}`, 1)).cards).toEqual((await find(filter, 1)).cards)
    },
  )

  test('the default order is not part of the URL', () => {
    const path = (query: string) => {
      const { choices } = readBrowse(0, new URLSearchParams(query), knownIds)
      return browsePath({ ...choices, after: null })
    }
    expect(path('q=goat')).toBe('/buy/0?q=goat')
    expect(path('q=goat&sort=best')).toBe('/buy/0?q=goat')
    expect(path('q=goat&sort=newest')).toBe('/buy/0?q=goat&sort=newest')
    expect(path('sort=newest')).toBe('/buy/0')
    expect(path('sort=best')).toBe('/buy/0')
  })

  test('price filters compare the price that the buyer pays', async () => {
    expect(await ids('min=70000&max=85000')).toEqual([animals.kangayam])
  })

  test('sorts by price in both directions', async () => {
    const low = await ids('sort=price-low')
    expect(low[0]).toBe(animals.broiler)
    expect(await ids('sort=price-high')).toEqual([...low].reverse())
  })

  test('sorts by distance from a town or a PIN code, and shows the distance', async () => {
    const page = await find('near=Pollachi&sort=nearest&category=1')
    expect(page.cards.map((c) => c.id)).toEqual(['jersey', 'kangayam', 'murrah'].map((k) => animals[k]))
    expect(page.cards[0]!.kilometres).toBeLessThan(15)
    expect(page.cards[2]!.kilometres).toBeGreaterThan(300)
    expect(await ids('near=642001&within=25')).toEqual([animals.jersey])
  })

  test('while no place is known, the order by distance lists everything in the usual order, on all pages', async () => {
    const usual = await ids('q=maadu')
    expect(usual).toHaveLength(3)
    expect(await ids('q=maadu&sort=nearest&within=25')).toEqual(usual)
    const first = await find('q=maadu&sort=nearest', 2)
    expect((await find(`q=maadu&sort=nearest&after=${first.next}`)).cards.map((card) => card.id)).toEqual(usual.slice(2))
    const { choices } = readBrowse(0, new URLSearchParams('q=maadu&sort=nearest&within=25'), knownIds)
    expect(browsePath({ ...choices, after: null })).toBe('/buy/0?q=maadu&within=25&sort=nearest')
    expect(browsePath({ ...choices, near: '642001', after: null })).toBe('/buy/0?q=maadu&near=642001&within=25&sort=nearest')
  })

  test('contradictory choices find nothing and cause no error', async () => {
    expect((await find('category=2&breed=101')).found).toBe(0)
    expect((await find('min=5000&max=10')).found).toBe(0)
  })

  test.each(['newest', 'price-low', 'price-high', 'nearest'])('paging by %s shows every animal once', async (sort) => {
    const seen: number[] = []
    let after: string | null = ''
    while (after !== null) {
      const page: Awaited<ReturnType<typeof find>> = await find(`sort=${sort}&near=638701&after=${after}`, 2)
      seen.push(...page.cards.map((card) => card.id))
      after = page.next
    }
    expect(seen).toEqual(await ids(`sort=${sort}&near=638701`))
    expect(new Set(seen).size).toBe(6)
  })

  test('the public gets NOT_FOUND for hidden and missing listings alike; the seller and admins see a hidden one', async () => {
    await expect(getProduct(market.ctx, animals.pending!)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(getProduct(market.ctx, 999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const admin = await makeUser(market.ctx, { typeId: 9 })
    expect((await getProduct(market.as(admin), animals.pending!)).state).toBe('pending')
  })

  test('a sold or closed listing is still available by its link', async () => {
    expect((await getProduct(market.ctx, animals.sold!)).isSold).toBe(true)
    expect((await getProduct(market.ctx, animals.closed!)).id).toBe(animals.closed)
  })

  test('related animals are live and of the same category', async () => {
    const { related } = await getProductWithRelated(market.ctx, animals.kangayam!, null)
    expect(related.map((card) => card.id)).toEqual([animals.murrah, animals.jersey])
  })

  test('trending falls back to the newest animals in a quiet market', async () => {
    expect((await listTrending(market.ctx, { top: 3 })).map((p) => p.id)).toHaveLength(3)
    expect((await listProducts(market.ctx, { categoryId: 2, top: 60, after: null })).products.map((p) => p.id)).toEqual([animals.kanni])
  })

  test("a person sees fifty sellers' contacts a day; the same seller again is free", async () => {
    const buyer = await makeUser(market.ctx)
    const ctx = market.as(buyer)
    expect(await revealContact(market.ctx, animals.jersey!)).toBeNull()
    expect(await revealContact(ctx, animals.jersey!)).toBe(true)
    for (let i = 0; i < 49; i++) expect(await revealContact(ctx, await makeListing(market.ctx, { pincode: '600001' }))).toBe(true)
    expect(await revealContact(ctx, animals.murrah!)).toBe(false)
    expect(await revealContact(ctx, animals.sold!)).toBeNull()
    expect(await revealContact(ctx, animals.closed!)).toBeNull()
    expect(await revealContact(ctx, animals.jersey!)).toBe(true)
  })
})

test('more than a thousand matches count as equally relevant: newest first, each once', async () => {
  const large = await openTestMarket()
  try {
    const id = await makeListing(large.ctx)
    const columns = sql.raw(
      'seller_id, created_by_id, pickup_address_id, category_id, breed_id, name, description, gender_id, weight_kg, described_weight_kg, stock, original_price, state, pincode, taluk, district, state_name, search_keys',
    )
    await large.owner.execute(sql`alter table listings disable trigger listings_photo`)
    await large.ctx.db.execute(
      sql`insert into listings (${columns}, created_at) select ${columns}, now() - n * interval '1 minute' from listings, generate_series(1, 1049) n where id = ${id}`,
    )
    const seen: number[] = []
    let after: string | null = ''
    while (after !== null) {
      const { choices } = readBrowse(0, new URLSearchParams(`q=kaalai&after=${after}`), knownIds)
      const page: Awaited<ReturnType<typeof find>> = await browseListings(large.ctx, choices, { near: null, pageSize: 400 })
      expect(page.foundMore).toBe(true)
      seen.push(...page.cards.map((card) => card.id))
      after = page.next
    }
    expect(seen).toEqual(Array.from({ length: 1050 }, (_, n) => id + n))
  } finally {
    await large.close()
  }
})

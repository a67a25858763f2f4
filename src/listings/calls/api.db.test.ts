import { beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import type { Viewer } from '#src/kit/context.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { encodeCursor } from '#src/kit/http/pagination.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { makeListing, makeVaccination } from '../makers.server.ts'
import { listings } from '../tables.ts'

interface Wire {
  id: number
  name: string
  contact_limited: boolean
  verification_comment: string | null
  is_sold: boolean
  is_verified: boolean
  seller: { phone: string }
  pickup: { id?: number; address: Record<string, unknown> }
  product_variant: Record<string, unknown>[]
  product_viewed: { viewcount: number }
}

type Person = Awaited<ReturnType<typeof makeUser>>
const STREET = '7 Hidden Farm Lane'
let app: TestApp
let seller: Person
const people: Record<string, Viewer | null> = { visitor: null }
/** A check is valid for a limited number of days. */
let checkedOn: string
const animals: Record<string, number> = {}

shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  const { ctx } = app
  seller = await makeUser(ctx, { typeId: 2, name: 'Murugesan' })
  people.buyer = await makeUser(ctx)
  people.seller = seller
  people['other seller'] = await makeUser(ctx, { typeId: 3 })
  people.vet = await makeUser(ctx, { typeId: 5, vetApproved: true, name: 'Dr Kavitha', degree: 'BVSc & AH' })
  people.admin = await makeUser(ctx, { typeId: 9, isStaff: true })
  people['admin without powers'] = await makeUser(ctx, { typeId: 9 })
  const pickupAddressId = await makeAddress(ctx, seller.id, { name: 'Milk farm', address1: STREET, phone: '+919876500001' })
  const own = { sellerId: seller.id, pickupAddressId }
  const day = (n: number) => daysBefore(ctx.now, n)
  const add = async (key: string, facts: Parameters<typeof makeListing>[1]) => (animals[key] = await makeListing(ctx, facts))
  await add('cow', {
    ...own,
    breedId: 118,
    genderId: 0,
    name: 'ஜெர்சி பசு',
    nameEn: 'Jersey cow',
    description: 'நல்ல பசு',
    descriptionEn: 'A good cow',
    weightKg: 312.5,
    originalPrice: rupees(60_000.5),
    offerPrice: rupees(54_321.1234),
    teethPairs: 2,
    pregnancies: 1,
    milkLitresPerDay: 12.5,
    offspring: 1,
    verificationComment: 'Photos checked',
    createdAt: day(9),
  })
  await add('goat', {
    ...own,
    categoryId: 2,
    breedId: 201,
    name: 'கன்னி ஆடு',
    stock: 4,
    weightKg: 28,
    originalPrice: rupees(12_000),
    createdAt: day(8),
  })
  await add('rope', {
    categoryId: 11,
    breedId: null,
    ageId: null,
    genderId: null,
    colorId: null,
    name: 'கயிறு',
    weightKg: 0,
    originalPrice: rupees(80),
    createdAt: day(7),
  })
  await add('bull', { createdAt: day(6) })
  for (const state of ['draft', 'pending', 'failed', 'withdrawn'] as const)
    await add(state, { ...own, state, verificationComment: 'Photo is dark' })
  await add('sold', { ...own, isSold: true })
  await add('none left', { ...own, stock: 0 })
  await add('closed', { ...own, createdAt: day(120), touchedAt: day(101) })
  checkedOn = indianDay(day(3))
  await makeVetCheck(ctx, {
    listingId: animals.cow!,
    vetId: people.vet.id,
    approved: true,
    comments: 'நலம்',
    commentsEn: 'Healthy',
    checkedOn,
  })
  await makeVaccination(ctx, { listingId: animals.cow!, vaccineId: 1, dose: 2, vaccinatedOn: '2026-10-02' })
  await makeReview(ctx, { sellerId: seller.id, reviewerId: people.buyer.id, stars: 4 })
  await makeReview(ctx, { sellerId: seller.id, reviewerId: people.vet.id, comment: 'Punctual' })
})

const words = (text: string) => text.trim().split(/\s+/)
const keyOf = (id: number) => Object.keys(animals).find((key) => animals[key] === id)
const list = async (path: string) => (await app.read<Wire[]>(`/api/v1/${path}`)).map((product) => keyOf(product.id))
const product = (key: string) => `/api/v1/product/id=${animals[key]}`
const see = async (key: string, who: string, language = 'en') => (await app.read<Wire[]>(product(key), { as: people[who]!, language }))[0]!

describe('lookup lists', () => {
  test('return the category types with categories, breeds and vaccines, in both languages', async () => {
    type Tree = { id: number; name: string; categories: { id: number; breeds: unknown[]; vaccines: unknown[] }[] }[]
    const english = await app.read<Tree>('/api/v1/category-type')
    expect(english.map((type) => type.id)).toEqual([1, 2, 3, 4, 5])
    expect(english[0]).toMatchObject({
      name: 'Livestock',
      categories: [{ id: 1, name: 'Cattle', shortname: 'Cow', varianttype: 1 }, {}, {}, {}, { id: 6 }],
    })
    expect(english[0]!.categories[0]!.breeds[0]).toEqual({ id: 101, name: 'Kangayam', shortname: 'Kangayam', category: 1 })
    expect(english[0]!.categories[0]!.vaccines).toContainEqual({ id: 7, name: 'Lumpy skin disease', shortname: 'LSD' })
    expect(english[2]!.categories[0]).toMatchObject({ id: 11, breeds: [], vaccines: [] })
    expect((await app.read<Tree>('/api/v1/category-type', { language: 'ta' }))[0]).toMatchObject({
      name: 'கால்நடைகள்',
      categories: [{ name: 'மாடுகள்', shortname: 'மாடு' }, {}, {}, {}, {}],
    })
  })

  test('name ages by their range, colours and genders by name; female has id 0', async () => {
    expect(await app.read('/api/v1/livestock-age')).toContainEqual({ id: 7, age_range: '3-4 years' })
    expect(await app.read('/api/v1/livestock-age', { language: 'ta' })).toContainEqual({ id: 7, age_range: '3-4 ஆண்டுகள்' })
    expect(await app.read('/api/v1/livestock-color')).toContainEqual({ id: 2, name: 'Black' })
    expect(await app.read('/api/v1/livestock-color', { language: 'ta' })).toContainEqual({ id: 2, name: 'கருப்பு' })
    expect(await app.read('/api/v1/livestock-gender', { as: people.seller! })).toContainEqual({ id: 0, name: 'Female' })
    expect(await app.read('/api/v1/livestock-gender', { language: 'ta' })).toContainEqual({ id: 0, name: 'பெண்' })
  })
})

describe('the list of animals for sale', () => {
  test('returns cards of the requested live animals in the requested order, and refuses invalid ids', async () => {
    const { cow, bull } = animals as { cow: number; bull: number }
    const sold = await makeListing(app.ctx, { sellerId: seller.id, isSold: true })
    const cards = (await (await app.call(`/api/v1/product-cards/ids=${bull},${sold},999999,${cow},${bull}`)).json()) as {
      id: number
      price: number
    }[]
    expect(cards.map(({ id }) => id)).toEqual([bull, cow])
    expect(cards[1]).toEqual({
      id: cow,
      name: expect.any(String) as string,
      price: 54_321.1234,
      image: expect.stringMatching(/-320\.webp$/) as string,
    })
    for (const ids of ['', 'x', '1,,2', Array.from({ length: 13 }, (_, at) => at + 1).join(',')])
      expect((await app.call(`/api/v1/product-cards/ids=${ids}`)).status, ids).toBe(422)
  })

  test('contains live animals newest first: nothing sold, closed or unverified', async () => {
    expect(await list('product-detail-list/top=0&category=0&page=buy')).toEqual(['bull', 'rope', 'goat', 'cow'])
    expect(await list('product-detail-list/top=0&category=2&page=buy')).toEqual(['goat'])
    expect(await list('product-detail-list/top=60&category=31&page=buy')).toEqual([])
  })

  test.each([
    'top=2&category=0&page=buy',
    'top%3D2%26category%3D0%26page%3Dbuy',
    'top%3d2%26category=0&page%3dbuy',
    '%74op=2&category=0&page=bu%79',
    'top=2&category=0&page=buy/',
  ])('accepts the path %s', async (path) => {
    expect(await list(`product-detail-list/${path}`)).toEqual(['bull', 'rope'])
  })

  test('each cursor leads to the next page until the last one', async () => {
    const seen: unknown[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null && page < 9; page++) {
      const response: Response = await app.call(`/api/v1/product-detail-list/top=1&category=0&page=buy${cursor && `?cursor=${cursor}`}`)
      seen.push(...((await response.json()) as Wire[]).map((each) => keyOf(each.id)))
      cursor = response.headers.get('x-next-cursor')
    }
    expect(seen).toEqual(['bull', 'rope', 'goat', 'cow'])
    const farAway = encodeCursor('newest.0', { value: '9'.repeat(14), id: 1 })
    expect(await list(`product-detail-list/top=1&category=0&page=buy?cursor=${farAway}`)).toEqual(['bull'])
  })

  test('returns trending animals for the home page, and trusted animals for Top in Market', async () => {
    expect(new Set(await list('product-detail-list/top=12&category=0&page=home'))).toEqual(new Set(['bull', 'rope', 'goat', 'cow']))
    expect(await list('product-detail-list/top=12&category=1&page=home')).toEqual(['bull', 'cow'])
    expect((await app.call('/api/v1/product-detail-list/top=1&category=0&page=home')).headers.get('x-next-cursor')).toBeNull()
    expect(await list('product-top/top=4')).toEqual(['cow'])
    expect(await list('product-top/top%3D4')).toEqual(['cow'])
  })

  test("returns names in the request's language", async () => {
    const path = '/api/v1/product-detail-list/top=1&category=2&page=buy'
    expect(await app.read(path)).toMatchObject([
      { name: 'கன்னி ஆடு', category: { name: 'Goat' }, pickup: { address: { city: 'Tiruppur', state: 'Tamil Nadu' } } },
    ])
    expect(await app.read(path, { language: 'ta' })).toMatchObject([
      { category: { name: 'வெள்ளாடுகள்' }, pickup: { address: { city: 'திருப்பூர்', state: 'தமிழ்நாடு' } } },
    ])
  })

  test('reveals no phone, street or admin comment, not even to the seller and admins', async () => {
    for (const path of [
      'product-detail-list/top=0&category=0&page=buy',
      'product-detail-list/top=0&category=0&page=home',
      'product-top/top=4',
    ]) {
      const open = await (await app.call(`/api/v1/${path}`)).text()
      expect(open).not.toMatch(/\+91|Hidden Farm|Photos checked|"phone"|pannumber/i)
      for (const who of Object.keys(people)) expect(await (await app.call(`/api/v1/${path}`, { as: people[who]! })).text()).toBe(open)
    }
  })

  test.each([
    ...words(`
      top=0&category=0  top=0&category=0&page=buy&page=buy  top=0&category=0&page=buy&x=1  x
      top=0&top=0&category=0&page=buy  Top=0&category=0&page=buy  top=0;category=0;page=buy  top=0&category=0&page=buy&&&
      top=61&category=0&page=buy  top=-1&category=0&page=buy  top=&category=0&page=buy  top=1e1&category=0&page=buy
      top=١&category=0&page=buy  top=05&category=0&page=buy  top=0&category=7&page=buy  top=0&category=constructor&page=buy
      top=0&category=9999999999999999999&page=buy  top=0&category=0&page=sell  top=0&category=0&page=BUY  top=0&category=0&page=buy%00
      top%253D0%2526category%253D0%2526page%253Dbuy  top=0&category=0&page=buy%2526x=1  ..%2f..%2fetc%2fpasswd
      top=0&category=0&page=buy?cursor=  top=0&category=0&page=buy?cursor=abc  top=0&category=0&page=buy?cursor=a&cursor=b
      top=0&category=0&page=buy?courser=a  top=0&category=0&page=home?cursor=bmV3ZXN0fDF8MQ  top=0&category=0&page=buy?cursor=%E0%A4%A
    `),
    `top=0&category=0&page=buy?cursor=${encodeCursor('newest.0', { value: '9'.repeat(16), id: 1 })}`,
    `top=0&category=0&page=buy?cursor=${encodeCursor('nearest', { value: '1', id: 1 })}`,
    `top=0&category=1&page=buy?cursor=${encodeCursor('newest.0', { value: '9'.repeat(14), id: 1 })}`,
  ])('refuses the path %s', async (path) => {
    expect(await app.refused(`/api/v1/product-detail-list/${path}`)).toBe('422 VALIDATION')
  })

  test.each(['top=0', 'top=21', 'top=1.5', 'top=4&category=1', 'top'])('refuses Top in Market with %s', async (path) => {
    expect(await app.refused(`/api/v1/product-top/${path}`)).toBe('422 VALIDATION')
  })

  test('a person may read 300 times a minute; an address 1,200 times', async () => {
    const as = await makeUser(app.ctx)
    for (let i = 0; i < 300; i++) expect((await app.call('/api/v1/product-top/top=x', { as, method: 'HEAD' })).status).toBe(422)
    expect(await app.refused('/api/v1/product-top/top=1', { as })).toBe('429 RATE_LIMITED')
    expect(await app.refused(product('cow'), { as })).toBe('429 RATE_LIMITED')
    const address = '192.0.2.9'
    for (let i = 0; i < 1200; i++) expect((await app.call('/api/v1/product-top/top=x', { address, method: 'HEAD' })).status).toBe(422)
    expect(await app.refused(product('cow'), { address })).toBe('429 RATE_LIMITED')
  })
})

describe('one animal', () => {
  test("is the single item of a list, with the specification's field names", async () => {
    const cow = await see('cow', 'visitor')
    expect(cow).toMatchObject({
      id: animals.cow,
      name: 'Jersey cow',
      description: 'A good cow',
      categorytype: { id: 1, name: 'Livestock' },
      category: { id: 1, name: 'Cattle' },
      breed: { id: 118, name: 'Jersey cross' },
      variant_type: 1,
      uniqueidentifier: `COW-${String(animals.cow).padStart(5, '0')}`,
      is_sold: false,
      is_verified: true,
      sold_though_sandhai: null,
      seller: { id: seller.id, username: 'Murugesan', is_verified: false, seller_reviews: { average: 4, count: 1 } },
      pickup: { address: { city: 'Tiruppur', state: 'Tamil Nadu', country: 'India', pincode: '638701' } },
      veterinary_check: [
        {
          is_vet_approved: true,
          vet_comments: 'Healthy',
          checked_on: checkedOn,
          veterinary: 'Dr Kavitha',
          veterinary_degree: 'BVSc & AH',
        },
      ],
      vaccinated: [{ vaccine: { id: 1, name: 'Foot and mouth disease' }, completed_dose: 2, vaccinated_on: '2026-10-02' }],
    })
    expect(cow.product_variant[0]).toMatchObject({
      id: animals.cow,
      age: { id: 7, age_range: '3-4 years' },
      gender: { id: 0, name: 'Female' },
      color: { id: 6, name: 'Grey' },
      feedtype: 2,
      stock: 1,
      weight: 312.5,
      original_price: 60_000.5,
      offer_price: 54_321.1234,
      adult_teeth_pair_count: 2,
      is_pregnant: 1,
      milk_produce_per_Day: 12.5,
      no_of_offsprings: 1,
      product_images: [{ image: expect.stringMatching(/^\/media\/[a-z0-9]{20}-1280\.jpg$/) }],
    })
    expect(await see('cow', 'visitor', 'ta')).toMatchObject({
      name: 'ஜெர்சி பசு',
      description: 'நல்ல பசு',
      veterinary_check: [{ vet_comments: 'நலம்' }],
    })
  })

  test('goods have no age, gender, colour or breed, and a missing offer is null', async () => {
    const rope = await see('rope', 'visitor')
    expect(rope).toMatchObject({ breed: null, variant_type: 0, veterinary_check: [], vaccinated: [] })
    expect(rope.product_variant[0]).toMatchObject({ age: null, gender: null, color: null, weight: 0, offer_price: null, is_pregnant: null })
  })

  test("the seller's phone is masked for visitors and complete for logged-in people", async () => {
    expect((await see('cow', 'visitor')).seller.phone).toBe(maskPhone(seller.phone))
    expect(await (await app.call(product('cow'))).text()).not.toContain(seller.phone)
    for (const who of ['buyer', 'seller', 'other seller', 'vet', 'admin'])
      expect(await see('cow', who)).toMatchObject({ contact_limited: false, seller: { phone: seller.phone } })
  })

  test('the fifty-first seller of a day is masked; a seller shown before is not', async () => {
    const as = await makeUser(app.ctx)
    const first = await app.read<Wire[]>(product('cow'), { as })
    for (let i = 0; i < 49; i++) {
      const id = await makeListing(app.ctx)
      await app.call(`/api/v1/product/id=${id}`, { as })
      await app.ctx.db.delete(listings).where(eq(listings.id, id))
    }
    expect(await app.read(product('bull'), { as })).toMatchObject([
      { contact_limited: true, seller: { phone: expect.stringContaining('xxxxx') } },
    ])
    expect(await app.read(product('cow'), { as })).toEqual(first)
  })

  test('the seller and admins with powers see the street, everybody the town', async () => {
    for (const who of ['visitor', 'buyer', 'other seller', 'vet']) {
      const { pickup, verification_comment } = await see('cow', who)
      expect({ pickup, verification_comment }).toEqual({
        pickup: { address: { city: 'Tiruppur', state: 'Tamil Nadu', country: 'India', pincode: '638701' } },
        verification_comment: null,
      })
    }
    for (const who of ['seller', 'admin']) {
      expect(await see('cow', who)).toMatchObject({
        verification_comment: 'Photos checked',
        pickup: { id: expect.any(Number), address: { address_1: STREET, name: 'Milk farm', phone: '+919876500001', type: 2 } },
      })
    }
    expect(await see('cow', 'admin without powers')).toMatchObject({ pickup: { address: { address_1: STREET, phone: '+91 98xxxxx001' } } })
  })

  test.each(['draft', 'pending', 'failed', 'withdrawn'])(
    'a %s listing is visible to its seller and admins; others get NOT_FOUND',
    async (key) => {
      for (const who of ['seller', 'admin'])
        // A pending listing shows no earlier verdict.
        expect(await see(key, who)).toMatchObject({
          state: key,
          is_verified: false,
          verification_comment: key === 'draft' || key === 'pending' ? null : 'Photo is dark',
        })
      for (const who of ['visitor', 'buyer', 'other seller', 'vet']) {
        const bytes = async (path: string) => {
          const response = await app.call(path, { as: people[who]! })
          expect(response.status).toBe(404)
          return (await response.text()).replace(response.headers.get('x-request-id')!, '')
        }
        expect(await bytes(product(key))).toBe(await bytes('/api/v1/product/id=999999999999999'))
      }
    },
  )

  test("opening a hidden listing uses none of the day's contact quota", async () => {
    const as = await makeUser(app.ctx)
    await app.call(product('pending'), { as })
    const { rows } = (await app.ctx.db.execute(sql`select 1 from contact_reveals where viewer_id = ${as.id}`)) as unknown as {
      rows: unknown[]
    }
    expect(rows).toEqual([])
  })

  test('sold and closed animals are still available by id', async () => {
    expect((await see('sold', 'visitor')).is_sold).toBe(true)
    expect((await see('none left', 'visitor')).is_sold).toBe(true)
    expect((await see('closed', 'visitor')).is_sold).toBe(false)
  })

  test('is not cached for logged-in people, and is revalidated each time by others', async () => {
    expect((await app.call(product('cow'))).headers.get('cache-control')).toBe('no-cache')
    const response = await app.call(product('cow'), { as: people.buyer! })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('etag')).toBeNull()
  })

  test.each(['id%3D', 'id%3d'])('is also available under %s', async (key) => {
    expect(await app.read(`/api/v1/product/${key}${animals.cow}`)).toMatchObject([{ id: animals.cow }])
  })
})

const badIds = [
  'id=%201',
  ...words(`
    id=0  id=-1  id=  id  ID=1  1  id=1e3  id=1.0  id=+1  id=0x10  id=١٢  id=௧  id=1%00  id=9223372036854775808  id=1&id=1  id=1&x=2
    id=1%26id=1  id%253D1  id=1%20OR%201=1  id=1'--  ..%2f..%2fid=1  id=1;x=1  id=__proto__
  `),
]

test.each(badIds)('the API refuses %s as an id', async (path) => {
  expect(await app.refused(`/api/v1/product/${path}`)).toBe('422 VALIDATION')
  expect(await app.refused(`/api/v1/product-access-detail/${path}`, { method: 'POST', csrf: true })).toBe('422 VALIDATION')
})

describe('a recorded view', () => {
  const view = (key: string, options: Parameters<TestApp['call']>[1] = {}) =>
    app.call(`/api/v1/product-access-detail/id=${animals[key] ?? key}`, { method: 'POST', csrf: true, ...options })
  /** Read as a logged-in person, because the shared answer may be a minute old here. */
  const views = async (key: string) => (await see(key, 'seller')).product_viewed.viewcount

  test('counts once per person and day, and once per browser', async () => {
    for (let i = 0; i < 3; i++) expect(await (await view('goat', { as: people.buyer! })).json()).toEqual({ rows: 1 })
    expect(await views('goat')).toBe(1)
    expect((await view('goat')).status).toBe(200)
    expect((await view('goat')).status).toBe(200)
    expect(await views('goat')).toBe(3)
    expect(
      await app.read(`/api/v1/product-access-detail/id%3D${animals.goat}`, { method: 'POST', csrf: true, as: people.buyer!, body: '{}' }),
    ).toEqual({ rows: 1 })
    expect(await views('goat')).toBe(3)
  })

  test('has its dates, and when it was viewed last', async () => {
    const before = Date.now() - 60_000
    await view('rope', { as: people.buyer! })
    const rope = (await see('rope', 'seller')) as Wire & { created_date: string; modified_date: string }
    const { touchedAt } = (await app.ctx.db.select().from(listings).where(eq(listings.id, animals.rope!)))[0]!
    expect(new Date(rope.created_date)).toEqual(daysBefore(app.ctx.now, 7))
    expect(new Date(rope.modified_date)).toEqual(touchedAt)
    expect(Date.parse((rope.product_viewed as { lastviewedon?: string }).lastviewedon!)).toBeGreaterThan(before)
    expect((await see('closed', 'seller')).product_viewed).toEqual({ viewcount: 0, lastviewedon: null })
  })

  test('by the seller is accepted but not counted; other sellers, vets and admins count', async () => {
    expect(await (await view('cow', { as: people.seller! })).json()).toEqual({ rows: 1 })
    expect(await views('cow')).toBe(0)
    for (const who of ['other seller', 'vet', 'admin']) expect((await view('cow', { as: people[who]! })).status).toBe(200)
    expect(await views('cow')).toBe(3)
  })

  test('of a hidden animal gives NOT_FOUND like a missing one, and counts nothing', async () => {
    for (const who of ['visitor', 'buyer', 'other seller', 'vet']) {
      expect((await view('pending', { as: people[who]! })).status).toBe(404)
      expect((await view('999999999999999', { as: people[who]! })).status).toBe(404)
    }
    expect((await view('pending', { as: people.seller! })).status).toBe(200)
    expect((await see('pending', 'seller')).product_viewed.viewcount).toBe(0)
  })

  test('needs the CSRF token of this session in one of two headers, from our own page', async () => {
    const refused = (options: object) => view('bull', options).then((response) => response.status)
    expect(await refused({ csrf: false })).toBe(403)
    expect(await refused({ headers: { 'Sec-Fetch-Site': 'cross-site' } })).toBe(403)
    expect(await refused({ headers: { 'Sec-Fetch-Site': 'same-site' } })).toBe(403)
    expect(await refused({ headers: { Origin: 'https://evil.example' } })).toBe(403)
    expect(await refused({ headers: { Origin: 'null' } })).toBe(403)
    expect(await refused({ headers: { 'X-CSRFToken': 'a.b' } })).toBe(403)
    expect(await refused({ csrf: false, headers: { cookie: '__Host-csrf=a.b', 'X-CSRFToken': 'a.b' } })).toBe(403)
    const cookie = (await app.call('/api/v1/csrf')).headers.get('set-cookie')!.split(';')[0]!
    const token = cookie.split('=')[1]!
    expect(await refused({ csrf: false, headers: { cookie: `${cookie}; __Host-sid=${'x'.repeat(43)}`, 'X-CSRFToken': token } })).toBe(403)
    expect(await views('bull')).toBe(0)
    expect(
      await refused({
        csrf: false,
        headers: { cookie, 'X-CSRF-Token': token, Origin: 'https://sandhai.test', 'Sec-Fetch-Site': 'same-origin' },
      }),
    ).toBe(200)
    expect(await views('bull')).toBe(1)
  })

  test('accepts no body', async () => {
    for (const body of ['{"viewer":7}', 'x', '[]', ' ']) expect((await view('bull', { body })).status).toBe(415)
    expect((await view('bull', { body: 'x'.repeat(65_537), headers: { 'Content-Length': '65537' } })).status).toBe(413)
  })

  test('is limited to sixty a minute per address, whoever is logged in, and checks run in a fixed order', async () => {
    const address = '192.0.2.33'
    for (let i = 0; i < 60; i++) expect((await view('bull', { address, as: i % 2 ? people.buyer! : null })).status).toBe(200)
    const refused = await view('bull', { address })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect((await view('bull', { address, as: people.vet! })).status).toBe(429)
    expect((await view('0', { address })).status).toBe(429)
    expect((await view('0', { address, csrf: false })).status).toBe(403)
    expect((await view('0', { address, csrf: false, body: 'x' })).status).toBe(415)
  })
})

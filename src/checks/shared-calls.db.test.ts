import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { makeListing, makeListingClip } from '#src/listings/makers.server.ts'
import { listingClips, listings } from '#src/listings/tables.ts'
import { policy } from '#src/policy.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

/** Calls with the same answer for everybody, tested from outside: caching may change nothing but the speed. */
type Person = Awaited<ReturnType<typeof makeUser>>
let app: TestApp
let seller: Person
let buyer: Person
let animal: number
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  seller = await makeUser(app.ctx, { typeId: 2, name: 'Murugesan', isVerified: true })
  buyer = await makeUser(app.ctx)
  animal = await makeListing(app.ctx, { sellerId: seller.id, originalPrice: rupees(50_000), name: 'காளை', nameEn: 'Bull' })
})

const list = '/api/v1/product-detail-list/top=24&category=0&page=buy'
const product = () => `/api/v1/product/id=${animal}`
/** Every call that policy.ts marks as shared, with an id that exists. */
const shared = () =>
  Object.entries(policy).flatMap(([operation, { isShared }]) =>
    isShared
      ? [
          `/api/v1${operation.slice('GET '.length)}`
            .replace('{top}', '4')
            .replace('{category}', '0')
            .replace('{page}', 'buy')
            .replace(/\{ids?\}/, String(animal)),
        ]
      : [],
  )

const howOf = (response: Response) => response.headers.get('cache-status')
const setPrice = (price: number) =>
  app.ctx.db
    .update(listings)
    .set({ originalPrice: rupees(price) })
    .where(eq(listings.id, animal))

async function priceOf(path: string): Promise<number> {
  const [found] = await app.read<{ product_variant: { original_price: number }[] }[]>(path)
  return found!.product_variant[0]!.original_price
}

test('the lists and an animal are computed once for all anonymous callers', async () => {
  expect(shared()).toHaveLength(4)
  for (const path of shared()) {
    const first = await app.call(path)
    app.statements()
    const again = await app.call(path, { headers: { cookie: '__Host-csrf=abc', 'User-Agent': 'another browser' } })
    expect([path, howOf(again)]).toEqual([path, 'sandhai; hit'])
    expect(app.statements().filter((sql) => !sql.includes('page_changes'))).toEqual([])
    expect(await again.text()).toBe(await first.text())
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  }
})

test('the next answer has a changed price, also under another spelling of the address', async () => {
  for (const path of [list, product(), product().replace('id=', 'id%3D')]) await app.call(path)
  await setPrice(51_000)
  for (const path of [list, product(), product().replace('id=', 'id%3D')]) expect(await priceOf(path)).toBe(51_000)
})

test('a phone number in a name or a description is in no list, and whole for people who see the seller’s', async () => {
  const id = await makeListing(app.ctx, { sellerId: seller.id, name: 'காளை 98765 43210', description: 'அழைக்க: 98765-43211' })
  const textsFor = async (as?: Person) => {
    const [found] = await app.read<{ name: string; description: string }[]>(`/api/v1/product/id=${id}`, as && { as })
    return [found!.name, found!.description]
  }
  expect(await (await app.call(list)).text()).not.toMatch(/98765/)
  expect(await textsFor()).toEqual(['காளை xxxxx', 'அழைக்க: xxxxx'])
  expect(await textsFor(buyer)).toEqual(['காளை 98765 43210', 'அழைக்க: 98765-43211'])
  await app.ctx.db.delete(listings).where(eq(listings.id, id))
})

test('a phone number in the words to a clip is xxxxx for visitors', async () => {
  const clip = await makeListingClip(app.ctx, animal)
  await app.ctx.db.update(listingClips).set({ caption: 'Call 98765 43210' }).where(eq(listingClips.id, clip))
  const captionFor = async (as?: Person) => {
    const found = await app.read<{ product_variant: { product_clips: { caption: string }[] }[] }[]>(product(), as && { as })
    return found[0]!.product_variant[0]!.product_clips[0]!.caption
  }
  expect([await captionFor(), await captionFor(buyer)]).toEqual(['Call xxxxx', 'Call 98765 43210'])
  expect(await (await app.call(list)).text()).not.toMatch(/98765/)
  await app.ctx.db.delete(listingClips).where(eq(listingClips.id, clip))
})

test('a view is in the answer after a minute at most', async () => {
  const count = async () => (await app.read<{ product_viewed: { viewcount: number } }[]>(product()))[0]!.product_viewed.viewcount
  const before = await count()
  const path = `/api/v1/product-access-detail/id=${animal}`
  expect((await app.call(path, { method: 'POST', csrf: true, as: buyer })).status).toBe(200)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  try {
    expect(await count()).toBe(before + 1)
  } finally {
    vi.useRealTimers()
  }
})

test('a deactivated seller’s animal is not in the next answer, and returns with the seller', async () => {
  const ids = async () => (await app.read<{ id: number }[]>(list)).map(({ id }) => id)
  const isActive = (isActive: boolean) => app.ctx.db.update(users).set({ isActive }).where(eq(users.id, seller.id))
  expect(await ids()).toContain(animal)
  await isActive(false)
  expect(await ids()).not.toContain(animal)
  expect(await app.refused(product())).toBe('404 NOT_FOUND')
  await isActive(true)
  expect(await ids()).toContain(animal)
})

describe('logged-in people', () => {
  test('get answers of their own, which no cache keeps', async () => {
    const open = await app.call(product())
    const own = await app.call(product(), { as: buyer })
    expect(howOf(own)).toBeNull()
    expect([own.headers.get('cache-control'), own.headers.get('etag')]).toEqual(['no-store', null])
    expect(await own.text()).not.toBe(await open.text())
  })

  test('leave nothing for anonymous callers: no phone, no street, no hidden animal', async () => {
    const hidden = await makeListing(app.ctx, { sellerId: seller.id, state: 'pending' })
    const fresh = await makeListing(app.ctx, { sellerId: seller.id })
    const [whole] = await app.read<{ seller: { phone: string } }[]>(`/api/v1/product/id=${fresh}`, { as: seller })
    expect(whole!.seller.phone).toBe(seller.phone)
    await app.read(`/api/v1/product/id=${hidden}`, { as: seller })
    expect(await (await app.call(`/api/v1/product/id=${fresh}`)).text()).not.toContain(seller.phone)
    expect(await app.refused(`/api/v1/product/id=${hidden}`)).toBe('404 NOT_FOUND')
  })

  test('a caller with an expired session is anonymous', async () => {
    await app.call(product())
    expect(howOf(await app.call(product(), { headers: { cookie: `__Host-sid=${'x'.repeat(43)}` } }))).toBe('sandhai; hit')
  })
})

test('each language has its own answer, by header or by cookie', async () => {
  const name = async (options: object) => (await app.read<{ name: string }[]>(product(), options))[0]!.name
  for (const _ of [1, 2]) {
    expect(await name({ language: 'en' })).toBe('Bull')
    expect(await name({ language: 'ta' })).toBe('காளை')
    expect(await name({ language: '', headers: { cookie: 'lang=en' } })).toBe('Bull')
  }
})

test('the answer has the preferred encoding, and the same content in each', async () => {
  for (let n = 0; n < 8; n++) await makeListing(app.ctx, { sellerId: seller.id })
  const plain = await (await app.call(list)).text()
  // Uses `fetch`, because `call` would parse the answer as JSON.
  const bytes = async (encoding: string) => {
    const response = await app.fetch(list, { headers: { 'Accept-Encoding': encoding, 'Accept-Language': 'en' } })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('Accept-Language, Cookie, Accept-Encoding')
    return Buffer.from(await response.arrayBuffer())
  }
  expect(brotliDecompressSync(await bytes('br')).toString()).toBe(plain)
  expect(gunzipSync(await bytes('gzip')).toString()).toBe(plain)
})

test('a cached answer includes the cursor of the next page', async () => {
  const cut = list.replace('top=24', 'top=1')
  const cursors = [await app.call(cut), await app.call(cut)].map((response) => response.headers.get('x-next-cursor'))
  expect(cursors[0]).toBeTruthy()
  expect(cursors[1]).toBe(cursors[0])
})

test('a refusal is computed for each caller, in their own language', async () => {
  const missing = '/api/v1/product/id=999999999'
  const refusals = await Promise.all(['en', 'ta', 'en'].map((language) => app.call(missing, { language })))
  const bodies = (await Promise.all(refusals.map((response) => response.json()))) as { requestId: string; detail: string }[]
  expect(new Set(bodies.map(({ requestId }) => requestId)).size).toBe(3)
  expect(bodies.map(({ detail }) => /[\u0B80-\u0BFF]/.test(detail))).toEqual([false, true, false])
  expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404])
})

test('a cached answer counts against the limit like any other', async () => {
  const address = '192.0.2.77'
  for (let n = 0; n < 1200; n++) await app.fetch(product(), { headers: { 'X-Forwarded-For': address } })
  expect((await app.fetch(product(), { headers: { 'X-Forwarded-For': address } })).status).toBe(429)
})

test('the next answer has a vet’s result', async () => {
  await app.call(product())
  const vet = await makeUser(app.ctx, { typeId: 5, vetApproved: true })
  await makeVetCheck(app.ctx, {
    listingId: animal,
    vetId: vet.id,
    approved: true,
    comments: 'Sound on all four legs.',
    checkedOn: indianDay(app.ctx.now),
  })
  expect(await (await app.call(product())).text()).toContain('Sound on all four legs.')
})

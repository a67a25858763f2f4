import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { shareBuiltSite, siteOrigin, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { findShareFacts, sharePath } from '#src/storefront/sharing/share-facts.server.ts'
import { makeListing, makePhoto, makeVaccination } from './makers.server.ts'

let market: TestMarket
let site: BuiltSite
const people: Record<'seller' | 'vet' | 'admin', number> = { seller: 0, vet: 0, admin: 0 }

shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  const { ctx } = market
  people.seller = (await makeUser(ctx, { typeId: 2, name: 'Murugesan', isVerified: true })).id
  people.vet = (await makeUser(ctx, { typeId: 5, name: 'Dr Kavitha', vetApproved: true })).id
  people.admin = (await makeUser(ctx, { typeId: 9, name: 'Admin' })).id
})

const make = (facts: Parameters<typeof makeListing>[1] = {}, photos = [makePhoto()]) =>
  makeListing(market.ctx, { sellerId: people.seller, ...facts }, photos)
const imageOf = (html: string) => /property="og:image" content="([^"]+)"/.exec(html)?.[1]
const thingsIn = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, json]) => JSON.parse(json!) as Record<string, unknown>,
  )

describe('a link to an animal', () => {
  test('names exactly the picture that the server renders for it, whatever its facts', async () => {
    const { ctx } = market
    const day = (n: number) => daysBefore(ctx.now, n)
    const check = async (daysAgo: number, approved = true) => {
      const listingId = await make()
      await makeVetCheck(ctx, { listingId, vetId: people.vet, approved, comments: '', checkedOn: indianDay(day(daysAgo)) })
      return listingId
    }
    const vaccinated = await make({ nameEn: 'Kangayam bull', originalPrice: rupees(90_000), offerPrice: rupees(80_000.5) })
    await makeVaccination(ctx, { listingId: vaccinated, vaccineId: 1, dose: 1, vaccinatedOn: indianDay(day(40)) })
    const rechecked = await check(20)
    await makeVetCheck(ctx, { listingId: rechecked, vetId: people.vet, approved: false, comments: '', checkedOn: indianDay(day(2)) })
    for (const id of [
      vaccinated,
      rechecked,
      await check(3),
      await check(29),
      await check(31),
      await check(3, false),
      await make({ isSold: true }),
      await make({ touchedAt: day(120), createdAt: day(120) }),
      await make({ isSample: true, pincode: '628001' }),
      await make({ breedId: null, categoryId: 21, ageId: null, genderId: null, colorId: null, weightKg: 0 }, [makePhoto(), makePhoto()]),
    ]) {
      for (const locale of ['ta', 'en'] as const) {
        const { html } = await site.open(`${locale === 'en' ? '/en' : ''}/product/${id}`)
        expect(imageOf(html)).toBe(siteOrigin + sharePath((await findShareFacts({ ...ctx, locale, publicOrigin: siteOrigin }, id))!))
      }
    }
  })

  test('has another picture after a price change', async () => {
    const id = await make()
    const before = imageOf((await site.open(`/product/${id}`)).html)
    await market.ctx.db.execute(sql`update listings set original_price = ${rupees(84_000)}::bigint where id = ${id}::bigint`)
    expect(imageOf((await site.open(`/product/${id}`)).html)).not.toBe(before)
  })

  test('of a list or a breed has a picture of the animals for sale now', async () => {
    await make({ categoryId: 1, breedId: 101 })
    for (const [path, name] of [
      ['/buy/1', 'list-1-ta'],
      ['/en/buy/0?q=cow', 'list-0-en'],
      ['/en/breeds/kangayam', 'breed-101-en'],
    ]) {
      expect(imageOf((await site.open(path!)).html)).toBe(`${siteOrigin}/share/${name}.jpg`)
      const answer = await site.fetch(new Request(`${siteOrigin}/share/${name}.jpg`))
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        'image/jpeg',
        // The test's photos have no files, so the server draws a fallback without caching.
        'no-store',
      ])
    }
    expect((await site.fetch(new Request(`${siteOrigin}/share/list-99-ta.jpg`))).status).toBe(404)
  })

  test('shows the seller no picture of a listing that others may not see', async () => {
    const session = await makeSession(market.ctx, people.seller)
    const { status, html } = await site.open(`/product/${await make({ state: 'pending' })}`, { session })
    expect(status).toBe(200)
    expect(imageOf(html)).toBe(`${siteOrigin}/share.jpg`)
    expect(thingsIn(html)).toEqual([])
    expect(html).toContain('content="noindex"')
  })

  test('gives search engines the displayed price, and no phone or street', async () => {
    const id = await make({ originalPrice: rupees(1_25_000), offerPrice: rupees(1_10_000), name: '</script><b>bull' })
    const { html } = await site.open(`/en/product/${id}`)
    const [product, trail] = thingsIn(html)
    expect(textOf(html)).toContain('₹1,10,000')
    expect(product).toMatchObject({ '@type': 'Product', name: '</script><b>bull', offers: { price: '110000', priceCurrency: 'INR' } })
    expect(trail).toMatchObject({ '@type': 'BreadcrumbList' })
    expect(JSON.stringify(product)).not.toMatch(/\+?91\d{10}|phone|streetAddress/)
  })

  test('under “related” is the same page: one canonical address, one picture', async () => {
    const id = await make()
    const { html } = await site.open(`/product/related/${id}`)
    expect(html).toContain(`rel="canonical" href="${siteOrigin}/product/${id}"`)
    expect(imageOf(html)).toBe(imageOf((await site.open(`/product/${id}`)).html))
  })
})

describe('a removed animal', () => {
  test('answers 410 in both languages with links to its species if it was public; otherwise it is a plain 404', async () => {
    const { ctx } = market
    const shown = await make({ state: 'withdrawn', name: 'Old secret', categoryId: 2, breedId: 201 })
    await makeVerification(ctx, { listingId: shown, adminId: people.admin, passed: true, comment: '' })
    const refused = await make({ state: 'withdrawn' })
    await makeVerification(ctx, { listingId: refused, adminId: people.admin, passed: false, comment: '' })
    const gone = await site.open(`/en/product/${shown}`)
    expect(gone.status).toBe(410)
    expect(textOf(gone.html)).toContain('This is no longer on the market')
    expect(gone.html).toContain('href="/en/buy/2"')
    expect(gone.html).toContain('content="noindex"')
    expect(gone.html).not.toContain('Old secret')
    const tamil = await site.open(`/product/related/${shown}`)
    expect(tamil.status).toBe(410)
    expect(textOf(tamil.html)).toContain('இது இப்போது சந்தையில் இல்லை')
    for (const id of [refused, await make({ state: 'pending' }), 99_999_999]) {
      const { status, html } = await site.open(`/en/product/${id}`)
      expect(status).toBe(404)
      expect(textOf(html)).toContain('Page Not Found!!')
    }
  })

  test('gives 404 in the API in both cases', async () => {
    const shown = await make({ state: 'withdrawn' })
    await makeVerification(market.ctx, { listingId: shown, adminId: people.admin, passed: true, comment: '' })
    expect((await site.open(`/api/v1/product/id=${shown}`)).status).toBe(404)
  })
})

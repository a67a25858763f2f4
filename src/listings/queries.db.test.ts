import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { Gate } from '#src/kit/http/gate.server.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { processPicture } from '#src/kit/media/pictures.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import type { Market } from '#src/market/market.server.ts'
import type { AppEnv } from '#src/server/request.server.ts'
import { addSharing } from '#src/server/sharing.server.ts'
import { openTestMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { findShareFacts, sharePath } from '#src/storefront/sharing/share-facts.server.ts'
import { makeListing, makePhoto, type ListingFacts } from './makers.server.ts'

const origin = 'https://sandhai.test'
const dir = temporaryFolder()
let market: TestMarket
let site: Hono<AppEnv>
let photoKey = ''
let sellerId = 0

beforeAll(async () => {
  market = await openTestMarket()
  const media = await openMediaStore(dir)
  photoKey = await media.save(await processPicture(readFileSync(join(projectRoot, 'demo/pictures/kangayam-bull-1.jpg'))))
  sellerId = (await makeUser(market.ctx, { typeId: 2, name: 'Murugesan' })).id
  site = openSite(media)
})
afterAll(() => market?.close())

/** Our routes alone with empty caches, like a newly started process. */
function openSite(media?: MediaStore): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    c.set('ctx', { ...market.ctx, publicOrigin: origin })
    c.set('address', '10.0.0.1')
    await next()
  })
  addSharing(
    app,
    { env: readEnv({ PUBLIC_ORIGIN: origin }), limits: new RateLimits(1), media } as Market,
    new Gate({ name: 'test', atOnce: 4, waitAtMostMs: 500, retryAfterSeconds: 2 }),
  )
  return app
}

const get = (path: string, headers: Record<string, string> = {}) => site.request(origin + path, { headers })
const make = (facts: ListingFacts = {}, photos = [makePhoto()]) => makeListing(market.ctx, { sellerId, ...facts }, photos)
const pathOf = async (id: number, locale: 'ta' | 'en' = 'ta') => sharePath((await findShareFacts({ ...market.ctx, locale }, id))!)

describe('a share picture', () => {
  test('is rendered in both languages with its photo, and may be cached for ever', async () => {
    const id = await make({}, [{ ...makePhoto(), mediaKey: photoKey }])
    for (const locale of ['ta', 'en'] as const) {
      const answer = await get(await pathOf(id, locale))
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'public, max-age=86400',
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "sandbox; default-src 'none'",
      })
      const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect([width, height, format]).toEqual([1200, 630, 'jpeg'])
    }
    expect(await pathOf(id, 'ta')).not.toBe(await pathOf(id, 'en'))
  })

  test('has another address after a price change, and the old address redirects to it', async () => {
    const id = await make()
    const old = await pathOf(id)
    await market.ctx.db.execute(sql`update listings set offer_price = ${rupees(70_000)}::bigint where id = ${id}::bigint`)
    const present = await pathOf(id)
    expect(present).not.toBe(old)
    const answer = await get(old)
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([302, present, 'no-store'])
  })

  test('whose photo is missing is rendered without it and not cached', async () => {
    const answer = await get(await pathOf(await make()))
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  })

  test('exists for sold and closed animals, and for no hidden listing', async () => {
    const old = daysBefore(market.ctx.now, 150)
    for (const facts of [{ isSold: true }, { stock: 0 }, { createdAt: old, touchedAt: old }]) {
      expect((await get(await pathOf(await make(facts)))).status).toBe(200)
    }
    for (const state of ['draft', 'pending', 'failed', 'withdrawn'] as const) {
      const id = await make({ state })
      expect(await findShareFacts(market.ctx, id)).toBeNull()
      expect((await get(`/share/${id}-ta-0123456789.jpg`)).status).toBe(404)
    }
    for (const name of ['999999-ta-0123456789.jpg', 'share.jpg', '1-ta-0123456789.jpg%00', '1-fr-0123456789.jpg']) {
      expect((await get(`/share/${name}`)).status, name).toBe(404)
    }
  })

  test('answers 410 only for a listing that passed once and was then withdrawn', async () => {
    const admin = await makeUser(market.ctx, { typeId: 9, name: 'Admin' })
    const statuses: Record<string, number> = {}
    for (const [name, state, passed] of [
      ['shown, then withdrawn', 'withdrawn', true],
      ['refused, then withdrawn', 'withdrawn', false],
      ['shown, then failed', 'failed', true],
    ] as const) {
      const listingId = await make({ state })
      await makeVerification(market.ctx, { listingId, adminId: admin.id, passed, comment: '' })
      statuses[name] = (await get(`/share/${listingId}-ta-0123456789.jpg`)).status
    }
    expect(statuses).toEqual({ 'shown, then withdrawn': 410, 'refused, then withdrawn': 404, 'shown, then failed': 404 })
  })
})

describe('search engines', () => {
  test('robots.txt excludes private pages in both languages, and names the sitemap', async () => {
    const text = await (await get('/robots.txt')).text()
    expect(text).toMatch(/^User-agent: \*\n/)
    for (const path of ['/api/', '/dev/', '/my-cart', '/en/my-cart']) expect(text).toContain(`\nDisallow: ${path}\n`)
    expect(text).toContain(`\nSitemap: ${origin}/sitemap.xml\n`)
    expect(text).not.toMatch(/Disallow: \/?(en\/?)?(buy|product|share|media|assets)?\/?\n/)
  })

  test('the sitemap lists every live animal in both languages, and no other', async () => {
    const ids = {
      live: await make({ name: 'a & b' }),
      sold: await make({ isSold: true }),
      empty: await make({ stock: 0 }),
      closed: await make({ touchedAt: daysBefore(market.ctx.now, 101) }),
      pending: await make({ state: 'pending' }),
      withdrawn: await make({ state: 'withdrawn' }),
    }
    const index = await (await get('/sitemap.xml')).text()
    const parts = locationsOf(index)
    expect(parts).toEqual([`${origin}/sitemaps/pages.xml`, `${origin}/sitemaps/listings-0.xml`])
    const answer = await get('/sitemaps/listings-0.xml')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    })
    const xml = await answer.text()
    expect(locationsOf(xml)).toEqual(expect.arrayContaining([`${origin}/product/${ids.live}`, `${origin}/en/product/${ids.live}`]))
    for (const id of [ids.sold, ids.empty, ids.closed, ids.pending, ids.withdrawn]) expect(xml).not.toContain(`/product/${id}<`)
    const entry = xml.split('\n').find((line) => line.includes(`<loc>${origin}/en/product/${ids.live}<`))!
    expect([...entry.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(([, language, href]) => [language, href])).toEqual([
      ['ta-IN', `${origin}/product/${ids.live}`],
      ['en-IN', `${origin}/en/product/${ids.live}`],
      ['x-default', `${origin}/product/${ids.live}`],
    ])
    expect(entry).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/)
  })

  test('a sitemap section with high ids is found without the empty ones before it, and an empty one gives 404', async () => {
    await market.owner.execute(sql`alter table listings alter column id restart with 1000000`)
    const id = await make()
    const fresh = openSite()
    const index = await (await fresh.request('/sitemap.xml')).text()
    expect(locationsOf(index)).toEqual(
      ['pages', 'listings-0', `listings-${Math.floor(id / 5000)}`].map((name) => `${origin}/sitemaps/${name}.xml`),
    )
    expect(locationsOf(await (await fresh.request(`/sitemaps/listings-${Math.floor(id / 5000)}.xml`)).text())).toHaveLength(4)
    for (const name of ['listings-5.xml', 'listings-x.xml', 'listings-9999999999.xml', 'other.xml']) {
      expect((await fresh.request(`/sitemaps/${name}`)).status, name).toBe(404)
    }
  })

  test('a crawler with the current ETag gets 304', async () => {
    const etag = (await get('/sitemaps/pages.xml')).headers.get('etag')!
    expect((await get('/sitemaps/pages.xml', { 'if-none-match': `W/${etag}` })).status).toBe(304)
    expect((await get('/sitemaps/pages.xml', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('categories beyond the first six are listed only while they have live listings', async () => {
    await make({ categoryId: 21, breedId: null, ageId: null, genderId: null, colorId: null, name: 'Oil cake' })
    const fresh = openSite()
    const paths = locationsOf(await (await fresh.request('/sitemaps/pages.xml')).text()).map((url) => url.slice(origin.length))
    expect(paths).toEqual(expect.arrayContaining(['/', '/en', '/buy/0', '/en/buy/0', '/buy/6', '/buy/21']))
    expect(paths).not.toContain('/buy/22')
    expect(new Set(paths).size).toBe(paths.length)
  })
})

const locationsOf = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!)

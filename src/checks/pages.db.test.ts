import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeReview } from '#src/reviews/makers.server.ts'
import { pincodes } from '#src/addresses/tables.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { settings } from '#src/kit/db/tables.ts'
import { formatRupees, rupees } from '#src/kit/time-money/money.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { makeListing, makeVaccination } from '#src/listings/makers.server.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { showcaseItems } from '#src/storefront/tables.ts'
import { shareBuiltSite, siteOrigin, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import { often } from '#tools/test-kit/often.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

/** The page cache, tested from outside: caching may change nothing but the speed. */
let market: TestMarket
let site: BuiltSite
let other: BuiltSite
let seller: { id: number }
let animal: number
let buyer: string

shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  other = site.another()
  seller = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan' })
  animal = await makeListing(market.ctx, { sellerId: seller.id, name: 'காளை', nameEn: 'Bull', originalPrice: rupees(50_000), stock: 9 })
  buyer = await makeSession(market.ctx, (await makeUser(market.ctx, { name: 'Zuleikha-73' })).id)
})

const isHit = (page: { headers: Headers }) => page.headers.get('cache-status') === 'sandhai; hit'
const setPrice = (price: number) =>
  market.ctx.db
    .update(listings)
    .set({ originalPrice: rupees(price) })
    .where(eq(listings.id, animal))

describe('a cached page', () => {
  test('is rendered once, and then costs one small statement', async () => {
    for (const path of [
      '/',
      '/en',
      '/buy/0',
      '/en/buy/1?max=90000',
      `/product/${animal}`,
      `/en/product/related/${animal}`,
      `/compare?ids=${animal},${animal + 1}`,
      '/aboutus',
      '/en/breeds/kangayam',
    ]) {
      const first = await site.open(path)
      expect(first.status, path).toBe(200)
      expect(isHit(first) && !first.cameAgain, path).toBe(false)
      const second = await site.open(path)
      expect(isHit(second), path).toBe(true)
      expect(second.statements, path).toBe(1)
      expect(second.html).toBe(first.html)
    }
  })

  test('that is new is rendered without a check for changes if one ran a moment ago; a change still makes it stale', async () => {
    await site.open('/')
    const first = await site.open(`/product/${animal}?pincode=600001`)
    expect([first.statements, isHit(first)]).toEqual([1, false])
    expect(first.html).toContain(formatRupees(rupees(50_000)))
    await setPrice(50_500)
    expect((await site.open(`/product/${animal}?pincode=600001`)).html).toContain(formatRupees(rupees(50_500)))
    // Another new page shows the change, although nobody has checked since.
    await setPrice(50_600)
    expect((await site.open(`/product/${animal}?pincode=600002`)).html).toContain(formatRupees(rupees(50_600)))
  })

  test('ignores unknown query parameters; each parameter that the page reads makes another page', async () => {
    for (const [path, reads] of [
      ['/', null],
      ['/en/buy/1', 'max=91000'],
      [`/product/${animal}`, 'pincode=641001'],
      [`/seller/${seller.id}`, null],
      ['/aboutus', null],
    ] as const) {
      await site.open(path)
      for (const more of ['utm_source=whatsapp', 'fbclid=1&gclid=2', `${Math.random()}`, 'visit=7']) {
        expect(isHit(await site.open(`${path}?${more}`)), `${path} ${more}`).toBe(true)
      }
      if (!reads) continue
      expect(isHit(await site.open(`${path}?${reads}`)), path).toBe(false)
      expect(isHit(await site.open(`${path}?x=1&${reads}&y=2`)), path).toBe(true)
    }
    for (const path of [
      `/product/${animal}?tab=anything`,
      `/PRODUCT/${animal}/`,
      '/AboutUs',
      '/aboutus?page=first',
      '/EN/buy/1/?max=91000',
    ])
      expect(isHit(await site.open(path)), path).toBe(true)
    await site.open('/buy/0?q=maadu&max=90000')
    expect(isHit(await site.open('/buy/0?max=90000&q=maadu'))).toBe(true)
  })

  test('is rendered once for many concurrent requests', async () => {
    await setPrice(50_001)
    market.statements()
    const pages = await Promise.all(Array.from({ length: 30 }, () => site.fetch(new Request(`${siteOrigin}/buy/0?sort=price-low`))))
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]))
    // One check, one rendering, and at most another check.
    expect(market.statements().length).toBeLessThanOrEqual(3)
  })

  test('answers 304 to a browser that has it, until it changes', async () => {
    const path = `/product/${animal}`
    const etag = (await site.open(path)).headers.get('etag')!
    const again = await site.open(path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.html]).toEqual([304, ''])
    expect(again.headers.get('content-security-policy')).toContain('sha256-')
    await setPrice(51_000)
    const changed = await site.open(path, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(textOf(changed.html)).toContain('₹51,000')
  })

  test('has the same content in brotli, gzip and plain', async () => {
    const plain = (await site.open('/buy/0')).html
    for (const [accept, coding, unpack] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const response = await site.fetch(new Request(`${siteOrigin}/buy/0`, { headers: { 'accept-encoding': accept } }))
      expect(response.headers.get('content-encoding')).toBe(coding)
      expect(response.headers.get('vary')).toContain('Accept-Encoding')
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(response.headers.get('content-length')).toBe(String(bytes.length))
      expect(unpack(bytes).toString()).toBe(plain)
    }
    const refused = await site.fetch(new Request(`${siteOrigin}/buy/0`, { headers: { 'accept-encoding': 'identity' } }))
    expect(refused.headers.get('content-encoding')).toBeNull()
  })

  test('answers HEAD like GET, without a body', async () => {
    const head = await site.open('/buy/0', { method: 'HEAD' })
    expect([head.status, head.html]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe((await site.open('/buy/0')).headers.get('etag'))
  })

  test('allows its inline scripts by hash and has no trace of the request that rendered it', async () => {
    const { html, headers } = await site.open('/en/buy/0', { headers: { 'user-agent': 'Someone-Special/7', 'accept-language': 'x-odd' } })
    const policy = headers.get('content-security-policy')!
    const inline = [...html.matchAll(/<script(?![^>]* src=)(?![^>]*ld\+json)[^>]*>([\s\S]*?)<\/script>/g)].map(([, text]) => text!)
    expect(inline.length).toBeGreaterThan(2)
    const hashes = [...policy.matchAll(/'(sha256-[^']+)'/g)].map(([, hash]) => hash)
    expect(hashes).toEqual(inline.map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`))
    expect(policy).not.toMatch(/nonce|unsafe|strict-dynamic/)
    expect(html).not.toMatch(/ nonce=|data-request-id|Someone-Special|x-odd/)
    expect(html).not.toContain(headers.get('x-request-id'))
  })

  test('is rendered for our own origin, whatever the Host header', async () => {
    const response = await site.fetch(
      new Request('http://evil.example/en/buy/0?sort=price-high', { headers: { 'x-forwarded-host': 'evil.example' } }),
    )
    expect(await response.text()).not.toContain('evil.example')
  })

  test('never holds a refusal: that is rendered each time', async () => {
    for (const path of ['/nowhere', '/product/99999999', '/login']) {
      await site.open(path)
      const { headers } = await site.open(path)
      expect(headers.get('cache-status'), path).toBeNull()
    }
  })
})

describe('every next page shows a change, in every process', () => {
  const changes: [string, () => Promise<unknown>][] = [
    ['a new price', () => setPrice(47_777)],
    [
      'an offer',
      () =>
        market.ctx.db
          .update(listings)
          .set({ offerPrice: rupees(45_000) })
          .where(eq(listings.id, animal)),
    ],
    ['less stock', () => market.ctx.db.update(listings).set({ stock: 2 }).where(eq(listings.id, animal))],
    ['a new name of the seller', () => market.ctx.db.update(users).set({ name: 'Palanisamy' }).where(eq(users.id, seller.id))],
    ['the verified badge', () => market.ctx.db.update(users).set({ isVerified: true }).where(eq(users.id, seller.id))],
    [
      'a vaccination',
      () => makeVaccination(market.ctx, { listingId: animal, vaccineId: 1, dose: 1, vaccinatedOn: indianDay(market.ctx.now) }),
    ],
    [
      'a vet check',
      async () => {
        const vet = await makeUser(market.ctx, { typeId: 5, name: 'Dr Kavitha', vetApproved: true })
        await makeVetCheck(market.ctx, {
          listingId: animal,
          vetId: vet.id,
          approved: true,
          comments: 'Fit',
          checkedOn: indianDay(market.ctx.now),
        })
      },
    ],
    [
      'a review',
      async () => makeReview(market.ctx, { sellerId: seller.id, reviewerId: (await makeUser(market.ctx)).id, stars: 5, comment: 'Good' }),
    ],
    [
      'another photo',
      () => market.ctx.db.update(listingPhotos).set({ mediaKey: 'another00000000000ph' }).where(eq(listingPhotos.listingId, animal)),
    ],
    [
      'a new phone number of ours, in the foot',
      () =>
        market.ctx.db
          .insert(settings)
          .values({ key: 'contact', value: { ...defaultSettings.contact, phone: '+914222555777' }, setById: seller.id, setAt: new Date() }),
    ],
    ['a sale', () => market.ctx.db.update(listings).set({ isSold: true }).where(eq(listings.id, animal))],
  ]
  test.each(changes)('%s', async (_, change) => {
    const path = `/en/product/${animal}`
    const before = [await site.open(path), await other.open(path), await site.open(path)]
    expect(isHit(before[2]!)).toBe(true)
    await change()
    // The other process first, because it was not notified of the change.
    for (const process of [other, site]) {
      const after = await process.open(path)
      expect(isHit(after)).toBe(false)
      expect(after.html).not.toBe(before[0]!.html)
    }
    expect((await other.open(path)).html).toBe((await site.open(path)).html)
  })

  test('a listing that passes is in the list at once, one that is taken down is gone at once', async () => {
    const pending = await makeListing(market.ctx, { sellerId: seller.id, name: 'Waiting', nameEn: 'Waiting Cow', state: 'pending' })
    const setState = (state: 'passed' | 'withdrawn') => market.ctx.db.update(listings).set({ state }).where(eq(listings.id, pending))
    for (const process of [site, other]) expect((await process.open('/en/buy/0')).html).not.toContain('Waiting Cow')
    await setState('passed')
    for (const process of [other, site]) expect((await process.open('/en/buy/0')).html).toContain('Waiting Cow')
    expect((await other.open(`/en/product/${pending}`)).status).toBe(200)
    await setState('withdrawn')
    for (const process of [other, site]) expect((await process.open('/en/buy/0')).html).not.toContain('Waiting Cow')
    expect((await other.open(`/en/product/${pending}`)).status).not.toBe(200)
  })

  test('a banner and a market day appear at once', async () => {
    const before = (await other.open('/en')).html
    await other.open('/en/market-days')
    const banner = { kind: 'banner' as const, titleTa: 'பொங்கல்', titleEn: 'Pongal fair', textTa: 'வருக', textEn: 'Come', path: '/buy/1' }
    await market.ctx.db.insert(showcaseItems).values([
      { ...banner, changedAt: new Date() },
      { ...banner, kind: 'market_day', titleEn: 'Karungalpalayam', path: null, weekday: 4, changedAt: new Date() },
    ])
    for (const process of [other, site]) {
      const { html } = await process.open('/en')
      expect(before).not.toContain('Pongal fair')
      expect(html).toContain('Pongal fair')
      expect((await process.open('/en/market-days')).html).toContain('Karungalpalayam')
    }
  })

  test('opened or stopped delivery appears at once', async () => {
    const path = `/en/product/${animal}?pincode=641001`
    await market.ctx.db.update(listings).set({ isSold: false }).where(eq(listings.id, animal))
    const before = (await other.open(path)).html
    const setDelivery = (isDeliverable: boolean) =>
      market.ctx.db.update(pincodes).set({ isDeliverable }).where(eq(pincodes.pincode, '641001'))
    await setDelivery(false)
    const after = (await other.open(path)).html
    await setDelivery(true)
    expect(after).not.toBe(before)
    expect(textOf((await other.open(path)).html)).toBe(textOf(before))
  })

  test('a rolled back change leaves the page cached', async () => {
    const path = `/en/product/${animal}`
    await site.open(path)
    await inTransaction(market.ctx, async (ctx) => {
      await ctx.db
        .update(listings)
        .set({ originalPrice: rupees(1) })
        .where(eq(listings.id, animal))
      throw new Error('changed my mind')
    }).catch(() => {})
    expect(isHit(await site.open(path))).toBe(true)
  })
})

test('while the gate is full, a changed page is served stale with a note; a page without a cached version is refused', async () => {
  const path = `/en/product/${animal}`
  const before = await site.open(path)
  await setPrice(61_000)
  site.lateness.ms = 10_000
  // The first two requests get in, as those of one phone do; the others come while they are inside.
  const crowd = async (attempt: number) => {
    const [first, second, unseen] = [61_001, 63_001, 62_001].map((max) => `/en/buy/0?max=${max + attempt}`)
    return Promise.all([first!, second!, path, `${path}.data`, unseen!].map((each) => site.open(each)))
  }
  try {
    let pages = await crowd(0)
    // On a busy machine they may be out again before the others come: then the price changes once more.
    for (let attempt = 1; pages.slice(2).some(({ headers }) => headers.get('cache-status') === 'sandhai; fwd=miss'); attempt += 1) {
      await setPrice(60_000)
      site.lateness.ms = 0
      await site.open(path)
      await setPrice(61_000)
      site.lateness.ms = 10_000
      pages = await crowd(attempt)
    }
    const [, , changed, data, unseen] = pages
    expect([changed!.status, changed!.headers.get('cache-status')]).toEqual([200, 'sandhai; hit; detail=old'])
    expect(changed!.html).toContain('id="old-note" role="status"')
    expect(changed!.html).not.toContain(formatRupees(rupees(61_000)))
    expect(before.html).not.toContain('role="status">The market')
    for (const page of [data!, unseen!]) expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2'])
  } finally {
    site.lateness.ms = 0
  }
  const after = await site.open(path)
  expect(after.html).toContain(formatRupees(rupees(61_000)))
  expect(after.html).not.toContain('id="old-note" role="status"')
})

describe('contact data', () => {
  const set = (phone: string) =>
    market.ctx.db
      .insert(settings)
      .values({ key: 'contact', value: { ...defaultSettings.contact, phone }, setById: seller.id, setAt: new Date() })

  test('appears at once on cached and personal pages in every process, without a statement', async () => {
    for (const process of [site, other]) for (const visit of [{}, { session: buyer }]) await process.open('/en/aboutus', visit)
    const before = (await site.open('/en/aboutus', { session: buyer })).statements
    await set('+914222555001')
    for (const process of [other, site]) {
      expect((await process.open('/en/aboutus')).html).toContain('tel:+914222555001')
      expect((await process.open('/en/orders', { session: buyer })).html).toContain('tel:+914222555001')
    }
    await set('+914222555002')
    // The member's page first: this process was not notified.
    expect((await other.open('/en/aboutus', { session: buyer })).html).toContain('tel:+914222555002')
    expect((await other.open('/en/aboutus', { session: buyer })).statements).toBe(before)
    expect((await site.open('/en/aboutus')).statements).toBeLessThanOrEqual(1)
    expect((await site.open('/en/aboutus')).statements).toBe(1)
  })

  test('appears soon on anonymous pages that are not cached', async () => {
    await site.open('/en/login')
    await set('+914222555003')
    await expect.poll(async () => (await site.open('/en/login')).html, { interval: 200 }).toContain('tel:+914222555003')
  })
})

describe('people and languages side by side', () => {
  test('a logged-in person gets their own page, and nobody else ever gets it', async () => {
    for (const path of [`/en/seller/${seller.id}`, `/en/product/${animal}`]) {
      await site.open(path)
      const own = await site.open(path, { session: buyer })
      expect(own.html, path).toContain('Zuleikha-73')
      expect(own.headers.get('cache-control')).toBe('no-store')
      expect(own.headers.get('cache-status')).toBeNull()
      expect(own.headers.get('etag')).toBeNull()
      const next = await site.open(path)
      expect(next.html, path).not.toContain('Zuleikha')
      expect(isHit(next), path).toBe(true)
    }
  })

  test('a visitor with an expired session gets the notice once, on a page that nobody else gets', async () => {
    const everybody = await site.open('/en/buy/0')
    const page = await site.open('/en/buy/0', { session: 'x'.repeat(43) })
    expect(isHit(page)).toBe(false)
    expect(textOf(page.html)).toContain('Your login has ended.')
    // Only notes the report: on a slow connection this answer may arrive after a new login, whose cookies have the same names.
    const [reported, ...more] = page.headers.getSetCookie()
    expect(reported).toMatch(/^__Host-end=[\w-]{43}; /)
    expect(more).toEqual([])
    const mark = reported!.split(';')[0]!
    const next = await site.open('/en/buy/0', { headers: { cookie: `__Host-sid=${'x'.repeat(43)}; ${mark}` } })
    expect(isHit(next)).toBe(true)
    expect(textOf(next.html)).not.toContain('Your login has ended.')
    // A later login has another token.
    expect((await site.open('/en/buy/0', { headers: { cookie: `__Host-sid=${buyer}; ${mark}` } })).html).toContain('Zuleikha-73')
    const again = await site.open('/en/buy/0')
    expect(isHit(again)).toBe(true)
    expect(again.html).toBe(everybody.html)
    expect(textOf(again.html)).not.toContain('Your login has ended.')
  })

  test('data requests of scripts are cached by language, including the home page’s', async () => {
    for (const [path, language] of [
      ['/_.data', 'ta'],
      ['/en.data', 'en'],
      ['/en/_.data', 'en'],
      ['/buy/0.data', 'ta'],
      ['/en/buy/0.data', 'en'],
    ] as const) {
      const first = await site.open(path)
      expect([path, first.status, first.headers.get('content-language')]).toEqual([path, 200, language])
      expect(isHit(await site.open(path)), path).toBe(true)
    }
    expect((await site.open('/en.data')).html).not.toMatch(/[\u0b80-\u0bff]{8}/)
  })

  test('an error page has the id of its own request, under concurrency', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => site.fetch(new Request(`${siteOrigin}/product/99999999`))))
    for (const answer of answers) {
      const id = answer.headers.get('x-request-id')!
      expect(await answer.text()).toContain(`data-request-id="${id}"`)
    }
  })

  test('for random visitors, languages and price changes, every page shows the current price', async () => {
    // The embedded database has no second process, and is the slower of the two.
    const steps = process.env.TEST_DATABASE === 'embedded' ? often(80, 200) : 200
    let seed = 7
    const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n
    let price = 50_000
    await market.ctx.db
      .update(listings)
      .set({ isSold: false, offerPrice: null, originalPrice: rupees(price) })
      .where(eq(listings.id, animal))
    for (let step = 0; step < steps; step++) {
      if (random(4) === 0) await setPrice((price = 20_000 + random(70_000)))
      const english = random(2) === 0
      const path = `${english ? '/en' : ''}${[`/product/${animal}`, '/buy/1?sort=price-low', '/buy/0'][random(3)]}`
      const session = random(3) === 0 ? buyer : undefined
      const page = await (random(2) === 0 ? site : other).open(path, session ? { session } : {})
      const shown = formatRupees(rupees(price))
      const text = textOf(page.html)
      expect(text, `step ${step} ${path}`).toContain(shown)
      expect(page.html.includes('Zuleikha'), `step ${step} ${path}`).toBe(session !== undefined)
      expect(page.html).toContain(`<html lang="${english ? 'en' : 'ta'}"`)
    }
  })

  test('a referral code of exactly ten letters and digits sets the cookie, on a page that is not cached', async () => {
    for (const [path, code] of [
      ['/?refcode=ABCDE12345', 'ABCDE12345'],
      ['/en?refcode=abcde12345', 'abcde12345'],
      ['/refcode/ABCDE12345', 'ABCDE12345'],
      ['/refcode/%41BCDE12345', 'ABCDE12345'],
      ['/en/refcode/ABCDE12345/', 'ABCDE12345'],
    ] as const) {
      const page = await site.open(path)
      expect(page.status, path).toBe(200)
      expect(page.headers.get('set-cookie'), path).toMatch(new RegExp(`^refcode=${code}; Max-Age=\\d+; Path=/; Secure; SameSite=Lax$`))
      expect(page.headers.get('cache-status')).toBeNull()
    }
    for (const path of [
      '/?refcode=ABCDE1234',
      '/?refcode=ABCDE123456',
      '/?refcode=ABCDE1234;',
      '/refcode/short',
      '/?refcode=',
      '/buy/0?refcode=ABCDE12345',
    ]) {
      const page = await site.open(path)
      expect(page.status, path).toBe(200)
      expect(page.headers.get('set-cookie'), path).toBeNull()
    }
  })
})

describe('more concurrent visitors than the market can serve', () => {
  test('some get their page, the others a refusal in their language; cached pages stay open and correct', async () => {
    await site.open('/en/buy/0')
    const headers = { cookie: `__Host-sid=${buyer}` }
    const answers = await Promise.all(Array.from({ length: 120 }, () => site.fetch(new Request(`${siteOrigin}/en`, { headers }))))
    const refused = answers.filter(({ status }) => status === 503)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(60)
    const texts = new Set(await Promise.all(refused.map((answer) => answer.text())))
    expect(texts.size).toBe(1)
    const [html = ''] = texts
    expect(html).toContain('<html lang="en"')
    expect(html).not.toMatch(/<script|Zuleikha|again=1/)
    for (const { headers } of refused) {
      expect([headers.get('retry-after'), headers.get('cache-control')]).toEqual(['2', 'no-store'])
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
    await setPrice(61_234)
    expect(textOf((await site.open(`/en/product/${animal}`)).html)).toContain('₹61,234')
  })
})

import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeReview } from '#src/reviews/makers.server.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeListing, makeVaccination } from '#src/listings/makers.server.ts'
import { shareBuiltSite, siteOrigin, textOf, type BuiltSite, type Visit } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
let site: BuiltSite
const origin = siteOrigin
const open = (path: string, visit?: Visit) => site.open(path, visit)

shareBuiltSite((opened) => ({ market, site } = opened))

describe('a market with people and animals', () => {
  const ids: Record<string, number> = {}
  const sessions: Record<string, string> = {}
  let sellerPhone = ''

  beforeAll(async () => {
    const { ctx } = market
    const day = (n: number) => daysBefore(ctx.now, n)
    const seller = await makeUser(ctx, { typeId: 2, name: 'Murugesan', isVerified: true })
    sellerPhone = seller.phone
    const people = {
      seller,
      buyer: await makeUser(ctx, { name: 'Selvi' }),
      vet: await makeUser(ctx, { typeId: 5, name: 'Dr Kavitha', degree: 'BVSc & AH', vetApproved: true }),
      admin: await makeUser(ctx, { typeId: 9, name: 'Admin', isStaff: true }),
    }
    for (const [name, person] of Object.entries(people)) sessions[name] = await makeSession(ctx, person.id)
    await makeReview(ctx, { sellerId: seller.id, reviewerId: people.buyer.id, stars: 4, comment: 'Honest' })
    await makeReview(ctx, { sellerId: seller.id, reviewerId: people.vet.id, stars: null, comment: 'Only words' })
    const facts = { sellerId: seller.id }
    ids.bull = await makeListing(ctx, {
      ...facts,
      originalPrice: rupees(90_000),
      offerPrice: rupees(80_000),
      weightKg: 400,
      name: 'காங்கேயம் காளை',
      nameEn: 'Kangayam bull',
      stock: 4,
    })
    ids.sold = await makeListing(ctx, { ...facts, isSold: true })
    ids.closed = await makeListing(ctx, { ...facts, createdAt: day(200), touchedAt: day(101) })
    ids.pending = await makeListing(ctx, { ...facts, state: 'pending', name: 'Secret bull' })
    ids.feed = await makeListing(ctx, {
      ...facts,
      categoryId: 21,
      breedId: null,
      ageId: null,
      genderId: null,
      colorId: null,
      name: 'Oil cake',
      weightKg: 50,
    })
    ids.unweighed = await makeListing(ctx, { ...facts, weightKg: 0, stock: 8 })
    ids.draft = await makeListing(ctx, { ...facts, state: 'draft' }, [])
    ids.script = await makeListing(ctx, {
      ...facts,
      name: '<script>window.__pwned=1</script>',
      description: '</script><img src=x onerror=alert(1)>"\'` {{7*7}} ${1}',
    })
    await makeVaccination(ctx, { listingId: ids.bull, vaccineId: 1, dose: 2, vaccinatedOn: indianDay(day(40)) })
    await makeVetCheck(ctx, {
      listingId: ids.bull,
      vetId: people.vet.id,
      approved: true,
      comments: 'ஆரோக்கியமாக உள்ளது',
      commentsEn: 'In good health',
      checkedOn: indianDay(day(3)),
    })
    await makeVerification(ctx, { listingId: ids.bull, adminId: people.admin.id, passed: true, comment: 'Photos agree with the facts' })
    for (let n = 0; n < 30; n++)
      await makeListing(ctx, { ...facts, categoryId: 2, breedId: 201, originalPrice: rupees(9000 + n), createdAt: day(n) })
  })

  test('a list page takes at most three statements, whatever the query', async () => {
    for (const path of [
      '/buy/0',
      '/buy/1',
      '/en/buy/0?q=kangyam+bull&near=641001&within=200&sort=nearest&min=10&max=100000',
      '/buy/0?breed=101&category=1',
      '/buy/0?q=zebra',
      '/buy/1?sex=female&milk=10&age=3-5&weight=300-&pregnant=1&verified=1&vet=1&vaccinated=1',
    ]) {
      const page = await open(path)
      expect(page.status).toBe(200)
      expect(page.statements, path).toBeLessThanOrEqual(3)
      expect((await open(path, { session: sessions.buyer! })).statements, `${path} logged in`).toBeLessThanOrEqual(3)
    }
  })

  test('the home page takes at most three statements, including the check for changes', async () => {
    for (const path of ['/', '/en', '/refcode/ABCDE12345']) expect((await open(path)).statements, path).toBeLessThanOrEqual(3)
    expect((await open('/', { session: sessions.buyer! })).statements).toBeLessThanOrEqual(3)
  })

  test('a product page takes at most four statements, logged in or not', async () => {
    const path = `/product/${ids.bull}?pincode=641001&tab=vet`
    expect((await open(path)).statements).toBeLessThanOrEqual(4)
    expect((await open(`/product/${ids.bull}`, { session: sessions.buyer! })).statements).toBeLessThanOrEqual(4)
    // Two more for an admin: whether the animal is listed elsewhere, and the audit event that they saw its address.
    expect((await open(path, { session: sessions.admin! })).statements).toBeLessThanOrEqual(6)
  })

  test("the product page shows the specification's table in both languages", async () => {
    const { html } = await open(`/en/product/${ids.bull}`)
    // Several of these words stand elsewhere on the page, too; here each row of the table is read.
    const table = html.slice(html.indexOf('>Product Info</h2>'), html.indexOf('</table>', html.indexOf('>Product Info</h2>')))
    const rows = [...table.matchAll(/<th[^>]*>([\s\S]*?)<\/th><td[^>]*>([\s\S]*?)<\/td>/g)]
    const cells = Object.fromEntries(rows.map(([, label, cell]) => [textOf(label!), textOf(cell!)]))
    const code = `COW-${String(ids.bull).padStart(5, '0')}`
    for (const [label, parts] of Object.entries({
      Description: ['நல்ல உழவு காளை'],
      'Product #': [code],
      Category: ['Cattle · Kangayam'],
      Weight: ['400 Kgs'],
      Price: ['₹80,000', '₹90,000', '11.11% off', '₹200 per kg'],
      'Sold By': ['Murugesan', 'Verified Seller', '1 rating'],
      Location: ['Tiruppur, Tamil Nadu'],
      'Contact Details': ["Login to view Seller's phone number"],
    }))
      for (const part of parts) expect(cells[label], label).toContain(part)
    const text = textOf(html)
    for (const part of [
      'Login to add to cart',
      'HURRY! Only 4 item(s) left',
      'Hurry! Only 4 left',
      'Currently Instock: Only 4 item(s)',
      'Related Products',
      'Foot and mouth disease',
      'Booster dose',
      'In good health',
      'Dr Kavitha, BVSc & AH',
    ]) {
      expect(text).toContain(part)
    }
    const tamil = textOf((await open(`/product/${ids.bull}`)).html)
    for (const part of ['விற்பனை விவரம்', 'திருப்பூர், தமிழ்நாடு', 'காங்கேயம்', 'கோமாரி நோய்', 'ஊக்கத் தவணை', 'ஆரோக்கியமாக உள்ளது'])
      expect(tamil).toContain(part)
  })

  test('a seller’s number is nowhere in an anonymous visitor’s page, and is in a buyer’s', async () => {
    const stranger = (await open(`/en/product/${ids.bull}`)).html
    expect(stranger).not.toContain(sellerPhone.slice(1))
    expect(stranger).toContain(`${sellerPhone.slice(0, 3)} ${sellerPhone.slice(3, 5)}xxxxx${sellerPhone.slice(-3)}`)
    const buyer = await open(`/en/product/${ids.bull}`, { session: sessions.buyer! })
    expect(buyer.html).toContain(`tel:${sellerPhone}`)
    expect(textOf(buyer.html)).toContain('Never pay in advance')
    expect(buyer.headers.get('cache-control')).toBe('no-store')
  })

  test('each role opens on its own tab, and only admins see the verification', async () => {
    const chosen = async (session?: string) =>
      /aria-selected="true"[^>]*aria-controls="panel-(\w+)"|id="tab-(\w+)"[^>]*aria-selected="true"/
        .exec((await open(`/en/product/${ids.bull}`, { session })).html)
        ?.slice(1)
        .find(Boolean)
    expect(await chosen()).toBe('variant')
    expect(await chosen(sessions.buyer)).toBe('variant')
    expect(await chosen(sessions.vet)).toBe('vet')
    expect(await chosen(sessions.admin)).toBe('verification')
    expect((await open(`/en/product/${ids.bull}`, { session: sessions.admin })).html).toContain('Photos agree with the facts')
    expect((await open(`/en/product/${ids.bull}?tab=verification`)).html).not.toContain('Photos agree with the facts')
  })

  test('only the owner and admins with powers see the pickup street', async () => {
    for (const [name, sees] of [
      ['seller', true],
      ['admin', true],
      ['buyer', false],
      ['vet', false],
    ] as const) {
      expect((await open(`/en/product/${ids.bull}`, { session: sessions[name] })).html.includes('1 Sample Farm'), name).toBe(sees)
    }
    expect((await open(`/en/product/${ids.bull}`)).html).not.toContain('Sample Farm')
  })

  test('sold and closed listings say so and offer no contact', async () => {
    const sold = textOf((await open(`/en/product/${ids.sold}`)).html)
    const closed = textOf((await open(`/en/product/${ids.closed}`)).html)
    expect(sold).toContain('This one has been sold.')
    expect(closed).toContain('Sale Closed')
    for (const text of [sold, closed])
      for (const part of ['Login to add to cart', 'PIN code for delivery', 'Contact Details']) expect(text).not.toContain(part)
    for (const id of [ids.sold, ids.closed])
      expect((await open(`/en/product/${id}`, { session: sessions.buyer })).html).not.toContain(sellerPhone.slice(1))
    expect(textOf((await open('/en/buy/1')).html)).toContain('3 found')
  })

  test('a pending listing is a 404 to strangers and a page to its seller and admins', async () => {
    expect((await open(`/product/${ids.pending}`)).status).toBe(404)
    expect((await open(`/product/${ids.pending}`, { session: sessions.buyer })).status).toBe(404)
    const missing = (await open('/en/product/987654')).html
    const hidden = (await open(`/en/product/${ids.pending}`)).html
    const plain = (html: string) => textOf(html).replace(/[0-9a-f-]{36}/g, '')
    expect(plain(hidden)).toBe(plain(missing))
    expect((await open(`/en/product/${ids.pending}`, { session: sessions.seller })).html).toContain('Secret bull')
    expect((await open(`/en/product/${ids.pending}`, { session: sessions.admin })).status).toBe(200)
  })

  test('feeds need no vet and show no vaccination; without a weight there is no price per kilo', async () => {
    const feed = textOf((await open(`/en/product/${ids.feed}`)).html)
    expect(feed).not.toContain('Veterinary Check Details')
    expect(feed).not.toContain('Livestock Vaccination detail')
    const unweighed = textOf((await open(`/en/product/${ids.unweighed}`)).html)
    expect(unweighed).toContain('Not weighed')
    expect(unweighed).not.toContain('per kg')
    expect(unweighed).toContain('Currently Instock: Only 8 item(s)')
    expect(unweighed).toContain('HURRY! Only 8 item(s) left')
    expect(unweighed).not.toContain('Hurry! Only 8 left')
  })

  test('an animal without a picture is shown with one of ours', async () => {
    // Cards of related animals may show the same drawing, so only the part above the table counts.
    const { html } = await open(`/en/product/${ids.draft}`, { session: sessions.admin! })
    expect(html.slice(html.indexOf('<main'), html.indexOf('Product Info'))).toContain('/species/none.webp')
    expect((await open(`/en/product/${ids.draft}`)).status).toBe(404)
  })

  test("a seller's text is escaped, never markup", async () => {
    for (const path of [
      `/en/product/${ids.script}`,
      '/en/buy/1',
      '/en',
      `/en/buy/0?q=${encodeURIComponent('"><script>alert(1)</script>')}`,
    ]) {
      const { html, headers } = await open(path)
      const policy = headers.get('content-security-policy')!
      for (const [, attributes, text] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
        if (!/ src=|ld\+json/.test(attributes!))
          expect(policy, path).toContain(`'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
      }
      expect(html).not.toMatch(/<img src=x/)
      expect(html).not.toMatch(/<script>(window\.__pwned|alert)/)
    }
  })

  test('every personal page has its own nonce; all pages have a strict policy and no style attribute', async () => {
    const nonces = new Set<string>()
    for (const path of ['/', '/buy/0', `/product/${ids.bull}`, '/login', '/nowhere', '/en/coming-soon']) {
      const own = await open(path, { session: sessions.buyer! })
      const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(own.headers.get('content-security-policy')!)![1]!
      nonces.add(nonce)
      for (const [tag] of own.html.matchAll(/<script\b[^>]*>/g)) {
        if (!tag.includes('ld+json')) expect(tag, path).toContain(`nonce="${nonce}"`)
      }
      const { html, headers } = await open(path)
      const policy = headers.get('content-security-policy')!
      expect(policy).not.toMatch(/unsafe/)
      expect(html, path).not.toMatch(/<[^>]+\sstyle=/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('server')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
    }
    expect(nonces.size).toBe(6)
  })

  test('routes ignore letter case and a trailing slash, and have one canonical address', async () => {
    for (const path of ['/Buy/0', '/BUY/0/', '/buy/0/', '/en/Buy/0', '/EN/buy/0']) {
      const { status, html } = await open(path)
      expect(status, path).toBe(200)
      expect(/rel="canonical" href="([^"]+)"/.exec(html)![1]).toBe(`${origin}${/^\/en/i.test(path) ? '/en' : ''}/buy/0`)
    }
    expect((await open(`/Product/${ids.bull}/`)).status).toBe(200)
    expect((await open(`/product/related/${ids.bull}`)).html).toContain(`href="${origin}/product/${ids.bull}"`)
  })

  test('the language cookie redirects a reader to the other language, and the switch changes it', async () => {
    const away = await open('/buy/1?q=x', { lang: 'en' })
    expect([away.status, away.headers.get('location')]).toEqual([302, '/en/buy/1?q=x'])
    expect((await open('/buy/1', { lang: 'ta' })).status).toBe(200)
    expect((await open('/en/buy/1', { lang: 'ta' })).status).toBe(200)
    const chosen = await open('/buy/1?q=x&lang=ta', { lang: 'en' })
    expect([chosen.status, chosen.headers.get('location')]).toEqual([302, '/buy/1?q=x'])
    expect(chosen.headers.get('set-cookie')).toMatch(/^lang=ta; Max-Age=\d+; Path=\/; Secure; SameSite=Lax$/)
  })

  test('two readers in two languages, rendered at the same time, each get their own language', async () => {
    const pages = await Promise.all(Array.from({ length: 40 }, (_, n) => open(n % 2 ? '/en/buy/2' : '/buy/2')))
    for (const [n, { html }] of pages.entries()) {
      expect(html).toContain(n % 2 ? '<html lang="en"' : '<html lang="ta"')
      expect(textOf(html).includes('Filter Options')).toBe(n % 2 === 1)
    }
  })

  test('a redirect never leaves this site', async () => {
    const { status, headers } = await open('//evil.example/%2e%2e?lang=en')
    expect(status).not.toBe(500)
    expect(headers.get('location') ?? '/').not.toMatch(/^(\/\/|https?:)/)
  })

  test.each([
    '/buy/abc',
    '/buy/-1',
    '/buy/99',
    '/buy/0x1',
    '/buy/%00',
    '/buy/0%00',
    '/buy/1e0',
    '/buy/%E0%A4%A',
    '/product/0',
    '/product/-1',
    '/product/1.5',
    '/product/9223372036854775808',
    '/product/1%20OR%201=1',
    '/product/%D9%A1',
    '/product/related/abc',
    '/wp-admin.php',
    '/.env',
    '/..%2f..%2fetc/passwd',
    '/buy/0/extra',
    '/aboutus/x',
    '/orders/x',
    '/en/en/buy/0',
  ])('a mistaken address gets a 404 or a refusal, never a 500: %s', async (path) => {
    expect([400, 404]).toContain((await open(path)).status)
  })

  test.each([
    'q=%00',
    'q=%ED%A0%80',
    "q=';DROP TABLE listings;--",
    'q=%27%3A*%26%7C!()',
    'q=a%3Ab%20%26%20!c',
    `q=${'மா'.repeat(3000)}`,
    'q=%F0%9F%90%84',
    'q=%E2%80%AEabc',
    'q=100%25',
    'q=___',
    'q=\\',
    'min=-5',
    'min=abc',
    'min=1e9',
    'min=99999999999',
    'max=0.00001',
    'min=9&max=1',
    'category=abc&category=-1&category=99999',
    'breed=1;DROP',
    'category=2&breed=101',
    'after=AAAA',
    'after=bmV3ZXN0LjFlMXQ2M3R8OTk5OTk5OTk5OTk5OTk5OXwx',
    'after=bmV3ZXN0LjFlMXQ2M3R8OTk5OTk5OTk5OTk5OTl8MQ',
    'sort=price-low&after=cHJpY2UtbG93LjE1eTBseTF8OTk5OTk5OTk5OTk5OTk5OXwx',
    'after=bmV3ZXN0LjFlMXQ2M3R8MXwx',
    `after=${'A'.repeat(5000)}`,
    'sort=nope',
    'sort=nearest',
    'near=%00',
    'near=Atlantis&sort=nearest',
    'near=999999',
    'within=-1&near=641001',
    'within=abc',
    'top=0&page=1e9',
    'category='.repeat(500),
    'q[]=1&q[$gt]=',
    '__proto__[x]=1&constructor=1',
    'lang=de',
  ])('an odd query gets a page, never a 500: ?%s', async (query) => {
    const { status, html } = await open(`/en/buy/0?${query}`)
    expect(status).toBe(200)
    expect(html).not.toMatch(/SyntaxError|tsquery|at \w+ \(/)
  })

  test('the built API refuses an undecodable path as malformed', async () => {
    for (const path of ['/api/v1/product/id=%FF', '/api/v1/%E0%A4%A']) {
      const { status, html } = await open(path)
      expect([status, JSON.parse(html).code]).toEqual([400, 'MALFORMED'])
    }
  })

  test('the list names contradictions and mistakes in the query', async () => {
    expect(textOf((await open('/en/buy/0?min=9000&max=100')).html)).toContain('The lowest price is above the highest.')
    expect(textOf((await open('/en/buy/0?min=abc')).html)).toContain('Write the lowest price in digits')
    expect(textOf((await open('/en/buy/0?sort=nearest')).html)).toContain('enter a PIN code or town')
    expect(textOf((await open('/en/buy/0?near=Atlantis')).html)).toContain('We do not know a place called “Atlantis”')
    expect(textOf((await open('/en/buy/2?breed=101')).html)).toContain('Sorry! there are no products in the list')
  })

  test('a page refuses methods that it does not have', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) expect((await open('/buy/0', { method })).status).toBe(405)
    expect((await open('/buy/0', { method: 'HEAD' })).status).toBe(200)
  })
})

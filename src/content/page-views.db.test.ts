import { beforeEach, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { openBuiltSite, shareBuiltSite, siteOrigin, type BuiltSite } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { isBot, isPhone, PageViews, readPageViews } from './page-views.server.ts'
import { pageViews } from './tables.ts'

let market: TestMarket
let site: BuiltSite
shareBuiltSite((opened) => ({ market, site } = opened))
beforeEach(async () => {
  await site.views.write(market.ctx.db)
  await market.ctx.db.delete(pageViews)
})

const phone = { headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 13; K) Chrome/129.0.0.0 Mobile Safari/537.36' } }
const rows = async () =>
  (await market.ctx.db.select().from(pageViews).orderBy(pageViews.route, pageViews.locale)).map(
    ({ route, locale, count }) => `${route} ${locale} ${count}`,
  )

test('pages are counted by pattern and language, cached or rendered, without any id of an animal or person', async () => {
  const animal = await makeListing(market.ctx)
  const buyer = await makeUser(market.ctx)
  const session = await makeSession(market.ctx, buyer.id)
  for (let n = 0; n < 3; n += 1) await site.open(`/product/${animal}`, phone)
  const { headers } = await site.open(`/en/product/${animal}?tab=vet`, phone)
  // A 304 counts as a view.
  await site.open(`/en/product/${animal}?tab=vet`, { headers: { ...phone.headers, 'if-none-match': headers.get('etag')! } })
  await site.open('/Buy/0/', phone)
  await site.open('/aboutus', phone)
  await site.open('/en/breeds/kangayam', phone)
  await site.open(`/userprofile/${buyer.id}`, { ...phone, session })
  await site.views.write(market.ctx.db)
  expect(await rows()).toEqual([
    '/aboutus ta 1',
    '/breeds/:breed en 1',
    '/buy/:typeId ta 1',
    '/product/:productId en 2',
    '/product/:productId ta 3',
    '/userprofile/:userId ta 1',
  ])
})

test('views on phones are counted by the browser’s own headers', async () => {
  const desk = { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/129.0.0.0 Safari/537.36' } }
  await site.open('/buy/0', phone)
  await site.open('/buy/0', desk)
  await site.open('/buy/0', { headers: { ...desk.headers, 'sec-ch-ua-mobile': '?1' } })
  await site.open('/buy/0', { headers: { ...phone.headers, 'sec-ch-ua-mobile': '?0' } })
  await site.views.write(market.ctx.db)
  expect(await market.ctx.db.select().from(pageViews)).toMatchObject([{ count: 4, phones: 2 }])
  expect(isPhone({ hint: undefined, userAgent: 'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) Safari/605.1.15' })).toBe(false)
})

test('failures, requests by scripts and programs, and addresses that are no page are not counted', async () => {
  for (const path of ['/nowhere', '/product/99999999', '/buy/0.data', '/terms.pdf', '/terms/page/1', '/robots.txt', '/orders?x=1'])
    await site.open(path, phone)
  await site.open('/buy/0', { ...phone, method: 'HEAD' })
  await site.open('/buy/0')
  await site.open('/buy/0', { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' } })
  await site.views.write(market.ctx.db)
  // An anonymous visitor gets the login page at the address of the orders, which counts as a view.
  expect(await rows()).toEqual(['/orders ta 1'])
})

test('a client-side navigation counts as a view of the next page; loading more of the same page does not', async () => {
  const animal = await makeListing(market.ctx)
  const from = (path: string) => ({ headers: { ...phone.headers, referer: `${siteOrigin}${path}` } })
  await site.open(`/en/product/${animal}.data?_routes=product`, from('/en/buy/0?sort=price-low'))
  await site.open('/buy/0.data?_routes=list', from(`/product/${animal}`))
  await site.open('/en.data?_routes=home', from('/en/buy/0'))
  await site.open('/buy/0.data?after=x&_routes=list', from('/buy/0'))
  await site.open(`/product/${animal}.data?_routes=product`, from(`/product/${animal}?tab=vet`))
  await site.open('/product/99999999.data?_routes=product', from('/buy/0'))
  await site.open('/buy/0.data?_routes=list', { headers: { ...phone.headers, referer: 'https://elsewhere.example/product/1' } })
  await site.views.write(market.ctx.db)
  expect(await rows()).toEqual(['/ en 1', '/buy/:typeId ta 1', '/product/:productId en 1'])
})

test('the content security policy allows Google Analytics only when it is configured, on cached and on personal pages', async () => {
  const session = await makeSession(market.ctx, (await makeUser(market.ctx)).id)
  const policiesOf = async (of: BuiltSite) =>
    Promise.all([of.open('/buy/0', phone), of.open('/buy/0', { ...phone, session })]).then((pages) =>
      pages.map(({ headers, html }) => [headers.get('content-security-policy')!, html] as const),
    )
  for (const [policy, html] of await policiesOf(site)) {
    expect(policy).not.toContain('google')
    expect(html).not.toContain('G-ABC1234567')
  }
  const measured = await openBuiltSite(market, { ANALYTICS_ID: 'G-ABC1234567' })
  for (const [policy, html] of await policiesOf(measured)) {
    expect(policy).toMatch(/connect-src 'self' https:\/\/www\.googletagmanager\.com/)
    // The server sends only the id; the script loads after consent (analytics.tsx).
    expect(html).toContain('G-ABC1234567')
    expect(html).not.toContain('googletagmanager')
  }
  measured.close()
})

test('counts of two processes add up, even when both write at once', async () => {
  const processes = [new PageViews(), new PageViews()]
  const routes = ['/', '/buy/:typeId', '/product/:productId', '/support', '/forum']
  for (let round = 0; round < 5; round += 1) {
    for (const [at, views] of processes.entries())
      for (const route of at === 0 ? routes : routes.toReversed())
        for (const locale of ['ta', 'en'] as const) views.count(route, locale, market.ctx.now, at === 1)
    await Promise.all(processes.map((views) => views.write(market.ctx.db)))
  }
  expect(await rows()).toEqual(routes.toSorted().flatMap((route) => [`${route} en 10`, `${route} ta 10`]))
})

test('counts that could not be written are written once with the next round', async () => {
  const views = new PageViews()
  views.count('/support', 'ta', market.ctx.now, true)
  const broken = { execute: () => Promise.reject(new Error('connection refused')) } as never
  await expect(views.write(broken)).rejects.toThrow('connection refused')
  views.count('/support', 'ta', market.ctx.now, true)
  await views.write(market.ctx.db)
  await views.write(market.ctx.db)
  expect(await rows()).toEqual(['/support ta 2'])
})

test('admins see the last thirty days, most viewed first; nobody else does', async () => {
  const { ctx } = market
  const day = (ago: number) => indianDay(daysBefore(ctx.now, ago))
  await ctx.db.insert(pageViews).values([
    { day: day(0), route: '/', locale: 'ta', count: 5, phones: 4 },
    { day: day(29), route: '/', locale: 'en', count: 2 },
    { day: day(1), route: '/buy/:typeId', locale: 'ta', count: 9 },
    { day: day(30), route: '/old', locale: 'ta', count: 100 },
  ])
  const admin = await makeUser(ctx, { typeId: 9 })
  expect(await readPageViews(market.as(admin))).toEqual({
    routes: [
      { route: '/buy/:typeId', ta: 9, en: 0, phones: 0, today: 0 },
      { route: '/', ta: 5, en: 2, phones: 4, today: 5 },
    ],
    days: [
      { day: day(29), count: 2 },
      { day: day(1), count: 9 },
      { day: day(0), count: 5 },
    ],
  })
  await expect(readPageViews(market.as(null))).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
  await expect(readPageViews(market.as(await makeUser(ctx, { typeId: 2 })))).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
})

test.each([
  ['', true],
  ['curl/8.5.0', true],
  ['WhatsApp/2.23.20.0', true],
  ['facebookexternalhit/1.1', true],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/116.0 Safari/537.36', true],
  ['Mozilla/5.0 (Linux; Android 13; K) AppleWebKit/537.36 Chrome/129.0.0.0 Mobile Safari/537.36', false],
  ['Mozilla/5.0 (Linux; Android 9; Cubot Note 20) AppleWebKit/537.36 Chrome/110.0 Mobile Safari/537.36', false],
])('%s is a program: %s', (userAgent, expected) => expect(isBot(userAgent)).toBe(expected))

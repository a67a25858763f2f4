import { beforeAll, describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { closedPaths, listedPaths, pageTable, type PageEntry } from '#src/page-table.ts'
import { shareBuiltSite, type BuiltSite } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
let site: BuiltSite
let listing: number
let seller: number
const sessions: Record<string, string> = {}

shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  const people = {
    buyer: await makeUser(market.ctx),
    seller: await makeUser(market.ctx, { typeId: 2 }),
    vet: await makeUser(market.ctx, { typeId: 5, vetApproved: true }),
  }
  for (const [name, { id }] of Object.entries(people)) sessions[name] = await makeSession(market.ctx, id)
  seller = people.seller.id
  listing = await makeListing(market.ctx, { sellerId: seller })
})

/** An existing address of the page. */
const addressOf = ({ path }: PageEntry) =>
  `/${path
    .replace(':typeId', '0')
    .replace(':sellerId', String(seller))
    .replace(':breed', 'kangayam')
    .replace(':page', 'aboutus')
    .replace(':kind', 'thread')
    .replace(':number', '1')
    .replace(/:\w+/g, String(listing))}`
const isLogin = (location: string | null) => location !== null && location.startsWith('/login?next=')

describe('access to a page follows the table', () => {
  const guarded = pageTable.filter(({ who }) => who !== 'anyone' && who !== 'invited')
  // Steps of the login redirect to its beginning.
  const open = pageTable.filter(({ who, path }) => !path.startsWith('login/') && who === 'anyone')

  test.each(guarded)('$path redirects an anonymous visitor to the login', async (entry) => {
    const { status, headers } = await site.open(addressOf(entry))
    expect([status, isLogin(headers.get('location'))]).toEqual([302, true])
  })

  test.each(pageTable.filter(({ who }) => who === 'operate'))('$path refuses anybody but an admin', async (entry) => {
    for (const session of Object.values(sessions)) expect((await site.open(addressOf(entry), { session })).status).toBe(403)
  })

  test.each(guarded.filter(({ who }) => who !== 'operate' && who !== 'member'))('$path refuses a person without "$who"', async (entry) => {
    const session = sessions[entry.who === 'buy' ? 'seller' : 'buyer']!
    expect((await site.open(addressOf(entry), { session })).status).toBe(403)
  })

  test.each(pageTable.filter(({ afterLogin }) => afterLogin))(
    'after the login for $path comes $afterLogin',
    async ({ path, afterLogin }) => {
      for (const [language, next] of Object.entries({ '': afterLogin!, '/en': `/en${afterLogin}` })) {
        const location = (await site.open(`${language}/${path}`)).headers.get('location')
        expect(location).toBe(`${language}/login?next=${encodeURIComponent(next)}`)
      }
    },
  )

  test.each(pageTable.filter(({ who }) => who === 'invited'))('$path tells an anonymous visitor how to log in', async (entry) => {
    const { status, html } = await site.open(addressOf(entry))
    expect(status).toBe(200)
    expect(html).toMatch(/<main[\s\S]*href="\/login\?next=/)
  })

  test.each(open)('$path needs no login', async (entry) => {
    const { status, headers } = await site.open(addressOf(entry))
    expect(isLogin(headers.get('location'))).toBe(false)
    expect([401, 403]).not.toContain(status)
  })
})

describe('caching follows the table', () => {
  test.each(pageTable.filter(({ cachedBy }) => cachedBy))('$path is rendered once', async (entry) => {
    const first = await site.open(addressOf(entry))
    const second = await site.open(`${addressOf(entry)}?utm_source=group`)
    expect(second.html).toBe(first.html)
    expect(second.statements).toBeLessThanOrEqual(1)
  })

  test.each(pageTable.filter(({ cachedBy, who }) => !cachedBy && who === 'anyone'))(
    '$path is never shared between visitors',
    async (entry) => {
      expect((await site.open(addressOf(entry))).headers.get('cache-control')).toMatch(/no-store|private|no-cache/)
    },
  )
})

describe('rules for search engines follow the table', () => {
  test('robots.txt closes forms, desks and personal pages, and no listed page', () => {
    expect(closedPaths).toEqual(expect.arrayContaining(['/admin', '/my-cart', '/orders', '/login', '/review/']))
    const open = pageTable.filter(({ engines }) => engines !== 'closed').map((entry) => addressOf(entry))
    for (const path of [...open, ...listedPaths]) expect(closedPaths.filter((start) => path.startsWith(start))).toEqual([])
  })

  test.each(pageTable.filter(({ engines, who }) => engines === 'closed' && who === 'anyone'))('$path is closed', (entry) => {
    expect(closedPaths.some((start) => addressOf(entry).startsWith(start))).toBe(true)
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import { formatRupees, rupees } from '#src/kit/time-money/money.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { eq } from 'drizzle-orm'
import { shareBuiltSite, type BuiltSite, type Page } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

/** Pages that are cached for people who are logged in: each sees their own head, and nobody sees another's. */
let market: TestMarket
let site: BuiltSite
let animal: number

shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  animal = await makeListing(market.ctx, { name: 'காளை', nameEn: 'Bull', originalPrice: rupees(50_000), stock: 9 })
})

const paths = [
  '/',
  '/buy/0',
  '/en/buy/1?max=90000',
  '/compare?ids=1,2',
  '/en/breeds',
  '/breeds/kangayam',
  '/en/market-days',
  '/aboutus',
  '/en/aboutus',
]
const isHit = ({ headers }: Page) => headers.get('cache-status') === 'sandhai; hit'

async function member(name: string, typeId = 1) {
  const { id } = await makeUser(market.ctx, { name, typeId })
  const session = await makeSession(market.ctx, id)
  return { id, name, open: (path: string) => site.open(path, { session }) }
}

/** The head's viewer in the data from which the app starts, as the router's format has it: keys and values by their places in one list. */
function viewerIn({ html }: Page) {
  const chunk = /streamController\.enqueue\(("(?:[^"\\]|\\.)*")\)/.exec(html)![1]!
  const values = JSON.parse(JSON.parse(chunk) as string) as unknown[]
  const placeOf = (key: string) => `_${values.indexOf(key)}`
  const isViewer = (value: unknown): value is Record<string, number> =>
    typeof value === 'object' && value !== null && placeOf('cartLines') in value
  const viewer = values.find(isViewer)!
  return { id: values[viewer[placeOf('id')]!], name: values[viewer[placeOf('name')]!] }
}

const escaped = (name: string) =>
  name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#x27;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const withoutNonces = (html: string) => html.replaceAll(/nonce="[^"]*"/g, '')
const withoutScripts = (html: string) => html.replaceAll(/<script[\s\S]*?<\/script>/g, '')
const wizard = /<div tabindex="-1"[^>]*><template id="welcome-template">[\s\S]*?<\/template><\/div>/
const contentOf = (html: string) => /<main[\s\S]*<\/main>/.exec(withoutNonces(html))![0].replaceAll(/ nonce=""|\s(?=>)/g, '')

describe('a page that is the same for everybody below its head', () => {
  test('is rendered once for people with the same rights, and each gets their own name and number', async () => {
    const first = await member(`Zuleikha "73" <b>&'\\$& </script>`)
    const second = await member('முத்து $1')
    const stranger = { ...site, open: (path: string) => site.open(path) }
    for (const path of paths) {
      await first.open(path)
      const [one, other, nobody] = [await first.open(path), await second.open(path), await stranger.open(path)]
      expect([one.status, isHit(one), isHit(other)], path).toEqual([200, true, true])
      // The session with the figures of the head, and the check for changes.
      expect(other.statements, path).toBe(2)
      expect(viewerIn(one), path).toEqual({ id: first.id, name: first.name })
      expect(viewerIn(other), path).toEqual({ id: second.id, name: second.name })
      for (const [page, own, another] of [[one, first, second] as const, [other, second, first] as const]) {
        expect(withoutScripts(page.html).split(escaped(own.name)).length, path).toBe(3)
        expect(page.html, path).toContain(`/userprofile/${own.id}"`)
        expect(page.html, path).not.toContain(escaped(another.name))
        expect(page.html, path).not.toContain(`/userprofile/${another.id}"`)
        // Only the line for new visitors is missing.
        expect(contentOf(page.html), path).toBe(contentOf(nobody.html).replace(wizard, ''))
        expect(wizard.test(nobody.html), path).toBe(path === '/')
      }
      for (const { name } of [first, second]) expect(nobody.html, path).not.toContain(escaped(name))
    }
  })

  test('has a nonce of its own for each answer, which its scripts and its policy name', async () => {
    const { open } = await member('Selvi')
    const nonces = new Set<string>()
    for (const page of [await open('/en/buy/0'), await open('/en/buy/0')]) {
      const [, nonce = ''] = /script-src 'nonce-([\w-]+)' 'strict-dynamic'/.exec(page.headers.get('content-security-policy')!)!
      expect(new Set([...page.html.matchAll(/nonce="([^"]*)"/g)].map(([, each]) => each))).toEqual(new Set([nonce]))
      expect([page.headers.get('cache-control'), page.headers.get('etag')]).toEqual(['no-store', null])
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(2)
  })

  test('follows rights, cart and price of the moment', async () => {
    const buyer = await member('Kavitha')
    const agent = await member('Anbu', 4)
    await buyer.open('/en/buy/0')
    expect((await agent.open('/en/buy/0')).html).not.toContain('id="cart-count"')
    await market.ctx.db
      .insert(cartLines)
      .values({ buyerId: buyer.id, listingId: animal, count: 1, seenPrice: rupees(50_000), seenStock: 9 })
    expect((await buyer.open('/en/buy/0')).html).toMatch(/id="cart-count"[^>]*>1</)
    await market.ctx.db
      .update(listings)
      .set({ originalPrice: rupees(50_700) })
      .where(eq(listings.id, animal))
    const page = await buyer.open('/en/buy/0')
    expect([isHit(page), page.html.includes(formatRupees(rupees(50_700)))]).toEqual([false, true])
  })

  test('an address that does not exist is answered to this person alone', async () => {
    const { open, name } = await member('Ponni')
    const page = await open('/en/buy/999')
    expect([page.status, page.headers.get('cache-status'), page.html.includes(name)]).toEqual([404, null, true])
  })
})

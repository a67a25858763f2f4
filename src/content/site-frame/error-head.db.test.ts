import { beforeAll, expect, test } from 'vitest'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { sharePages, type PageReader, type Reader } from '#tools/test-kit/page-reader.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
let pages: PageReader
let buyer: Reader, seller: Reader, admin: Reader
sharePages((opened) => ({ market, pages } = opened))
beforeAll(async () => {
  buyer = await pages.person()
  seller = await pages.person({ typeId: 2 })
  admin = await pages.person({ typeId: 9 })
})

test('a page that is shown instead has title, description, keywords and sharing tags of its own, and stays out of search engines', async () => {
  const gone = await makeListing(market.ctx, { sellerId: seller.id, state: 'withdrawn' })
  await makeVerification(market.ctx, { listingId: gone, adminId: admin.id, passed: true, comment: '' })
  const shown: [number, string, Reader | null][] = [
    [404, '/en/no-such-page', null],
    [403, '/en/admin', buyer],
    [409, `/en/review/${seller.id}`, seller],
    [410, `/en/product/${gone}`, null],
  ]
  const titles = new Set<string>()
  for (const [status, path, reader] of shown) {
    const { html, status: got } = await pages.open(path, reader)
    const contents = (name: string) =>
      [...html.matchAll(new RegExp(`<meta (?:name|property)="${name}" content="([^"]+)"`, 'g'))].map(([, text]) => text!)
    const [title] = contents('og:title')
    titles.add(title!)
    expect([path, got]).toEqual([path, status])
    expect(html).toContain(`<title>${title} · Sandhai</title>`)
    expect(contents('robots')).toEqual(['noindex'])
    expect(contents('description')).toEqual(contents('og:description'))
    expect(contents('keywords')).toEqual([expect.stringMatching(/^livestock, cattle/)])
    expect(contents('og:image')).toEqual([expect.stringMatching(/^http.*\/share\.jpg$/)])
  }
  expect(titles.size).toBe(shown.length)
})

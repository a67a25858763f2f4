import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { openBuiltSite, type BuiltSite } from '#tools/test-kit/built-site.ts'
import { openTestMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

/**
 * Limits for the weight (uncompressed, with a full page of animals) and the statements of the pages that buyers view most. A heavier page
 * needs a new number here; a lighter one lowers its number.
 */
const most = {
  '/': { kilobytes: 82, statements: 4 },
  '/buy/0': { kilobytes: 75, statements: 3 },
  '/en/buy/1': { kilobytes: 69, statements: 3 },
  '/product/1': { kilobytes: 51, statements: 4 },
} as const

const ANIMALS = 30
let market: TestMarket
let site: BuiltSite
beforeAll(async () => {
  market = await openTestMarket()
  const seller = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan', isVerified: true })
  for (let n = 0; n < ANIMALS; n++)
    await makeListing(market.ctx, { sellerId: seller.id, originalPrice: rupees(20_000 + 500 * n), name: `காங்கேயம் காளை ${n}`, stock: 2 })
  site = await openBuiltSite(market)
})
afterAll(async () => {
  site?.close()
  await market?.close()
})

test.each(Object.entries(most))('%s stays within its limits of weight and statements', async (path, { kilobytes, statements }) => {
  // The first page of a process runs more statements: for contact details and for the last changes.
  await site.open('/aboutus')
  const page = await site.open(path)
  expect(page.status).toBe(200)
  expect(page.headers.get('cache-status')).toBe('sandhai; fwd=miss')
  expect([path, page.statements]).toEqual([path, Math.min(page.statements, statements)])
  expect(Buffer.byteLength(page.html) / 1000).toBeLessThanOrEqual(kilobytes)
})

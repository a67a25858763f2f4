import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from './accounts/makers.server.ts'
import { PageCache, pageChangesOf } from '#src/kit/http/page-cache.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeListing } from './listings/makers.server.ts'
import { listings } from './listings/tables.ts'
import { openTestMarket, type TestMarket } from './testing/test-market.ts'

let market: TestMarket
let animal: number
beforeAll(async () => {
  market = await openTestMarket()
  const seller = await makeUser(market.ctx, { typeId: 2 })
  animal = await makeListing(market.ctx, { sellerId: seller.id })
})
afterAll(() => market?.close())

const READERS = 12
const PRICES = 150

interface Counts {
  stale: number
  reads: number
  hits: number
}

/**
 * Readers at two caches while a writer raises the price, each time acknowledged, until enough was read. A page asked for after that must
 * show at least that price. Answers how often it did not.
 */
async function readWhileWriting(open: () => PageCache, isEnough: (counts: Counts) => boolean): Promise<Counts> {
  const { db } = market.ctx
  const caches = [open(), open()]
  let acknowledged = 0
  let isOver = false
  const counts: Counts = { stale: 0, reads: 0, hits: 0 }
  const setPrice = (price: number) =>
    db
      .update(listings)
      .set({ originalPrice: rupees(price) })
      .where(eq(listings.id, animal))
  await setPrice(1)

  async function read(cache: PageCache): Promise<number> {
    const epoch = (await cache.look())!
    const cached = cache.find('page', epoch)
    if (cached) {
      counts.hits += 1
      return Number(Buffer.from(await cached.encoded(null)).toString())
    }
    const rendered = await cache.render('page', epoch, async () => {
      const [row] = await db.select({ price: listings.originalPrice }).from(listings).where(eq(listings.id, animal))
      return { status: 200, headers: {}, isCacheable: true, requestId: 'test', body: Buffer.from(String(row!.price / 10_000n)) }
    })
    return Number(rendered.body.toString())
  }

  const readers = Array.from({ length: READERS }, async (_, reader) => {
    while (!isOver) {
      const atLeast = acknowledged
      const price = await read(caches[reader % 2]!)
      counts.reads += 1
      if (price < atLeast) counts.stale += 1
    }
  })
  for (let price = 2; price <= PRICES || !isEnough(counts); price++) {
    await setPrice(price)
    acknowledged = price
    if (price % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  isOver = true
  await Promise.all(readers)
  return counts
}

test('no page is older than the last price that was acknowledged before it was asked for', async () => {
  const { stale } = await readWhileWriting(
    () => new PageCache(pageChangesOf(market.ctx.db)),
    ({ reads, hits }) => reads > 500 && hits > 50,
  )
  expect(stale).toBe(0)
})

test('control: a cache that looks every twenty milliseconds shows old prices', async () => {
  const open = () => {
    const ask = pageChangesOf(market.ctx.db)
    let last = { at: 0, snapshot: '' }
    return new PageCache(async (since) => {
      if (performance.now() - last.at < 20) return { snapshot: last.snapshot, changed: false }
      const answer = await ask(since)
      last = { at: performance.now(), snapshot: answer.snapshot }
      return answer
    })
  }
  const { stale } = await readWhileWriting(open, ({ stale }) => stale > 0)
  expect(stale).toBeGreaterThan(0)
})

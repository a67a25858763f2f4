import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from './accounts/makers.server.ts'
import type { ApiEnv } from '#src/kit/http/api.server.ts'
import { Gate } from '#src/kit/http/gate.server.ts'
import { sharedAnswer } from '#src/kit/http/shared-answers.server.ts'
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

interface Seen {
  price: number
  isHit: boolean
}

/** What reads the price through a cache: a page, or a call. */
type Reader = (cache: PageCache) => () => Promise<Seen>

async function priceNow(): Promise<string> {
  const [row] = await market.ctx.db.select({ price: listings.originalPrice }).from(listings).where(eq(listings.id, animal))
  return String(row!.price / 10_000n)
}

const page: Reader = (cache) => async () => {
  const epoch = (await cache.look())!
  const cached = cache.find('page', epoch)
  if (cached) return { price: Number(Buffer.from(await cached.encoded(null)).toString()), isHit: true }
  const rendered = await cache.render('page', epoch, async () => {
    return { status: 200, headers: {}, isCacheable: true, requestId: 'test', body: Buffer.from(await priceNow()) }
  })
  return { price: Number(rendered.body.toString()), isHit: false }
}

/** Nobody waits and nobody is refused: what is at stake here is the cache. */
const gate = new Gate({ atOnce: 1000, waitAtMostMs: 1000, retryAfterSeconds: 1, latenessMs: () => 0 })

const call: Reader = (cache) => {
  const app = new Hono<ApiEnv>()
  app.use(async (c, next) => {
    c.set('ctx', market.ctx)
    c.set('cookies', {})
    c.set('address', 'test')
    c.set('isInside', false)
    c.set('answers', { cache, gate })
    await next()
  })
  app.get('/price', sharedAnswer, async (c) => c.text(await priceNow()))
  return async () => {
    const response = await app.request('http://localhost/price')
    return { price: Number(await response.text()), isHit: response.headers.get('cache-status') === 'sandhai; hit' }
  }
}

/**
 * Readers at two caches while a writer raises the price, each time acknowledged, until enough was read. An answer asked for after that must
 * show at least that price. Answers how often it did not.
 */
async function readWhileWriting(reader: Reader, open: () => PageCache, isEnough: (counts: Counts) => boolean): Promise<Counts> {
  const { db } = market.ctx
  const reads = [reader(open()), reader(open())]
  let acknowledged = 0
  let isOver = false
  const counts: Counts = { stale: 0, reads: 0, hits: 0 }
  const setPrice = (price: number) =>
    db
      .update(listings)
      .set({ originalPrice: rupees(price) })
      .where(eq(listings.id, animal))
  await setPrice(1)

  const readers = Array.from({ length: READERS }, async (_, reader) => {
    while (!isOver) {
      const atLeast = acknowledged
      const { price, isHit } = await reads[reader % 2]!()
      counts.reads += 1
      if (isHit) counts.hits += 1
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

const slow = () => {
  const ask = pageChangesOf(market.ctx.db)
  let last = { at: 0, snapshot: '' }
  return new PageCache(async (since) => {
    if (performance.now() - last.at < 20) return { snapshot: last.snapshot, changed: false }
    const answer = await ask(since)
    last = { at: performance.now(), snapshot: answer.snapshot }
    return answer
  })
}

describe.each([
  ['page', page],
  ['answer of a call', call],
])('%s', (_, reader) => {
  test('none is older than the last price that was acknowledged before it was asked for', async () => {
    const { stale } = await readWhileWriting(
      reader,
      () => new PageCache(pageChangesOf(market.ctx.db)),
      ({ reads, hits }) => reads > 500 && hits > 50,
    )
    expect(stale).toBe(0)
  })

  test('control: a cache that looks every twenty milliseconds shows old prices', async () => {
    const { stale } = await readWhileWriting(reader, slow, ({ stale }) => stale > 0)
    expect(stale).toBeGreaterThan(0)
  })
})

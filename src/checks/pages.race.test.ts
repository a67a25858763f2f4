import { eq, inArray, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { ApiEnv } from '#src/kit/http/api.server.ts'
import { Gate } from '#src/kit/http/gate.server.ts'
import { sharedAnswer } from '#src/kit/http/shared-answers.server.ts'
import { animalName, COUNTS } from '#src/kit/http/shown-names.ts'
import { PageCache, pageChangesOf } from '#src/kit/http/page-cache.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
let animal: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  animal = await makeListing(market.ctx, { sellerId: seller.id })
})

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

/** Reads the price through a cache: as a page or as a call. */
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
    return { status: 200, headers: {}, isCacheable: true, shows: new Set(), requestId: 'test', body: Buffer.from(await priceNow()) }
  })
  return { price: Number(rendered.body.toString()), isHit: false }
}

/** A gate that refuses nobody: the test is about the cache. */
const gate = new Gate({ name: 'test', atOnce: 1000, waitAtMostMs: 1000, retryAfterSeconds: 1, latenessMs: () => 0 })

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
 * Two caches are read while a writer raises the price, until there are enough reads. An answer must show at least the last price committed
 * before its request. Returns how many did not.
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
  test('no answer is older than the last price committed before its request', async () => {
    const { stale } = await readWhileWriting(
      reader,
      () => new PageCache(pageChangesOf(market.ctx.db)),
      ({ reads, hits }) => reads > 500 && hits > 50,
    )
    expect(stale).toBe(0)
  })

  test('control: a cache that checks every twenty milliseconds shows old prices', async () => {
    const { stale } = await readWhileWriting(reader, slow, ({ stale }) => stale > 0)
    expect(stale).toBeGreaterThan(0)
  })
})

/** The stock of two lots, as one page shows both. */
async function lotsNow(): Promise<[number, number]> {
  const rows = await market.ctx.db.select({ stock: listings.stock }).from(listings).where(inArray(listings.id, lots)).orderBy(listings.id)
  return [rows[0]!.stock, rows[1]!.stock]
}

let lots: number[]

/**
 * Two caches are read while orders take from two lots. Returns how often a page showed more than the committed stock, and how often a page
 * that shows neither lot was rendered again.
 */
async function readWhileOrdering(shows: (id: number) => string[], isEnough: (counts: Counts) => boolean) {
  const { db } = market.ctx
  const take = (id: number) =>
    db.execute(sql`update listings set stock = stock - 1, version = version + 1 where id = ${id}::bigint and stock > 1`)
  await db.update(listings).set({ stock: 10_000 }).where(inArray(listings.id, lots))
  const caches = [new PageCache(pageChangesOf(db)), new PageCache(pageChangesOf(db))]
  for (const cache of caches) await cache.look()
  const counts: Counts = { stale: 0, reads: 0, hits: 0 }
  const left = [10_000, 10_000]
  let isOver = false
  let others = 0
  const readers = Array.from({ length: READERS }, async (_, reader) => {
    const cache = caches[reader % 2]!
    while (!isOver) {
      const atMost = [...left]
      const epoch = (await cache.look())!
      const cached = cache.find('lots', epoch)
      const body = cached
        ? Buffer.from(await cached.encoded(null))
        : (
            await cache.render('lots', epoch, async () => ({
              status: 200,
              headers: {},
              isCacheable: true,
              shows: new Set(lots.flatMap(shows)),
              requestId: 'test',
              body: Buffer.from(JSON.stringify(await lotsNow())),
            }))
          ).body
      const seen = JSON.parse(body.toString()) as [number, number]
      counts.reads += 1
      if (cached) counts.hits += 1
      if (seen.some((stock, n) => stock > atMost[n]!)) counts.stale += 1
      if (cache.find('other', epoch)) continue
      others += 1
      const other = { status: 200, headers: {}, isCacheable: true, shows: new Set([COUNTS, animalName(animal)]), requestId: 'test' }
      await cache.render('other', epoch, async () => ({ ...other, body: Buffer.from('other') }))
    }
  })
  for (let n = 0; n < PRICES || !isEnough(counts); n++) {
    await take(lots[n % 2]!)
    left[n % 2]! -= 1
    if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  isOver = true
  await Promise.all(readers)
  return { ...counts, others }
}

describe('a page that shows two lots while people order from both', () => {
  beforeAll(async () => {
    lots = [await makeListing(market.ctx, { stock: 10_000 }), await makeListing(market.ctx, { stock: 10_000 })]
  })

  test('never shows more than the stock committed before its request; a page that shows neither is not rendered again', async () => {
    const { stale, others } = await readWhileOrdering(
      (id) => [animalName(id)],
      ({ reads, hits }) => reads > 500 && hits > 50,
    )
    expect(stale).toBe(0)
    // Once for each cache, and for each reader that came during the rendering.
    expect(others).toBeLessThanOrEqual(READERS)
  })

  test('control: a rendering that does not record one of the two shows too much stock of it', async () => {
    const { stale } = await readWhileOrdering(
      (id) => (id === lots[0] ? [animalName(id)] : []),
      ({ stale }) => stale > 0,
    )
    expect(stale).toBeGreaterThan(0)
  })
})

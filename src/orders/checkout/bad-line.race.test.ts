import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { layBadLine, type BadLine } from '#tools/test-kit/bad-line.ts'
import { countOf, makeCrowd, rush, type CrowdBuyer } from '#tools/test-kit/crowd.ts'
import { often } from '#tools/test-kit/often.ts'
import { ORIGIN, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { placeOrder } from '#src/orders/checkout/place-order.server.ts'
import { orders } from '../tables.ts'

// safety.md §1: INV-1 (f) and INV-4 over connections as slow and lossy as in a village.

let app: TestApp
let seller: Viewer
let pickupAddressId: number
shareTestApp((opened) => (app = opened), { rateLimitFactors: { address: 1000, user: 1 } })
beforeAll(async () => {
  seller = await makeUser(app.ctx, { typeId: 2 })
  pickupAddressId = await makeAddress(app.ctx, seller.id)
})

const animal = (stock: number) => makeListing(app.ctx, { sellerId: seller.id, pickupAddressId, stock, originalPrice: rupees(9000) })
const stockOf = async (id: number) => (await app.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!.stock
const putInCarts = (buyers: CrowdBuyer[], listingId: number) =>
  app.ctx.db
    .insert(cartLines)
    .values(buyers.map(({ viewer }) => ({ buyerId: viewer.id, listingId, count: 1, seenPrice: rupees(9000), seenStock: 50 })))

describe('with 100 ms latency to the database', () => {
  const BUYERS = often(40, 400)
  const STOCK = 10
  let line: BadLine
  let far: Database
  beforeAll(async () => {
    const url = new URL(inject('postgresUrl'))
    line = await layBadLine({ host: url.hostname, port: Number(url.port) })
    const { rows } = (await app.ctx.db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }
    Object.assign(url, { host: `127.0.0.1:${line.port}`, pathname: `/${rows[0]!.name}` })
    far = await openDatabase({ databaseUrl: url.href, dataDir: '', patience: 10 })
    await far.ping()
    line.weather.delayMs = 50
  })
  afterAll(async () => {
    line.weather.delayMs = 0
    await far?.close()
    await line?.close()
  })

  test(`${BUYERS} concurrent buyers of ${STOCK} animals: exactly ${STOCK} orders succeed`, async () => {
    const id = await animal(STOCK)
    const buyers = await makeCrowd(app.ctx, BUYERS)
    await putInCarts(buyers, id)
    const ends = await rush(buyers, 20, ({ viewer, addressId }) => placeOrder({ ...app.ctx, db: far.db, viewer }, { addressId, code: '' }))
    expect(countOf(ends)).toEqual({ taken: STOCK, STOCK_CHANGED: BUYERS - STOCK })
    expect(await stockOf(id)).toBe(0)
  })

  test('control: a buyer who checks the stock first and takes it afterwards oversells', async () => {
    const id = await animal(1)
    const ends = await rush([1, 2, 3, 4], 4, () =>
      far.db.transaction(async (tx) => {
        const [{ stock }] = (await tx.select({ stock: listings.stock }).from(listings).where(eq(listings.id, id))) as [{ stock: number }]
        if (stock < 1) throw new Error('out of stock')
        await tx
          .update(listings)
          .set({ stock: stock - 1 })
          .where(eq(listings.id, id))
      }),
    )
    expect(countOf(ends).taken).toBeGreaterThan(1)
  })
})

describe('with lost responses', () => {
  const INTENTS = often(200, 2000)
  let site: ReturnType<typeof serve>
  let line: BadLine
  beforeAll(async () => {
    site = serve({ fetch: (request) => app.fetch(new URL(request.url).pathname, request), port: 0, hostname: '127.0.0.1' })
    await once(site, 'listening')
    line = await layBadLine({ host: '127.0.0.1', port: (site.address() as AddressInfo).port }, { lostPercent: 20 })
  })
  afterAll(async () => {
    await line?.close()
    site?.close()
  })

  /** Sends one request over the lossy connection; returns null when no response arrives. */
  const send = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; body: string } | null>((resolve) => {
      const sent = request({ port: line.port, path, method: 'PUT', headers, agent: false }, (response) => {
        let body = ''
        response.on('data', (part: Buffer) => (body += part.toString()))
        response.on('end', () => resolve(response.complete ? { status: response.statusCode!, body } : null))
        response.on('error', () => resolve(null))
      })
      sent.on('error', () => resolve(null))
      sent.end()
    })

  test(`${INTENTS} confirmations, each sent one to five times and retried until answered, make ${INTENTS} orders`, async () => {
    const buyers = await makeCrowd(app.ctx, INTENTS)
    const id = await animal(INTENTS)
    await putInCarts(buyers, id)
    let lost = 0
    await rush(buyers, 8, async ({ viewer, addressId }, n) => {
      const session = await makeSession(app.ctx, viewer.id)
      const token = makeCsrfToken(app.secret, session)
      const headers = {
        cookie: `__Host-sid=${session}; __Host-csrf=${token}`,
        'x-csrftoken': token,
        origin: ORIGIN,
        'x-forwarded-for': `10.9.${n >> 8}.${n & 255}`,
        'idempotency-key': `intent-${n}`,
      }
      const once = async () => {
        const answer = await send(`/api/v1/confirm-order/buyer=${viewer.id}&address=${addressId}&code=`, headers)
        // A 503 tells nothing about the order, like a lost response.
        return answer?.status === 503 ? null : answer
      }
      const answers = await Promise.all(Array.from({ length: 1 + (n % 5) }, once))
      while (!answers.some((answer) => answer?.status === 200)) answers.push(await once())
      lost += answers.filter((answer) => answer === null).length
      const heard = new Set(answers.filter((answer) => answer !== null).map(({ body }) => body))
      expect([...heard]).toHaveLength(1)
    }).then((ends) => expect(countOf(ends)).toEqual({ taken: INTENTS }))

    // The connection lost many responses, and still each intent made exactly one order.
    expect(lost).toBeGreaterThan(INTENTS / 5)
    const ids = buyers.map(({ viewer }) => viewer.id)
    const placed = await app.ctx.db.select({ buyerId: orders.buyerId }).from(orders).where(inArray(orders.buyerId, ids))
    expect([placed.length, new Set(placed.map(({ buyerId }) => buyerId)).size]).toEqual([INTENTS, INTENTS])
    expect(await stockOf(id)).toBe(0)
  })

  test('control: retries without an idempotency key, on a cart that is refilled meanwhile, order twice', async () => {
    const [buyer] = await makeCrowd(app.ctx, 1)
    const id = await animal(5)
    for (let n = 0; n < 2; n++) {
      await putInCarts([buyer!], id)
      await placeOrder({ ...app.ctx, viewer: buyer!.viewer }, { addressId: buyer!.addressId, code: '' })
    }
    expect(await stockOf(id)).toBe(3)
  })
})

import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { DatabaseClient } from '#src/kit/db/database-client.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { placeOrder } from '#src/orders/checkout/place-order.server.ts'

// safety.md INV-2: the test breaks `placeOrder` at each of its statements in four ways and expects no partial writes.

let market: TestMarket
let url: string
let seller: Viewer
let pickupAddressId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { rows } = (await market.ctx.db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }
  url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${rows[0]!.name}` }).href
  seller = await makeUser(market.ctx, { typeId: 2 })
  pickupAddressId = await makeAddress(market.ctx, seller.id)
})

const faults = ['throws before', 'throws after', 'the line is cut', 'the server ends the session'] as const
type Fault = (typeof faults)[number]

/** Opens a separate connection that breaks at its k-th statement; 0 never breaks. */
async function brokenAt(k: number, fault: Fault): Promise<{ db: Db; statements: () => number; close: () => Promise<void> }> {
  const client: pg.Client = new DatabaseClient({ connectionString: url })
  // The test ends the connection on purpose.
  client.on('error', () => {})
  await client.connect()
  const [{ pid }] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows as [{ pid: number }]
  const plain = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  let seen = 0
  const query = async (...args: unknown[]) => {
    seen += 1
    if (seen !== k) return plain(...args)
    if (fault === 'throws before') throw new Error('broken')
    if (fault === 'the line is cut') (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    if (fault === 'the server ends the session') await market.ctx.db.execute(sql`select pg_terminate_backend(${pid}::integer)`)
    const answer = await plain(...args)
    if (fault === 'throws after') throw new Error('broken')
    return answer
  }
  Object.assign(client, { query })
  return { db: drizzle(client) as unknown as Db, statements: () => seen, close: () => client.end().catch(() => {}) }
}

/** A buyer whose cart has two animals, the first with a discount. */
async function newIntent() {
  const buyer = await makeUser(market.ctx, { typeId: 1 })
  const addressId = await makeAddress(market.ctx, buyer.id)
  const ids = [
    await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, stock: 5 }),
    await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, stock: 5 }),
  ]
  for (const listingId of ids) await makeCartLine(market.ctx, { buyerId: buyer.id, listingId })
  const place = (ctx: Ctx) => placeOrder({ ...ctx, viewer: buyer }, { addressId, code: '', key: 'the-key' })
  return { buyer, ids, place }
}

/** All rows that an order writes for this buyer and these animals. */
async function stateOf({ buyer, ids }: { buyer: Viewer; ids: number[] }) {
  const { rows } = (await market.ctx.db.execute(sql`select
    (select count(*)::int from cart_lines where buyer_id = ${buyer.id}) as cart,
    (select count(*)::int from orders where buyer_id = ${buyer.id}) as orders,
    (select count(*)::int from order_groups where buyer_id = ${buyer.id}) as groups,
    (select count(*)::int from order_steps where by_id = ${buyer.id}) as steps,
    (select count(*)::int from discount_uses where buyer_id = ${buyer.id}) as discounts,
    (select count(*)::int from audit_events where actor_id = ${buyer.id}) as events,
    (select count(*)::int from outbox where recipient = (select phone from users where id = ${buyer.id})) as messages,
    (select count(*)::int from idempotency where owner = ${`user:${buyer.id}`}) as keys`)) as unknown as { rows: Record<string, number>[] }
  const stock = await Promise.all(ids.map(async (id) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!.stock))
  return { orders: rows[0]!.orders!, ...rows[0]!, stock }
}
const untouched = { cart: 2, orders: 0, groups: 0, steps: 0, discounts: 0, events: 0, messages: 0, keys: 0, stock: [5, 5] }
const whole = { cart: 0, orders: 2, groups: 1, steps: 2, discounts: 1, events: 1, messages: 1, keys: 1, stock: [4, 4] }

async function statementsOfAnOrder(): Promise<number> {
  const intent = await newIntent()
  const connection = await brokenAt(0, 'throws before')
  await intent.place({ ...market.ctx, db: connection.db })
  await connection.close()
  expect(await stateOf(intent)).toEqual(whole)
  return connection.statements()
}

describe('placing an order', () => {
  test.each(faults)('broken at each of its statements, leaves no partial writes: %s', async (fault) => {
    const count = await statementsOfAnOrder()
    expect(count).toBeGreaterThan(15)
    for (let k = 1; k <= count; k++) {
      const intent = await newIntent()
      const connection = await brokenAt(k, fault)
      await expect(intent.place({ ...market.ctx, db: connection.db })).rejects.toThrow()
      await connection.close()
      const after = await stateOf(intent)
      // Only at the last statement, the commit, may the order exist although its response was lost.
      const isWhole = k === count && after.orders > 0
      expect([k, after]).toEqual([k, isWhole ? whole : untouched])
      await intent.place(market.ctx)
      expect([k, await stateOf(intent)]).toEqual([k, whole])
    }
  })

  test('control: the same statements without a transaction leave partial writes', async () => {
    const count = await statementsOfAnOrder()
    const halves: unknown[] = []
    for (let k = 3; k < count; k += 2) {
      const intent = await newIntent()
      const { db, close } = await brokenAt(k, 'throws before')
      const withoutTransaction = new Proxy(db, {
        get: (target, name) =>
          name === 'transaction' ? (act: (db: Db) => Promise<unknown>) => act(withoutTransaction) : Reflect.get(target, name),
      })
      await intent.place({ ...market.ctx, db: withoutTransaction }).catch(() => {})
      await close()
      const after = await stateOf(intent)
      if (after.orders !== 2 && after.orders !== 0) halves.push(after)
      if (JSON.stringify(after) !== JSON.stringify(untouched) && JSON.stringify(after) !== JSON.stringify(whole)) halves.push(after)
    }
    expect(halves.length).toBeGreaterThan(0)
  })
})

import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeAddress, makeUser } from '#src/accounts/makers.server.ts'
import { addToCart } from '#src/cart/commands.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { DatabaseClient } from '#src/kit/db/database-client.server.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { placeOrder } from './place-order.server.ts'

let market: TestMarket
let url: string
beforeAll(async () => {
  market = await openTestMarket()
  const { rows } = (await market.ctx.db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }
  url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${rows[0]!.name}` }).href
})
afterAll(() => market?.close())

/**
 * How often an act waits for the database: statements that are sent before an answer has come share one wait. Each is a pause with locks
 * held, and a write to the connection, which is the largest part of what a checkout costs (decision 0068).
 */
async function waitsOf(act: (db: Db) => Promise<unknown>): Promise<{ waits: number; statements: number }> {
  const client = new DatabaseClient({ connectionString: url })
  await client.connect()
  const plain = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const seen = { waits: 0, statements: 0 }
  let open = 0
  const query = async (...args: unknown[]) => {
    if (open === 0) seen.waits += 1
    seen.statements += 1
    open += 1
    try {
      return await plain(...args)
    } finally {
      open -= 1
    }
  }
  Object.assign(client, { query })
  await act(drizzle(client) as unknown as Db)
  await client.end()
  return seen
}

const cartOfTwo = async () => {
  const { ctx } = market
  const buyer = await makeUser(ctx, { typeId: 1 })
  const as = (db: Db): Ctx => ({ ...ctx, db, viewer: buyer })
  const added: { waits: number; statements: number }[] = []
  for (const listingId of [await makeListing(ctx, { stock: 2 }), await makeListing(ctx, { stock: 2 })])
    added.push(await waitsOf((db) => addToCart(as(db), { listingId, count: 1 })))
  return { as, added, addressId: await makeAddress(ctx, buyer.id) }
}

test('who puts an animal into the cart waits for the database three times, the ends of its transaction included', async () => {
  const { added } = await cartOfTwo()
  expect(added).toEqual([
    { waits: 3, statements: 4 },
    { waits: 3, statements: 4 },
  ])
})

test.each([
  ['waits six times', undefined, { waits: 6, statements: 18 }],
  ['with a key, under which the answer is kept, eight times', 'a key', { waits: 8, statements: 20 }],
])('who orders two animals %s', async (_, key, expected) => {
  const { as, addressId } = await cartOfTwo()
  expect(await waitsOf((db) => placeOrder(as(db), { addressId, code: '', ...(key !== undefined && { key }) }))).toEqual(expected)
})

import type { Duplex } from 'node:stream'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { beforeAll, expect, inject, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { addToCart } from '#src/cart/commands.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { DatabaseClient } from '#src/kit/db/database-client.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { placeOrder } from './place-order.server.ts'

let market: TestMarket
let url: string
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { rows } = (await market.ctx.db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }
  url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${rows[0]!.name}` }).href
})

/**
 * Counts round trips to the database: statements sent in one write share one wait. Each wait is a pause with locks held, and these writes
 * are the largest part of a checkout's cost (decision 0068).
 */
async function waitsOf(act: (db: Db) => Promise<unknown>): Promise<{ waits: number; statements: number }> {
  const client = new DatabaseClient({ connectionString: url })
  await client.connect()
  const seen = { waits: 0, statements: 0 }
  const plain = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  Object.assign(client, { query: (...args: unknown[]) => ((seen.statements += 1), plain(...args)) })
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  for (const method of ['_write', '_writev'] as const) {
    const write = stream[method]!.bind(stream) as (...args: unknown[]) => void
    stream[method] = (...args: unknown[]) => ((seen.waits += 1), write(...args))
  }
  await act(drizzle(client) as unknown as Db)
  const found = { ...seen }
  // Closing the connection is one more write.
  await client.end()
  return found
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

test('adding an animal to the cart takes three round trips, including BEGIN and COMMIT', async () => {
  const { added } = await cartOfTwo()
  expect(added).toEqual([
    { waits: 3, statements: 4 },
    { waits: 3, statements: 4 },
  ])
})

test.each([
  ['without a key takes five round trips', undefined, { waits: 5, statements: 18 }],
  ['with a key, which stores the answer, also takes five', 'a key', { waits: 5, statements: 21 }],
])('ordering two animals %s', async (_, key, expected) => {
  const { as, addressId } = await cartOfTwo()
  expect(await waitsOf((db) => placeOrder(as(db), { addressId, code: '', ...(key !== undefined && { key }) }))).toEqual(expected)
})

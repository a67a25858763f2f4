import { asc, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { invoices } from '#src/invoices/tables.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { countOf, rush } from '#tools/test-kit/crowd.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeOrder } from './makers.server.ts'
import { orders } from '../tables.ts'
import { takeStep } from './take-step.server.ts'

// safety.md INV-13: invoice numbers have no gaps, although many deliveries run at once and a third of them roll back at the end. Its race
// control, a database sequence, is in invoices.race.test.ts.

const DELIVERIES = often(60, 2000)

let market: TestMarket
let admin: Viewer
const ids: number[] = []
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { ctx } = market
  admin = await makeUser(ctx, { typeId: 9 })
  const seller = await makeUser(ctx, { typeId: 2 })
  const buyer = await makeUser(ctx, { typeId: 1 })
  const addressId = await makeAddress(ctx, buyer.id)
  const listingId = await makeListing(ctx, { sellerId: seller.id, stock: DELIVERIES })
  for (let n = 0; n < DELIVERIES; n++) ids.push((await makeOrder(ctx, { status: 4, buyer, seller, admin, addressId, listingId })).id)
  for (const id of ids) await takeStep(market.as(admin), id, { to: 5 })
})

test(`${DELIVERIES} concurrent deliveries, every third rolled back at its end: both series number their papers 1 to n`, async () => {
  const ends = await rush(ids, 20, (id, n) =>
    inTransaction(market.as(admin), async (ctx) => {
      await takeStep(ctx, id, { to: 6, payment: { method: 'cash', amount: 1n } })
      if (n % 3 === 0) throw new Error('undone')
    }),
  )
  const undone = Math.ceil(DELIVERIES / 3)
  expect(countOf(ends)).toEqual({ taken: DELIVERIES - undone, 'Error: undone': undone })
  const rows = await market.ctx.db.select().from(invoices).orderBy(asc(invoices.serial))
  for (const kind of ['receipt', 'commission'])
    expect(rows.filter((row) => row.kind === kind).map(({ serial }) => serial)).toEqual(
      Array.from({ length: DELIVERIES - undone }, (_, n) => n + 1),
    )
  // Each delivered order has its two papers, and no other order has any.
  const delivered = await market.ctx.db.select({ id: orders.id }).from(orders).where(eq(orders.status, 6))
  expect(new Set(rows.map(({ orderId }) => orderId))).toEqual(new Set(delivered.map(({ id }) => id)))
  const { rows: left } = (await market.ctx.db.execute(
    sql`select count(*)::int as n from order_steps s join orders o on o.id = s.order_id where s.to_status = 6 and o.status <> 6`,
  )) as unknown as { rows: { n: number }[] }
  expect(left[0]!.n).toBe(0)
})

import { desc, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { invoices, settlements } from '#src/invoices/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { Problem } from '#src/kit/problem.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeOrder } from '#src/orders/makers.server.ts'
import { shareMarket, type TestMarket } from '#src/testing/test-market.ts'
import { refusalOf } from '#src/testing/test-people.ts'
import { settleSales } from './settle.server.ts'

const ADMINS = 8

let market: TestMarket
let admins: Viewer[]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = await Promise.all(Array.from({ length: ADMINS }, () => makeUser(market.ctx, { typeId: 9 })))
})

interface Sales {
  seller: Viewer
  orderIds: number[]
}
type Settle = (ctx: Ctx, sales: Sales, reference: string) => Promise<void>

const amount = rupees(80_750)

const settle: Settle = (ctx, { seller, orderIds }, reference) =>
  settleSales(ctx, seller.id, {
    sales: orderIds.map((orderId) => ({ orderId, amount, seen: 0 })),
    method: 'bank',
    reference,
    paidOn: indianDay(ctx.now),
    note: '',
    password: undefined,
  })

/** Race control: check whether the sale is settled, then write without a lock. Concurrent callers all pass the check and all write. */
const naive: Settle = async (ctx, { orderIds }, reference) => {
  for (const orderId of orderIds) {
    const invoiceId = await invoiceOf(orderId)
    const [last] = await ctx.db
      .select()
      .from(settlements)
      .where(eq(settlements.invoiceId, invoiceId))
      .orderBy(desc(settlements.id))
      .limit(1)
    if (last) throw new Problem('VERSION')
    // A busy machine pauses here anyway.
    await ctx.db.execute(sql`select pg_sleep(0.02)`)
    const entry = { amount, method: 'bank', reference, paidOn: indianDay(ctx.now), kind: 'paid', note: '' } as const
    await ctx.db.insert(settlements).values({ ...entry, invoiceId, byId: ctx.viewer!.id, at: ctx.now })
  }
}

async function invoiceOf(orderId: number): Promise<number> {
  const rows = await market.ctx.db.select().from(invoices).where(eq(invoices.orderId, orderId))
  return rows.find(({ kind }) => kind === 'commission')!.id
}

/** Every admin pays the same three sales of one seller at once, each with another transfer and half of them in reverse order. */
async function payAtOnce(how: Settle) {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const orderIds: number[] = []
  for (let n = 0; n < 3; n++) orderIds.push((await makeOrder(market.ctx, { status: 6, seller, admin: admins[0]! })).id)
  const ends = await Promise.all(
    admins.map((admin, n) => {
      const mine = n % 2 === 0 ? orderIds : orderIds.toReversed()
      return refusalOf(how(market.as(admin), { seller, orderIds: mine }, `UTR ${n}`))
    }),
  )
  const entries = await Promise.all(
    orderIds.map(async (orderId) => market.ctx.db.$count(settlements, eq(settlements.invoiceId, await invoiceOf(orderId)))),
  )
  return { paid: ends.filter((end) => end === 'taken').length, entries }
}

test('of concurrent payments for the same sales, one is recorded, and no sale has two entries', async () => {
  for (let round = 0; round < 5; round++) expect(await payAtOnce(settle)).toEqual({ paid: 1, entries: [1, 1, 1] })
})

test('control: checking and then writing without a lock pays a sale more than once', async () => {
  const { entries } = await payAtOnce(naive)
  expect(Math.max(...entries)).toBeGreaterThan(1)
})

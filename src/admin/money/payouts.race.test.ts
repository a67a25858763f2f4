import { count, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { settleInvoice } from '#src/invoices/commands.server.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import { settlements } from '#src/invoices/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { closeOrder } from '#src/orders/steps/closing.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { listSales } from '#src/selling/earnings/earnings.server.ts'
import { sealPayee } from '#src/selling/earnings/payees.server.ts'
import { payees, payoutLines, payouts } from '#src/selling/tables.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { signal } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { makePayout } from './make-payout.server.ts'
import { readPayout, recordPayout } from './payouts.server.ts'

let market: TestMarket
let admins: [Viewer, Viewer]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = [await makeUser(market.ctx, { typeId: 9 }), await makeUser(market.ctx, { typeId: 9 })]
})

interface Sale {
  seller: Viewer
  orderId: number
  invoiceId: number
}

async function makeSale(): Promise<Sale> {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const sealed = sealPayee(market.ctx, { method: 'upi', holder: 'Kannan', upi: 'kannan@okbank' })
  await market.ctx.db.insert(payees).values({ userId: seller.id, sealed, changedAt: market.ctx.now })
  const { id: orderId } = await makeOrder(market.ctx, { status: 5, seller, admin: admins[0] })
  await closeOrder(market.as(admins[0]), orderId, { payment: { method: 'cash', amount: rupees(80_000) }, note: 'As the bearer says.' })
  const { id: invoiceId } = await getInvoice(market.as(admins[0]), orderId, 'commission')
  return { seller, orderId, invoiceId }
}

type Act = (ctx: Ctx, sale: Sale) => Promise<unknown>

const pay: Act = (ctx, { seller }) => makePayout(ctx, [seller])
const payByHand: Act = (ctx, { invoiceId }) =>
  settleInvoice(ctx, invoiceId, { amount: rupees(80_750), method: 'bank', reference: 'UTR 9', paidOn: indianDay(ctx.now), seen: 0 })

/** Race control: read what is due, then write without a lock. */
const naivePay: Act = async (ctx, { seller, orderId, invoiceId }) => {
  const { sales } = await listSales(ctx, { sellerId: seller.id, month: null })
  if (sales.every(({ balance }) => balance === 0n)) return
  const [payout] = await ctx.db.insert(payouts).values({ byId: ctx.viewer!.id, at: ctx.now }).returning()
  const line = {
    amount: sales[0]!.balance,
    account: 'kaxxx@okbank',
    sales: [{ orderId, invoiceId, amount: String(sales[0]!.balance), seen: 0 }],
  }
  await ctx.db.insert(payoutLines).values({ ...line, payoutId: payout!.id, sellerId: seller.id })
}

/** One admin's act waits for its commit while another admin acts. Returns how often the sale is being paid afterwards. */
async function atOnce(first: Act, second: Act): Promise<number> {
  const sale = await makeSale()
  const { given: mayEnd, give: end } = signal()
  const { given: isDone, give: noteDone } = signal()
  const ending = inTransaction(market.as(admins[0]), async (ctx) => {
    await first(ctx, sale)
    noteDone()
    await mayEnd
  })
  await isDone
  const other = refusalOf(second(market.as(admins[1]), sale))
  await untilLockWait(market.ctx.db, other)
  end()
  await Promise.all([ending, other])
  const [lines] = await market.ctx.db.select({ n: count() }).from(payoutLines).where(eq(payoutLines.sellerId, sale.seller.id))
  return lines!.n + (await market.ctx.db.$count(settlements, eq(settlements.invoiceId, sale.invoiceId)))
}

test('of a payout and a payment by hand at once, or of two payouts, one pays a sale', async () => {
  expect(await atOnce(pay, payByHand)).toBe(1)
  expect(await atOnce(payByHand, pay)).toBe(1)
  expect(await atOnce(pay, pay)).toBe(1)
})

test('control: reading and then writing without a lock pays it twice', async () => {
  expect(await atOnce(payByHand, naivePay)).toBe(2)
})

test('two admins who record one payout at once record each payment once', async () => {
  const sale = await makeSale()
  const { id } = await makePayout(market.as(admins[0]), [sale.seller])
  const [line] = (await readPayout(market.as(admins[0]), id)).lines
  const ends = await Promise.all(
    admins.map((admin, n) =>
      recordPayout(market.as(admin), id, { paidOn: indianDay(market.ctx.now), lines: [{ id: line!.id, reference: `UTR ${n}` }] }),
    ),
  )
  expect(ends.map(({ recorded }) => recorded).toSorted()).toEqual([0, 1])
  expect(ends.flatMap(({ refused }) => refused)).toHaveLength(1)
  expect(await market.ctx.db.$count(settlements, eq(settlements.invoiceId, sale.invoiceId))).toBe(1)
  expect(await market.ctx.db.$count(payoutLines, sql`seller_id = ${sale.seller.id} and state = 'paid'`)).toBe(1)
})

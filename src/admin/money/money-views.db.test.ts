import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeUser } from '#src/accounts/makers.server.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import { moneyIn } from '#src/invoices/rules.ts'
import { saleMoney } from '#src/invoices/sale-money.ts'
import { invoices } from '#src/invoices/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { setSetting } from '#src/kit/records/settings.server.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { closeOrder, recordPayment } from '#src/orders/steps/closing.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { orders } from '#src/orders/tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { earningsFile } from '#src/selling/earnings/earnings-file.server.ts'
import { listMonths, listSales } from '#src/selling/earnings/earnings.server.ts'
import { totalOf } from '#src/selling/earnings/earnings-view.server.ts'
import type { SaleSums } from '#src/selling/earnings/sales.server.ts'
import { oftenOn } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { readCashDay } from './cash.server.ts'
import { monthFile } from './month-view.server.ts'
import { readMonthSheet } from './month.server.ts'
import { listSellerSales, readOwed } from './owed.server.ts'
import { absolute, settleSales, settlesIt, takeSaleBack } from './settle.server.ts'

// Property test: after any history of orders, discounts, payments and settlements, all money views agree to the paisa.

const PASSWORD = 'a quiet evening'
let market: TestMarket
let admin: Viewer
let desk: Ctx
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, passwordHash: await hashPassword(market.ctx.vault, PASSWORD) })
  desk = market.as(admin)
})

const entries = ['pay', 'pay a part', 'correct', 'take back'] as const
const aSale = fc.record({
  /** In 1/10,000 rupee, including prices that cannot be paid in coins. */
  price: fc.bigInt(1_000_000n, 3_000_000_000n),
  count: fc.integer({ min: 1, max: 3 }),
  percent: fc.integer({ min: 0, max: 50 }),
  seller: fc.integer({ min: 0, max: 1 }),
  isSecondOrder: fc.boolean(),
  bearer: fc.constantFrom('nobody', 'listed', 'seller' as const),
  daysAgo: fc.constantFrom(0, 5, 20, 40, 70),
  end: fc.constantFrom('cash', 'cash', 'upi', 'less', 'unrecorded', 'recorded later', 'cancelled', 'refused', 'under way' as const),
  entries: fc.array(fc.constantFrom(...entries), { maxLength: 4 }),
})
type ASale = typeof aSale extends fc.Arbitrary<infer T> ? T : never
const history = fc.array(aSale, { minLength: 1, maxLength: 5 })

const delivered: string[] = ['cash', 'upi', 'less', 'unrecorded', 'recorded later']

/**
 * Runs the sale through the market's commands. Returns the figures every view must show, computed independently of the views; null when the
 * order is no sale.
 */
async function runSale(script: ASale, sellers: Viewer[], buyers: Viewer[]): Promise<Expected | null> {
  const then = market.as(null, { now: daysBefore(market.ctx.now, script.daysAgo) })
  await setSetting({ ...then, viewer: admin }, 'profitMarginPercent', script.percent)
  const seller = sellers[script.seller]!
  // A buyer's second order gets no discount.
  const buyer = script.isSecondOrder ? buyers[0]! : await makeUser(market.ctx, { typeId: 1 })
  const { id } = await makeOrder(then, {
    status: 5,
    seller,
    admin,
    buyer,
    count: script.count,
    listing: { originalPrice: script.price, offerPrice: null },
  })
  const bearerId = script.bearer === 'seller' ? seller.id : null
  const listedBearerId = script.bearer === 'listed' ? (await makeBearer(market.ctx)).id : null
  await market.ctx.db.update(orders).set({ bearerId, listedBearerId }).where(eq(orders.id, id))
  await end({ ...then, viewer: admin }, id, script.end)
  if (!delivered.includes(script.end)) return null
  const [order] = await market.ctx.db.select().from(orders).where(eq(orders.id, id))
  const { due } = saleMoney(order!)
  const held = script.bearer === 'seller' && order!.paymentMethod === 'cash' ? order!.amountPaid! : 0n
  let settled: Money = 0n
  for (const entry of script.entries) settled = await settle(seller.id, id, entry, settled)
  return { sellerId: seller.id, month: order!.deliveredOn!.slice(0, 7), total: script.price * BigInt(script.count), due, held, settled }
}
interface Expected {
  sellerId: number
  month: string
  total: Money
  due: Money
  held: Money
  settled: Money
}

async function end(ctx: Ctx, id: number, how: ASale['end']): Promise<void> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
  const { payable } = saleMoney(order!)
  const note = 'As the bearer says.'
  // A payment at the door is in whole rupees.
  const paid = payable - (payable % 10_000n)
  const amount = how === 'less' ? paid / 2n : paid
  const payment = { method: how === 'upi' ? ('upi' as const) : ('cash' as const), amount }
  if (how === 'cancelled') return takeStep(ctx, id, { to: 100 })
  if (how === 'refused') return takeStep(ctx, id, { to: 101, reason: 'Lame' })
  if (how === 'under way') return
  if (how !== 'unrecorded' && how !== 'recorded later') return closeOrder(ctx, id, { payment, note })
  await takeStep(ctx, id, { to: 6, note })
  if (how === 'recorded later') await recordPayment(ctx, id, { payment, note })
}

/** Returns the settled amount after this entry. */
async function settle(sellerId: number, orderId: number, entry: (typeof entries)[number], before: Money): Promise<Money> {
  const sale = (await listSales(desk, { sellerId, month: null, top: 1000 })).sales.find((each) => each.orderId === orderId)!
  const last = sale.entry
  if (entry === 'take back') {
    if (!last || last.kind === 'back') return before
    await takeSaleBack(desk, sellerId, orderId, { seen: last.id, note: 'By mistake', password: PASSWORD })
    return 0n
  }
  const full = settlesIt(sale)
  const most = absolute(full) > sale.total ? sale.total : absolute(full)
  const amount = entry === 'pay' ? most : entry === 'pay a part' ? most / 3n : most / 7n
  const payment = { method: 'bank' as const, reference: `UTR ${entry}`, paidOn: indianDay(desk.now), note: 'Agreed', password: PASSWORD }
  await settleSales(desk, sellerId, { ...payment, sales: [{ orderId, amount, seen: last?.id ?? 0 }] })
  return full < 0n ? -amount : amount
}

const add = <T>(of: T[], value: (each: T) => Money) => of.reduce((sum, each) => sum + value(each), 0n)
const lastCell = (line: string) => BigInt(Math.round(Number(line.split(',').at(-1)) * 10_000))

/** The figures of each view for the sellers of this history. */
async function viewsOf(sellers: Viewer[]) {
  const months = (await Promise.all(sellers.map(({ id }) => listMonths(desk, id)))).flat()
  const sheets = await Promise.all([...new Set(months.map(({ month }) => month))].map((month) => readMonthSheet(desk, month)))
  const lines = sheets.flatMap((sheet) => sheet.lines).filter(({ sellerId }) => sellers.some(({ id }) => id === sellerId))
  const sales = (await Promise.all(sellers.map(({ id }) => listSales(desk, { sellerId: id, month: null, top: 1000 })))).flatMap(
    (page) => page.sales,
  )
  const open = (await Promise.all(sellers.map(({ id }) => listSellerSales(desk, id, 'open')))).flat()
  const days = [...new Set(sales.map(({ deliveredOn }) => deliveredOn))]
  const ids = new Set(sales.map(({ orderId }) => orderId))
  const cash = (await Promise.all(days.map((day) => readCashDay(desk, day)))).flat().flatMap((taker) => taker.orders)
  const papers = (await market.ctx.db.select().from(invoices)).filter(({ orderId }) => ids.has(orderId))
  const files = (await Promise.all(sellers.map(({ id }) => earningsFile(desk, { sellerId: id, month: null })))).flatMap((file) =>
    file.split('\r\n').slice(1, -1),
  )
  return {
    months,
    lines,
    sheets,
    sales,
    open,
    cash: cash.filter(({ orderId, isDelivered }) => isDelivered && ids.has(orderId)),
    papers,
    files,
  }
}

const sumsOf = (of: Pick<SaleSums, 'total' | 'commission' | 'due' | 'held' | 'settled' | 'balance'>[]) => ({
  total: add(of, (each) => each.total),
  commission: add(of, (each) => each.commission),
  due: add(of, (each) => each.due),
  held: add(of, (each) => each.held),
  settled: add(of, (each) => each.settled),
  balance: add(of, (each) => each.balance),
})

async function checkHistory(scripts: ASale[], { settledOf = settledByViews } = {}): Promise<void> {
  const sellers = [await makeUser(market.ctx, { typeId: 2 }), await makeUser(market.ctx, { typeId: 2 })]
  const buyers = [await makeUser(market.ctx, { typeId: 1 })]
  const expected: Expected[] = []
  for (const script of scripts) {
    const sale = await runSale(script, sellers, buyers)
    if (sale) expected.push(sale)
  }
  const { months, lines, sales, open, cash, papers, files } = await viewsOf(sellers)
  const model = sumsOf(
    expected.map((each) => ({ ...each, commission: each.total - each.due, balance: each.due - each.held - each.settled })),
  )
  expect(sumsOf(sales)).toEqual(model)
  expect(sumsOf([totalOf(months)])).toEqual(model)
  expect(sumsOf(lines)).toEqual(model)
  expect(add(open, (each) => each.balance)).toBe(model.balance)
  expect(add(files, lastCell)).toBe(model.balance)
  expect(await settledOf(sellers)).toBe(model.settled)
  const paperSum = (kind: 'commission' | 'receipt') =>
    add(
      papers.filter((each) => each.kind === kind),
      ({ snapshot }) => moneyIn(snapshot.payable),
    )
  expect(paperSum('commission')).toBe(model.commission)
  expect(paperSum('receipt')).toBe(add(lines, (each) => each.payable))
  // Cash, UPI, unrecorded and missing amounts add up to what buyers had to pay.
  expect(add(cash, (each) => each.payable)).toBe(add(lines, (each) => each.payable))
  expect(add(cash, (each) => each.amount)).toBe(add(lines, (each) => each.cash + each.upi))
  for (const line of lines) {
    expect(line.total - line.first - line.referral).toBe(line.payable)
    expect(line.cash + line.upi + line.unrecorded + line.short).toBe(line.payable)
  }
}

async function settledByViews(sellers: Viewer[]): Promise<Money> {
  const months = await Promise.all(sellers.map(({ id }) => listMonths(desk, id)))
  return totalOf(months.flat()).settled
}

const naiveRow = z.object({ sum: z.string() })

/** Planted fault: a view that adds up all entries, although only the last one counts. */
async function settledNaively(sellers: Viewer[]): Promise<Money> {
  const [row] = await rowsOf(
    desk,
    sql`select coalesce(sum(s.amount), 0)::text as sum from settlements s join invoices i on i.id = s.invoice_id
      where i.owner_id in (${sellers[0]!.id}::bigint, ${sellers[1]!.id}::bigint)`,
    naiveRow,
  )
  return BigInt(row!.sum)
}

const RUNS = oftenOn(6, 40)

test('all money views agree to the paisa after any mix of orders, payments, refusals, settlements, corrections and reversals', async () => {
  await fc.assert(
    fc.asyncProperty(history, (scripts) => checkHistory(scripts)),
    { numRuns: RUNS, endOnFailure: true },
  )
  // The views also agree over all histories together.
  const months = (
    await market.ctx.db.selectDistinct({ month: sql<string>`to_char(${orders.deliveredOn}, 'YYYY-MM')` }).from(orders)
  ).flatMap(({ month }) => (month ? [month] : []))
  const sheets = await Promise.all(months.map((month) => readMonthSheet(desk, month)))
  const { totals } = await readOwed(desk)
  expect(totals.balance).toBe(add(sheets, ({ sums }) => sums.balance))
  expect(totals.toPay - totals.toGet).toBe(totals.balance)
  const files = await Promise.all(months.map((month) => monthFile(desk, month)))
  expect(add(files, (file) => lastCell(file.trimEnd().split('\r\n').at(-1)!))).toBe(totals.balance)
})

test('control: the comparison detects a view that adds up entries of which only the last one counts', async () => {
  const corrected: ASale = {
    price: 850_000_000n,
    count: 1,
    percent: 5,
    seller: 0,
    isSecondOrder: false,
    bearer: 'nobody',
    daysAgo: 5,
    end: 'cash',
    entries: ['pay a part', 'pay'],
  }
  await expect(checkHistory([corrected], { settledOf: settledNaively })).rejects.toThrow()
  await checkHistory([corrected])
  const { id } = (await market.ctx.db.select().from(orders).orderBy(orders.id)).at(-1)!
  expect((await getInvoice(desk, id, 'commission')).settlement?.reference).toBe('UTR pay')
})

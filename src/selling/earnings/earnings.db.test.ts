import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeUser } from '#src/accounts/makers.server.ts'
import { settleInvoice } from '#src/invoices/commands.server.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import { saleMoney } from '#src/invoices/sale-money.ts'
import type { Viewer } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { closeOrder } from '#src/orders/steps/closing.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { listOrderedLines } from '#src/orders/list/ordered-lines.server.ts'
import { orders } from '#src/orders/tables.ts'
import { m } from '#src/paraglide/messages.js'
import { pdfText } from '#tools/test-kit/pdf-text.ts'
import { oftenOn } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { earningsFile, statementPdf } from './earnings-file.server.ts'
import { shownSale } from './earnings-view.server.ts'
import { listMonths, listSales, readUnderWay } from './earnings.server.ts'
import { sales } from './sales.server.ts'

let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9 })
})

const sellerNamed = (name = 'Murugesan') => makeUser(market.ctx, { typeId: 2, name })
const today = () => indianDay(market.ctx.now)
const thisMonth = () => today().slice(0, 7)

async function settle(orderId: number, amount: bigint, reference = 'UTR 4711', seen = 0): Promise<void> {
  const { id } = await getInvoice(market.as(admin), orderId, 'commission')
  await settleInvoice(market.as(admin), id, { amount, method: 'bank', reference, paidOn: today(), seen })
}

describe('the amounts of a sale', () => {
  const row = z.object({ total: z.string(), payable: z.string(), commission: z.string(), due: z.string() })

  test('are the same in the database as on the documents, for any price', async () => {
    const { id } = await makeOrder(market.ctx, { status: 1 })
    const terms = fc
      .record({
        unitPrice: fc.bigInt(1n, 999_999_999_999n),
        count: fc.integer({ min: 1, max: 10_000 }),
        commissionPercent: fc.integer({ min: 0, max: 50 }),
        part: fc.integer({ min: 0, max: 100 }),
      })
      .map(({ part, ...each }) => ({ ...each, discount: (each.unitPrice * BigInt(each.count) * BigInt(part)) / 100n }))
    await fc.assert(
      fc.asyncProperty(terms, async (sale) => {
        await market.ctx.db
          .update(orders)
          .set({ ...sale, discountType: sale.discount === 0n ? null : 1 })
          .where(eq(orders.id, id))
        const [found] = await rowsOf(
          market.ctx,
          sql`select total::text, payable::text, commission::text, due::text from ${sales(sql`o.id = ${id}::bigint`)} s`,
          row,
        )
        const { total, payable, commission, due } = saleMoney(sale)
        expect(found).toEqual({ total: `${total}`, payable: `${payable}`, commission: `${commission}`, due: `${due}` })
      }),
      { numRuns: oftenOn(50, 300) },
    )
  })
})

describe('the earnings of a seller', () => {
  test('list for each sale the amount due, who took the cash, and what was paid', async () => {
    const seller = await sellerNamed()
    const paid = await makeOrder(market.ctx, { status: 6, seller, admin })
    const open = await makeOrder(market.ctx, { status: 6, seller, admin, count: 2 })
    await makeOrder(market.ctx, { status: 101, seller, admin })
    const placed = await makeOrder(market.ctx, { seller })
    await settle(paid.id, rupees(80_750))
    const { sales, nextAfterId } = await listSales(market.as(seller), { sellerId: seller.id, month: thisMonth() })
    expect(nextAfterId).toBeNull()
    expect(
      sales.map(({ orderId, total, commission, due, settled, balance }) => ({ orderId, total, commission, due, settled, balance })),
    ).toEqual([
      { orderId: open.id, total: rupees(170_000), commission: rupees(8500), due: rupees(161_500), settled: 0n, balance: rupees(161_500) },
      { orderId: paid.id, total: rupees(85_000), commission: rupees(4250), due: rupees(80_750), settled: rupees(80_750), balance: 0n },
    ])
    // A buyer's first order is 2 % cheaper, at most ₹500; Sandhai bears it.
    expect(sales[1]).toMatchObject({
      discount: rupees(500),
      collected: { method: 'cash', amount: rupees(84_500) },
      entry: { amount: rupees(80_750), method: 'bank', reference: 'UTR 4711', paidOn: today() },
    })
    expect(await listMonths(market.as(seller), seller.id)).toEqual([
      {
        month: thisMonth(),
        sales: 2,
        total: rupees(255_000),
        discount: rupees(1000),
        commission: rupees(12_750),
        due: rupees(242_250),
        held: 0n,
        settled: rupees(80_750),
        balance: rupees(161_500),
      },
    ])
    expect(await readUnderWay(market.as(seller), seller.id)).toEqual({ orders: 1, due: rupees(80_750) })
    // The seller sees the amount due as soon as the order is placed.
    const { lines } = await listOrderedLines(market.as(seller), seller.id)
    expect(lines.find(({ id }) => id === placed.id)?.due).toBe(rupees(80_750))
  })

  test('show what a seller who delivered the animal and took the cash owes for the commission', async () => {
    const seller = await sellerNamed()
    const { id } = await makeOrder(market.ctx, { status: 5, seller, admin })
    await market.ctx.db.update(orders).set({ bearerId: seller.id }).where(eq(orders.id, id))
    const payment = { method: 'cash' as const, amount: rupees(84_500) }
    await closeOrder(market.as(admin), id, { payment, note: 'The seller brought it.' })
    const [sale] = (await listSales(market.as(seller), { sellerId: seller.id, month: null })).sales
    // ₹4,250 commission less the ₹500 discount that Sandhai bears.
    expect(sale).toMatchObject({ due: rupees(80_750), held: rupees(84_500), balance: rupees(-3750) })
  })

  test('come in pages, for their seller and admins only', async () => {
    const seller = await sellerNamed()
    const made = [await makeOrder(market.ctx, { status: 6, seller, admin }), await makeOrder(market.ctx, { status: 6, seller, admin })]
    const page = (afterId: number | null) => listSales(market.as(seller), { sellerId: seller.id, month: null, afterId, top: 1 })
    const first = await page(null)
    expect([first.sales[0]!.orderId, (await page(first.nextAfterId)).sales[0]!.orderId]).toEqual([made[1]!.id, made[0]!.id])
    expect((await listMonths(market.as(admin), seller.id))[0]!.sales).toBe(2)
    const stranger = market.as(await sellerNamed())
    for (const ask of [
      () => listSales(stranger, { sellerId: seller.id, month: null }),
      () => listMonths(stranger, seller.id),
      () => readUnderWay(stranger, seller.id),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await listSales(market.as(seller), { sellerId: seller.id, month: '2020-01' })).sales).toEqual([])
  })

  test.each(['ta', 'en'] as const)('as CSV and PDF in %s have the same figures', async (locale) => {
    const seller = await sellerNamed('முருகேசன்')
    await makeOrder(market.ctx, { status: 6, seller, admin })
    const ctx = { ...market.as(seller), locale }
    const [head, line, end] = (await earningsFile(ctx, { sellerId: seller.id, month: thisMonth() })).split('\r\n')
    expect(end).toBe('')
    const cells = (text: string | undefined) => text!.split(',').length
    expect(cells(head)).toBe(cells(line))
    expect(line).toMatch(/,85000,85000,500,4250,80750,.*,84500,.*,0,0,,,,80750$/)
    const [month] = await listMonths(ctx, seller.id)
    const text = pdfText(await statementPdf(ctx, month!, seller as Viewer & { name: string })).replace(/\s/g, '')
    for (const words of ['முருகேசன்', '₹85,000', '-₹4,250', '₹80,750']) expect(text).toContain(words)
  })

  test.each([
    ['en', 'Listed by Anbu for Raman'],
    ['ta', 'பதிவிட்டவர் Anbu, உரிமையாளர் Raman'],
  ] as const)('name the agent and the owner of an assisted sale on the page, in the CSV and in the PDF, in %s', async (locale, words) => {
    const agent = await makeUser(market.ctx, { typeId: 4, name: 'Anbu' })
    await makeOrder(market.ctx, { status: 6, seller: agent, admin })
    await makeOrder(market.ctx, { status: 6, seller: agent, admin, listing: { ownerName: 'Raman', ownerAgreed: true } })
    const ctx = { ...market.as(agent), locale }
    const [assisted, own] = (await listSales(ctx, { sellerId: agent.id, month: null })).sales
    expect([shownSale(ctx, assisted!).listed, shownSale(ctx, own!).listed]).toEqual([words, null])
    const [head, ...lines] = (await earningsFile(ctx, { sellerId: agent.id, month: null })).split('\r\n').filter(Boolean)
    const column = head!.split(',').indexOf(m.invoice_seller({}, { locale }))
    expect(lines[0]).toContain(words)
    expect(lines[1]!.split(',')[column]).toBe('Anbu')
    const [month] = await listMonths(ctx, agent.id)
    const text = pdfText(await statementPdf(ctx, month!, agent)).replace(/\s/g, '')
    expect(text.split(words.replace(/\s/g, ''))).toHaveLength(2)
  })
})

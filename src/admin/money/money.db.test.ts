import { desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import { paperOf } from '#src/invoices/paper.ts'
import { invoices, settlements } from '#src/invoices/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { formatRupees, rupees } from '#src/kit/time-money/money.ts'
import { closeOrder } from '#src/orders/steps/closing.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { listMonths } from '#src/selling/earnings/earnings.server.ts'
import { orders } from '#src/orders/tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { pdfText } from '#tools/test-kit/pdf-text.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { countWork } from '../desk-work.server.ts'
import { noteHandin, readCashDay } from './cash.server.ts'
import { monthFile, monthPdf } from './month-view.server.ts'
import { readMonthSheet } from './month.server.ts'
import { listSellerSales, readOwed, SALES_PER_PAGE, type OwedSort, type OwedView } from './owed.server.ts'
import { settleSales, takeSaleBack, type SellerPayment } from './settle.server.ts'

const PASSWORD = 'a quiet evening'
let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, passwordHash: await hashPassword(market.ctx.vault, PASSWORD) })
})

const desk = () => market.as(admin)
const today = () => indianDay(market.ctx.now)
const sellerNamed = (name = 'Murugesan') => makeUser(market.ctx, { typeId: 2, name })
const sale = (seller: Viewer, daysAgo = 0) =>
  makeOrder(market.as(null, { now: daysBefore(market.ctx.now, daysAgo) }), { status: 6, seller, admin }).then(({ id }) => id)
const usual = (orderId: number, seen = 0) => ({ orderId, amount: rupees(80_750), seen })
const payment = (sales: SellerPayment['sales'], changes: Partial<SellerPayment> = {}): SellerPayment => ({
  sales,
  method: 'bank',
  reference: 'UTR 4711',
  paidOn: today(),
  note: '',
  password: undefined,
  ...changes,
})
const list = async (view: OwedView = 'open', by: OwedSort = 'oldest') =>
  (await readOwed(desk(), { view, sort: { by, isDown: true }, page: 1 })).sellers

describe('open balances with sellers', () => {
  test('balances are summed by seller and by the age of the deliveries', async () => {
    const [new_, old] = [await sellerNamed('Anbu'), await sellerNamed('Kannan')]
    await sale(new_)
    for (const days of [3, 8, 31]) await sale(old, days)
    const rows = (await list()).filter(({ sellerId }) => sellerId === new_.id || sellerId === old.id)
    const one = rupees(80_750)
    expect(rows).toEqual([
      {
        sellerId: old.id,
        name: 'Kannan',
        sales: 3,
        commission: rupees(12_750),
        week: one,
        month: one,
        older: one,
        balance: one * 3n,
        payable: one * 3n,
        oldest: 31,
      },
      {
        sellerId: new_.id,
        name: 'Anbu',
        sales: 1,
        commission: rupees(4250),
        week: one,
        month: 0n,
        older: 0n,
        balance: one,
        payable: one,
        oldest: 0,
      },
    ])
    const ids = async (view: OwedView) => (await list(view)).map(({ sellerId }) => sellerId)
    expect([(await ids('late')).includes(old.id), (await ids('late')).includes(new_.id)]).toEqual([true, false])
    expect((await listSellerSales(desk(), old.id, 'open')).map(({ deliveredOn }) => deliveredOn)).toEqual(
      [31, 8, 3].map((days) => indianDay(daysBefore(market.ctx.now, days))),
    )
    const { totals } = await readOwed(desk())
    expect(totals.balance).toBe((await list()).reduce((sum, { balance }) => sum + balance, 0n))
    expect(totals.week + totals.month + totals.older).toBe(totals.balance)
    expect(totals.sellers.open).toBe((await list()).length)
  })

  test('the pages of a seller’s sales have each sale once, and the one that was asked for comes first', async () => {
    const seller = await sellerNamed()
    await Promise.all(Array.from({ length: SALES_PER_PAGE + 1 }, () => sale(seller)))
    const pages = [1, 2].map((page) => listSellerSales(desk(), seller.id, 'open', { page }))
    const ids = (await Promise.all(pages)).map((page) => page.map(({ orderId }) => orderId))
    expect(ids.map(({ length }) => length)).toEqual([SALES_PER_PAGE, 1])
    expect(new Set(ids.flat()).size).toBe(SALES_PER_PAGE + 1)
    const first = ids[1]![0]!
    expect((await listSellerSales(desk(), seller.id, 'open', { first }))[0]!.orderId).toBe(first)
    await settleSales(desk(), seller.id, payment([usual(first)]))
    const [open] = await listSellerSales(desk(), seller.id, 'open')
    const [recorded] = await listSellerSales(desk(), seller.id, 'recorded')
    expect([open!.found, recorded!.found]).toEqual([SALES_PER_PAGE, 1])
  })

  test('only admins read balances', async () => {
    const seller = market.as(await sellerNamed())
    for (const ask of [() => readOwed(seller), () => listSellerSales(seller, 1, 'open'), () => settleSales(seller, 1, payment([usual(1)]))])
      expect(await refusalOf(ask())).toBe('ROLE_FORBIDDEN')
  })
})

describe('a payment to a seller', () => {
  test('one payment settles several sales, notifies the seller of each, and is recorded once when it is sent twice', async () => {
    const seller = await sellerNamed()
    const [a, b] = [await sale(seller), await sale(seller)]
    const before = (await countWork(desk())).money!
    for (const _ of [1, 2]) await settleSales(desk(), seller.id, payment([usual(a), usual(b)]))
    expect(await listSellerSales(desk(), seller.id, 'open')).toEqual([])
    expect((await countWork(desk())).money ?? 0).toBe(before - 1)
    const messages = await market.ctx.db.select().from(outbox).where(eq(outbox.userId, seller.id))
    expect(messages.filter(({ template }) => template === 'settlement')).toHaveLength(2)
    const rows = await market.ctx.db.select().from(settlements).innerJoin(invoices, eq(invoices.id, settlements.invoiceId))
    expect(rows.filter(({ invoices: { ownerId } }) => ownerId === seller.id)).toHaveLength(2)
  })

  test('a payment is recorded for all of its sales or for none', async () => {
    const seller = await sellerNamed()
    const [a, b] = [await sale(seller), await sale(seller)]
    expect(await refusalOf(settleSales(desk(), seller.id, payment([usual(a), usual(b, 999)])))).toBe('VERSION')
    const stranger = await sale(await sellerNamed())
    expect(await refusalOf(settleSales(desk(), seller.id, payment([usual(a), usual(stranger)])))).toBe('NOT_FOUND')
    expect(await refusalOf(settleSales(desk(), seller.id, payment([])))).toBe('VALIDATION')
    expect(await listSellerSales(desk(), seller.id, 'open')).toHaveLength(2)
  })

  test('an amount other than the balance needs a note and the password, and leaves the rest open', async () => {
    const seller = await sellerNamed()
    const id = await sale(seller)
    const less = { orderId: id, amount: rupees(50_000), seen: 0 }
    expect(await refusalOf(settleSales(desk(), seller.id, payment([less], { password: PASSWORD })))).toBe('VALIDATION')
    expect(await refusalOf(settleSales(desk(), seller.id, payment([less], { note: 'A part' })))).toBe('VALIDATION')
    expect(await refusalOf(settleSales(desk(), seller.id, payment([less], { note: 'A part', password: 'wrong' })))).toBe('PASSWORD_WRONG')
    await settleSales(desk(), seller.id, payment([less], { note: 'A part', password: PASSWORD }))
    const [open] = await listSellerSales(desk(), seller.id, 'open')
    expect(open).toMatchObject({ orderId: id, settled: rupees(50_000), balance: rupees(30_750), entry: { note: 'A part' } })
    // Pay the rest. The amount of an entry is the total paid so far.
    await settleSales(desk(), seller.id, payment([usual(id, open!.entry!.id)]))
    expect(await listSellerSales(desk(), seller.id, 'open')).toEqual([])
  })

  test('a seller who took the price themselves pays Sandhai', async () => {
    const seller = await sellerNamed()
    const id = await sale(seller)
    await market.ctx.db.update(orders).set({ bearerId: seller.id }).where(eq(orders.id, id))
    expect((await list('owing')).find(({ sellerId }) => sellerId === seller.id)?.balance).toBe(rupees(-3750))
    await settleSales(desk(), seller.id, payment([{ orderId: id, amount: rupees(3750), seen: 0 }]))
    expect(await listSellerSales(desk(), seller.id, 'open')).toEqual([])
    const [message] = await market.ctx.db.select().from(outbox).where(eq(outbox.userId, seller.id)).orderBy(desc(outbox.id)).limit(1)
    expect(message?.template).toBe('settlement-received')
  })
})

test('a reversing entry reopens the sale on every paper and page, and the sale can be settled again', async () => {
  const seller = await sellerNamed()
  const id = await sale(seller)
  await settleSales(desk(), seller.id, payment([usual(id)]))
  const [paid] = await listSellerSales(desk(), seller.id, 'recorded')
  const seen = paid!.entry!.id
  const why = { note: 'Wrong account', password: PASSWORD }
  for (const password of [undefined, 'wrong'])
    expect(await refusalOf(takeSaleBack(desk(), seller.id, id, { seen, ...why, password }))).toMatch(/VALIDATION|PASSWORD_WRONG/)
  expect(await refusalOf(takeSaleBack(desk(), seller.id, id, { seen: seen - 1, ...why }))).toBe('VERSION')
  const before = (await countWork(desk())).money ?? 0
  for (const _ of [1, 2]) await takeSaleBack(desk(), seller.id, id, { seen, ...why })
  expect((await countWork(desk())).money).toBe(before + 1)
  const [open] = await listSellerSales(desk(), seller.id, 'open')
  expect(open).toMatchObject({ orderId: id, settled: 0n, isSettled: false, entry: { kind: 'back', note: 'Wrong account' } })
  const paper = await getInvoice(market.as(seller), id)
  expect(paper).toMatchObject({ settledAt: null, settlement: null })
  expect(paperOf(paper, 'en').settled).toBeNull()
  const [message] = await market.ctx.db.select().from(outbox).where(eq(outbox.userId, seller.id)).orderBy(desc(outbox.id)).limit(1)
  expect(message?.template).toBe('settlement-taken-back')
  const trail = await market.ctx.db.select().from(auditEvents).where(eq(auditEvents.event, 'settlement_taken_back'))
  expect(trail).toHaveLength(1)
  await settleSales(desk(), seller.id, payment([usual(id, open!.entry!.id)], { reference: 'UTR 4712' }))
  expect((await countWork(desk())).money ?? 0).toBe(before)
  expect((await listMonths(market.as(seller), seller.id))[0]).toMatchObject({ settled: rupees(80_750), balance: 0n })
  // Entries are never deleted.
  const rows = await market.ctx.db.select().from(settlements).where(eq(settlements.invoiceId, open!.invoiceId))
  expect(rows.map(({ kind }) => kind)).toEqual(['paid', 'back', 'paid'])
})

describe('the cash of a day', () => {
  test('the page shows for each bearer the amount due, the recorded amount, and the cash handed in', async () => {
    const now = daysBefore(market.ctx.now, 100)
    const day = indianDay(now)
    const velu = await makeBearer(market.ctx)
    const made = async (bearer: object, status: 5 | 6 = 5) => {
      const { id } = await makeOrder(market.as(null, { now }), { status, admin })
      await market.ctx.db.update(orders).set(bearer).where(eq(orders.id, id))
      return id
    }
    const [full, short, unrecorded] = [
      await made({ listedBearerId: velu.id }),
      await made({ listedBearerId: velu.id }),
      await made({ listedBearerId: velu.id }),
    ]
    const out = await made({ listedBearerId: velu.id, deliverOn: day })
    await made({ bearerId: null }, 6)
    const then = market.as(admin, { now })
    const note = 'As the bearer says.'
    await closeOrder(then, full, { payment: { method: 'cash', amount: rupees(84_500) }, note })
    await closeOrder(then, short, { payment: { method: 'cash', amount: rupees(84_000) }, note })
    await takeStep(then, unrecorded, { to: 6, note })
    const read = async () => (await readCashDay(desk(), day)).find(({ taker }) => taker === `listed:${velu.id}`)!
    expect(await read()).toMatchObject({
      name: 'Velu',
      expected: rupees(253_500),
      cash: rupees(168_500),
      upi: 0n,
      unrecorded: rupees(84_500),
      difference: rupees(-500),
      out: rupees(84_500),
      toHandIn: rupees(168_500),
      handin: null,
    })
    expect((await read()).orders.find(({ orderId }) => orderId === out)?.isDelivered).toBe(false)
    expect((await readCashDay(desk(), day)).find(({ taker }) => taker === 'office')?.expected).toBe(rupees(84_500))
    const handin = { day, taker: `listed:${velu.id}`, amount: rupees(168_500), note: '', seen: 0 }
    expect(await refusalOf(noteHandin(desk(), { ...handin, amount: 1n }))).toBe('VALIDATION')
    expect(await refusalOf(noteHandin(desk(), { ...handin, taker: 'listed:999999' }))).toBe('NOT_FOUND')
    for (const _ of [1, 2]) await noteHandin(desk(), handin)
    const { handin: noted } = await read()
    expect(noted).toMatchObject({ amount: rupees(168_500), note: '' })
    expect(await refusalOf(noteHandin(desk(), { ...handin, amount: rupees(168_000), note: '₹500 are missing' }))).toBe('VERSION')
    await noteHandin(desk(), { ...handin, amount: rupees(168_000), note: '₹500 are missing', seen: noted!.id })
    expect((await read()).handin).toMatchObject({ amount: rupees(168_000), note: '₹500 are missing' })
    expect(await refusalOf(readCashDay(market.as(await sellerNamed()), day))).toBe('ROLE_FORBIDDEN')
  })
})

test.each(['ta', 'en'] as const)('the closing sheet of a month is available as CSV and as PDF in %s', async (locale) => {
  const now = daysBefore(market.ctx.now, 400)
  const month = indianDay(now).slice(0, 7)
  const seller = await sellerNamed('முருகேசன்')
  const { id } = await makeOrder(market.as(null, { now }), { status: 6, seller, admin })
  // Another seller of the same name, who took the cash themselves.
  const same = await sellerNamed('முருகேசன்')
  const taken = await makeOrder(market.as(null, { now }), { status: 6, seller: same, admin })
  await market.ctx.db.update(orders).set({ bearerId: same.id }).where(eq(orders.id, taken.id))
  expect(id).not.toBe(taken.id)
  const ctx = { ...desk(), locale }
  const { sums, lines } = await readMonthSheet(ctx, month)
  const file = (await monthFile(ctx, month)).trimEnd().split('\r\n')
  expect(file).toHaveLength(lines.length + 2)
  for (const { id } of [seller, same]) expect(file.filter((line) => line.startsWith(`முருகேசன்,${id},1,`))).toHaveLength(1)
  const line = lines.find(({ sellerId }) => sellerId === same.id)!
  expect(line.held).toBeGreaterThan(0n)
  expect(line.due - line.held - line.settled).toBe(line.balance)
  const text = pdfText(await monthPdf(ctx, month)).replace(/\s/g, '')
  for (const words of ['முருகேசன்', `#${same.id}`, formatRupees(line.held), formatRupees(sums.total), formatRupees(sums.balance)])
    expect(text).toContain(words)
})

import { desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { monthPdf } from '#src/admin/money/month-view.server.ts'
import { pdfOf } from '#src/invoices/pdf.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeOrder, type MadeOrder } from '#src/orders/steps/makers.server.ts'
import { shownOrder } from '#src/orders/card/order-view.server.ts'
import { shownDocument } from '#src/orders/papers/document-view.server.ts'
import { getOrder } from '#src/orders/queries.server.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { settleSales } from '#src/admin/money/settle.server.ts'
import { users } from '#src/accounts/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { orders } from '#src/orders/tables.ts'
import { getDocument } from '#src/orders/papers/documents.server.ts'
import { PASSWORD } from '#tools/test-kit/test-people.ts'
import { statementPdf } from '#src/selling/earnings/earnings-file.server.ts'
import { shownSale } from '#src/selling/earnings/earnings-view.server.ts'
import { listMonths, listSales } from '#src/selling/earnings/earnings.server.ts'
import { pdfText } from '#tools/test-kit/pdf-text.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
/** Payable: ₹84,500, of which the buyer paid ₹1,000. */
let short: MadeOrder
let unrecorded: MadeOrder
/** The seller's part: ₹80,750, of which Sandhai has paid ₹80,000. */
let partly: MadeOrder
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  short = await makeOrder(market.ctx, { status: 5 })
  const payment = { method: 'cash' as const, amount: rupees(1000) }
  await takeStep(market.as(short.admin), short.id, { to: 6, payment, note: 'The buyer pays the rest on Monday.' })
  unrecorded = await makeOrder(market.ctx, { status: 5 })
  await takeStep(market.as(unrecorded.admin), unrecorded.id, { to: 6 })
  partly = await makeOrder(market.ctx, { status: 6 })
  await settle(partly, rupees(80_000), 0)
})

/** Like an admin who pays another amount than the one that is due. */
const settle = async ({ seller, admin, id }: MadeOrder, amount: bigint, seen: number) => {
  const password = PASSWORD
  await market.ctx.db
    .update(users)
    .set({ passwordHash: await hashPassword(market.ctx.vault, password) })
    .where(eq(users.id, admin.id))
  const entry = {
    method: 'bank' as const,
    reference: 'UTR 7',
    paidOn: indianDay(market.ctx.now),
    note: 'The rest comes on Monday.',
    password,
  }
  await settleSales(market.as(admin), seller.id, { sales: [{ orderId: id, amount, seen }], ...entry })
}

const withoutBlanks = (text: string) => text.replace(/\s/g, '')

const paperText = async (viewer: Viewer, { id }: MadeOrder, locale: Locale) => {
  const ctx = market.as(viewer, { locale })
  const { paper, ...beside } = await shownDocument(ctx, String(id), new URL('https://x/'))
  return withoutBlanks(pdfText(pdfOf(ctx, paper, beside)))
}
const statementText = async ({ seller }: MadeOrder, locale: Locale) => {
  const ctx = market.as(seller, { locale })
  const [month] = await listMonths(ctx, seller.id)
  return withoutBlanks(pdfText(await statementPdf(ctx, month!, seller)))
}
const saleShown = async ({ seller }: MadeOrder, locale: Locale) => {
  const ctx = market.as(seller, { locale })
  return shownSale(ctx, (await listSales(ctx, { sellerId: seller.id, month: null })).sales[0]!).collected
}
const paidOnPage = async ({ buyer, id }: MadeOrder, locale: Locale) => {
  const ctx = market.as(buyer, { locale })
  return (await shownOrder(ctx, await getOrder(ctx, id))).paid
}

describe.each([
  {
    locale: 'en' as const,
    paid: '₹1,000 was paid in cash at the door. ₹83,500 is still open.',
    page: '₹1,000 paid in cash. ₹83,500 is still open.',
    taken: '₹1,000 in cash, taken by Sandhai. ₹83,500 is still open.',
    none: 'Payment not recorded yet',
    noneTaken: 'What the buyer paid is not recorded yet',
    commission: 'Not settled yet: ₹4,250 is still open.',
    partly: 'reference UTR 7. ₹750 is still open.',
    over: 'reference UTR 7. ₹250 too much was paid.',
    less: 'Paid less than due₹83,500',
    notRecorded: 'Payment not recorded yet₹84,500',
    toCome: 'Still to come',
  },
  {
    locale: 'ta' as const,
    paid: '₹83,500 இன்னும் பாக்கி.',
    page: '₹1,000 ரொக்கமாகக் கொடுத்தது. ₹83,500 இன்னும் பாக்கி.',
    taken: '₹1,000 ரொக்கமாகச் சந்தை வாங்கியது. ₹83,500 இன்னும் பாக்கி.',
    none: 'பணம் கொடுத்தது இன்னும் பதியப்படவில்லை',
    noneTaken: 'வாங்குபவர் கொடுத்தது இன்னும் பதிவாகவில்லை',
    commission: 'கணக்கு இன்னும் முடியவில்லை: ₹4,250 பாக்கி.',
    partly: 'UTR 7. ₹750 இன்னும் பாக்கி.',
    over: 'UTR 7. ₹250 கூடுதலாகக் கொடுக்கப்பட்டது.',
    less: 'குறைவாக வாங்கியது₹83,500',
    notRecorded: '₹84,500',
    toCome: 'இன்னும் வர வேண்டியது',
  },
])('in $locale, money that is open', ({ locale, ...words }) => {
  const within = (text: string) => expect.stringContaining(withoutBlanks(text))

  test('is on the receipt and the order of a buyer who paid less than the price', async () => {
    expect(await paperText(short.buyer, short, locale)).toEqual(within(words.paid))
    expect(await paidOnPage(short, locale)).toBe(words.page)
  })

  test('is on the receipt whose payment nobody recorded, also on paper', async () => {
    expect(await paperText(unrecorded.buyer, unrecorded, locale)).toEqual(within(words.none))
  })

  test('is on the commission invoice until it is settled', async () => {
    expect(await paperText(short.seller, short, locale)).toEqual(within(words.commission))
  })

  test('is on the commission invoice that was settled in part, on the statement and in the month', async () => {
    expect(await paperText(partly.seller, partly, locale)).toEqual(within(words.partly))
    expect(await paperText(partly.seller, partly, locale)).not.toEqual(within(words.over))
    expect(await statementText(partly, locale)).toEqual(within('₹750'))
    const month = indianDay(market.ctx.now).slice(0, 7)
    expect(withoutBlanks(pdfText(await monthPdf(market.as(partly.admin, { locale }), month)))).toEqual(within('₹80,000'))
  })

  test('is in the seller’s earnings and statement, with the balance of each sale', async () => {
    expect(await saleShown(short, locale)).toBe(words.taken)
    const text = await statementText(short, locale)
    expect(text).toEqual(within(words.taken))
    expect(text.split(withoutBlanks(words.toCome))).toHaveLength(3)
    expect(await statementText(unrecorded, locale)).toEqual(within(words.noneTaken))
  })

  test('is on the market’s month', async () => {
    const month = indianDay(market.ctx.now).slice(0, 7)
    const text = withoutBlanks(pdfText(await monthPdf(market.as(short.admin, { locale }), month)))
    for (const each of [words.less, words.notRecorded]) expect(text).toEqual(within(each))
  })
})

test('the commission invoice says what was paid too much, and nothing of a sale that is settled', async () => {
  const sale = await makeOrder(market.ctx, { status: 6 })
  const last = async () => (await getDocument(market.as(sale.seller), sale.id)).settlement?.id ?? 0
  await settle(sale, rupees(81_000), await last())
  expect(await paperText(sale.seller, sale, 'en')).toContain(withoutBlanks('UTR 7. ₹250 too much was paid.'))
  await settle(sale, rupees(80_750), await last())
  expect(await paperText(sale.seller, sale, 'en')).not.toMatch(/stillopen|toomuch/)
})

test('of a seller who delivered and holds the cash, the commission that they paid in part is open', async () => {
  const sale = await makeOrder(market.ctx, { status: 5 })
  await market.ctx.db.update(orders).set({ bearerId: sale.seller.id }).where(eq(orders.id, sale.id))
  await takeStep(market.as(sale.admin), sale.id, { to: 6, payment: { method: 'cash', amount: rupees(85_000) } })
  await settle(sale, rupees(4000), 0)
  expect(await paperText(sale.seller, sale, 'en')).toContain(withoutBlanks('₹4,000 was paid by the seller'))
  expect(await paperText(sale.seller, sale, 'en')).toContain(withoutBlanks('₹250 is still open.'))
})

test('an SMS about a delivery says what the buyer paid and what is open, if that is less than the price', async () => {
  const newest = async ({ id }: Viewer) =>
    (await market.ctx.db.select().from(outbox).where(eq(outbox.userId, id)).orderBy(desc(outbox.id)).limit(1))[0]!.body
  expect(await newest(short.buyer)).toMatch(/₹1,000.*₹83,500/)
  expect(await newest(unrecorded.buyer)).not.toContain('₹')
})

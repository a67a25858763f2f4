import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { pdfText } from '#tools/test-kit/pdf-text.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { issueInvoice, settleInvoice } from './commands.server.ts'
import { paperOf } from './paper.ts'
import { pdfOf } from './pdf.server.ts'
import { getInvoice } from './queries.server.ts'
import { commissionOf, financialYear } from './rules.ts'
import type { Snapshot } from './tables.ts'
import { invoices, settlements } from './tables.ts'

let market: TestMarket
const people = {} as Record<'seller' | 'buyer' | 'stranger' | 'admin', Viewer>
let lastOrder = 0

const snapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({
  orderNo: 'SO-2026-00012',
  deliveredOn: '2026-11-20',
  seller: { name: 'முருகேசன் #"\\*_$ @x <b>', address: ['12, பண்ணை வீதி', 'காங்கேயம் 638701'] },
  buyer: null,
  lines: [{ code: 'COW-00042', name: 'காங்கேயம் காளை', count: 2, unitPrice: '85000.5' }],
  total: '170001',
  discount: '0',
  payable: '8500.05',
  commissionPercent: 5,
  ...changes,
})
const issue = (kind: 'commission' | 'receipt' = 'commission', orderId = ++lastOrder, ctx = market.ctx) =>
  inTransaction(ctx, (ctx) =>
    issueInvoice(ctx, { kind, orderId, ownerId: (kind === 'commission' ? people.seller : people.buyer).id, snapshot: snapshot() }),
  )

/** ₹1,70,001 less 5 % (₹8,500.05). */
const paid = (seen: number, changes: object = {}) => ({
  amount: rupees(161_500.95),
  method: 'bank' as const,
  reference: 'UTR 4711',
  paidOn: indianDay(market.ctx.now),
  seen,
  ...changes,
})

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  people.seller = await makeUser(market.ctx, { typeId: 2 })
  people.buyer = await makeUser(market.ctx, { typeId: 1 })
  people.stranger = await makeUser(market.ctx, { typeId: 3 })
  people.admin = await makeUser(market.ctx, { typeId: 9 })
})

describe('an invoice number', () => {
  test('follows the previous one, and a rolled-back sale uses none', async () => {
    const first = await issue()
    const failed = inTransaction(market.ctx, async (ctx) => {
      await issueInvoice(ctx, { kind: 'commission', orderId: 900, ownerId: people.seller.id, snapshot: snapshot() })
      throw new Error('the delivery failed')
    })
    await expect(failed).rejects.toThrow('the delivery failed')
    const second = await issue()
    expect(Number(second.split('/')[2])).toBe(Number(first.split('/')[2]) + 1)
    expect(first).toMatch(/^SC\/\d{4}-\d{2}\/\d{5}$/)
  })

  test('restarts at one in a new financial year', async () => {
    const later = { ...market.ctx, now: new Date('2031-03-31T20:00:00Z') }
    expect(await issue('receipt', ++lastOrder, { ...later, now: new Date('2031-03-31T18:00:00Z') })).toBe('BR/2030-31/00001')
    // 1:30 at night on 1 April in India.
    expect(await issue('receipt', ++lastOrder, later)).toBe('BR/2031-32/00001')
    expect([financialYear('2026-03-31'), financialYear('2026-04-01'), financialYear('2099-12-31')]).toEqual([
      '2025-26',
      '2026-27',
      '2099-00',
    ])
  })

  test('is given once per order and kind of document', async () => {
    const orderId = ++lastOrder
    await issue('commission', orderId)
    await issue('receipt', orderId)
    await expect(issue('commission', orderId)).rejects.toSatisfy((error) => sqlState(error) === '23505')
  })
})

describe('an issued document', () => {
  test('cannot be changed, even by SQL, except for one settlement mark', async () => {
    const orderId = ++lastOrder
    await issue('commission', orderId)
    for (const change of [
      sql`update invoices set number = 'SC/X' where order_id = ${orderId}`,
      sql`update invoices set snapshot = '{}' where order_id = ${orderId}`,
      sql`update invoices set settled_at = now(), owner_id = ${people.stranger.id} where order_id = ${orderId}`,
      sql`delete from invoices where order_id = ${orderId}`,
    ])
      await expect(market.ctx.db.execute(change)).rejects.toSatisfy((error) => sqlState(error) === '23000')
    const { id } = await getInvoice(market.as(people.seller), orderId)
    await settleInvoice(market.as(people.admin), id, paid(0))
    expect((await getInvoice(market.as(people.seller), orderId)).settledAt).toBeInstanceOf(Date)
    await expect(market.ctx.db.update(invoices).set({ settledAt: null }).where(eq(invoices.id, id))).rejects.toSatisfy(
      (error) => sqlState(error) === '23000',
    )
  })

  test('is settled by an admin with amount, method, reference and day, corrected only by another entry, and its seller gets an SMS', async () => {
    const orderId = ++lastOrder
    await issue('commission', orderId)
    const { id } = await getInvoice(market.as(people.seller), orderId)
    const settle = (entry: Parameters<typeof settleInvoice>[2], by = people.admin) => refusalOf(settleInvoice(market.as(by), id, entry))
    const now = async () => (await getInvoice(market.as(people.seller), orderId)).settlement
    expect(await settle(paid(0), people.seller)).toBe('ROLE_FORBIDDEN')
    // More than the whole price, a future day, a day before the sale.
    for (const wrong of [{ amount: rupees(170_001.01) }, { paidOn: '2999-01-01' }, { paidOn: '2020-01-01' }])
      expect(await settle(paid(0, wrong))).toBe('VALIDATION')
    expect(await now()).toBeNull()
    expect(await settle(paid(0))).toBe('taken')
    // A double tap makes one entry.
    expect(await settle(paid(0))).toBe('taken')
    const first = await now()
    expect(first).toMatchObject({ amount: 1_615_009_500n, method: 'bank', reference: 'UTR 4711', paidOn: indianDay(market.ctx.now) })
    // An admin who has not seen the first entry cannot correct it.
    expect(await settle(paid(0, { reference: 'UTR 4712' }))).toBe('VERSION')
    expect(await settle(paid(first!.id, { reference: 'UTR 4712' }))).toBe('taken')
    expect(await now()).toMatchObject({ reference: 'UTR 4712' })
    const rows = () => market.ctx.db.select().from(settlements).where(eq(settlements.invoiceId, id))
    expect((await rows()).map(({ reference }) => reference)).toEqual(['UTR 4711', 'UTR 4712'])
    for (const change of [
      sql`update settlements set amount = 0 where invoice_id = ${id}`,
      sql`delete from settlements where invoice_id = ${id}`,
    ])
      await expect(market.ctx.db.execute(change)).rejects.toSatisfy((error) => sqlState(error) === '23000')
    const sent = await market.ctx.db.select().from(outbox).where(eq(outbox.userId, people.seller.id)).orderBy(outbox.id)
    expect(sent.slice(-2).map(({ template }) => template)).toEqual(['settlement', 'settlement-corrected'])
    const paper = paperOf(await getInvoice(market.as(people.seller), orderId), 'en')
    expect(paper.settled).toMatch(/^₹1,61,500\.95 was paid to the seller: Bank transfer, .+, reference UTR 4712$/)
  })

  test('is visible to its owner and admins only', async () => {
    const orderId = ++lastOrder
    await issue('commission', orderId)
    await issue('receipt', orderId)
    expect((await getInvoice(market.as(people.seller), orderId)).kind).toBe('commission')
    expect((await getInvoice(market.as(people.buyer), orderId)).kind).toBe('receipt')
    expect((await getInvoice(market.as(people.admin), orderId)).kind).toBe('commission')
    expect((await getInvoice(market.as(people.admin), orderId, 'receipt')).kind).toBe('receipt')
    for (const ask of [
      () => getInvoice(market.as(people.stranger), orderId),
      () => getInvoice(market.as(null), orderId),
      () => getInvoice(market.as(people.buyer), orderId, 'commission'),
      () => getInvoice(market.as(people.seller), orderId, 'receipt'),
      () => getInvoice(market.as(people.seller), 999_999),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

test.each<[number, number]>([
  [85_000, 4250],
  [0.1, 0.01],
  [0.09, 0],
  [170_001, 8500.05],
  [333.33, 16.67],
])('the commission of %d is %d, in whole paise', (total, commission) => {
  expect(commissionOf(rupees(total), 5)).toBe(rupees(commission))
})

describe('the document as text', () => {
  const source = { kind: 'commission' as const, number: 'SC/2026-27/00042', issuedAt: new Date('2026-11-20T20:00:00Z'), settledAt: null }

  test.each(['ta', 'en'] as const)('in %s is a PDF with selectable text, whatever a name contains', async (locale) => {
    const ctx = { ...market.ctx, locale }
    const text = withoutBlanks(pdfText(pdfOf(ctx, paperOf({ ...source, snapshot: snapshot() }, locale))))
    for (const words of ['சந்தை', 'முருகேசன் #"\\*_$ @x <b>', 'காங்கேயம் காளை', 'COW-00042', '₹85,000.50', '₹8,500.05', 'SC/2026-27/00042'])
      expect(text).toContain(withoutBlanks(words))
    expect(text).toContain(locale === 'ta' ? '21-நவம்பர்-2026' : '21-November-2026')
    expect(text).toContain(
      withoutBlanks(locale === 'ta' ? 'எட்டாயிரத்து ஐந்நூறு ரூபாய் ஐந்து பைசா மட்டும்' : 'Eight thousand five hundred rupees and five paise only'),
    )
  })

  test('a draft shows no payment, and a receipt only a stated one', () => {
    const stated = snapshot({ paid: { method: 'upi', amount: '169501' }, commissionPercent: null })
    const words = (paper: ReturnType<typeof paperOf>) => JSON.stringify([paper.paid, paper.notes])
    for (const locale of ['ta', 'en'] as const) {
      const says = (number: string | null, snapshot: Snapshot) => words(paperOf({ ...source, kind: 'receipt', number, snapshot }, locale))
      const word = locale === 'en' ? /paid/i : /செலுத்த/
      expect(says(null, stated)).not.toMatch(word)
      expect(says('BR/2026-27/00001', { ...stated, paid: null })).not.toMatch(word)
      expect(says('BR/2026-27/00001', stated)).toMatch(word)
    }
  })

  test.each<[string, string, string | null]>([
    ['169501', '₹1,69,501 was paid by UPI at the door.', '₹1,69,501 was paid by UPI at the door.'],
    ['169000.99', '₹1,69,000.99 was paid by UPI at the door. ₹500.01 is still open.', null],
    ['0', 'Nothing was paid at the door. ₹1,69,501 is still open.', null],
  ])('a receipt of which %s is paid says what was paid and what is open', (amount, says, isWhole) => {
    const part = snapshot({ payable: '169501', paid: { method: 'upi', amount }, commissionPercent: null })
    const paper = paperOf({ ...source, kind: 'receipt', number: 'BR/2026-27/00001', snapshot: part }, 'en')
    expect(paper.paid).toBe(says)
    expect(paper.notes.some((note) => note.includes('Paid at the door after seeing the animal'))).toBe(isWhole !== null)
    const tamil = paperOf({ ...source, kind: 'receipt', number: 'BR/2026-27/00001', snapshot: part }, 'ta')
    expect(tamil.paid!.includes('இன்னும் பாக்கி')).toBe(isWhole === null)
  })

  test('the paise that cash leaves out are not open', () => {
    const rounded = snapshot({ payable: '500.5', paid: { method: 'cash', amount: '500' }, commissionPercent: null })
    const paper = paperOf({ ...source, kind: 'receipt', number: 'BR/2026-27/00001', snapshot: rounded }, 'en')
    expect(paper.paid).toBe('₹500 was paid in cash at the door.')
  })

  test('the receipt and the commission invoice of one order have different file names', () => {
    const nameOf = (kind: 'receipt' | 'commission') => paperOf({ ...source, kind, snapshot: snapshot() }, 'en').file
    expect([nameOf('receipt'), nameOf('commission')]).toEqual(['SO-2026-00012-receipt.pdf', 'SO-2026-00012-commission.pdf'])
  })

  test('the commission invoice shows percent and amount of the fee, IGST and CGST at 0 %, and that listing is free', () => {
    const paper = paperOf({ ...source, snapshot: snapshot() }, 'en')
    expect(paper.sums).toEqual(
      expect.arrayContaining([
        ['Sale commission (5%)', '₹8,500.05'],
        ['IGST (0%)', '₹0'],
        ['CGST (0%)', '₹0'],
      ]),
    )
    expect(paper.notes.join(' ')).toContain('Listing for sale is free of cost.')
  })

  test("a draft is marked as such and has no number; a buyer's receipt has no commission", async () => {
    const draft = paperOf({ ...source, number: null, snapshot: snapshot() }, 'en')
    expect(draft.isDraft).toBe(true)
    expect(pdfText(pdfOf({ ...market.ctx, locale: 'en' }, draft))).toContain('DRAFT')
    const receipt = paperOf(
      { ...source, kind: 'receipt', snapshot: snapshot({ total: '170001', discount: '500', payable: '169501', commissionPercent: null }) },
      'en',
    )
    expect(JSON.stringify(receipt)).not.toMatch(/commission/i)
    expect(receipt.sums).toEqual([
      ['Total price', '₹1,70,001'],
      ['Discount', '-₹500'],
      ['IGST (0%)', '₹0'],
      ['CGST (0%)', '₹0'],
      ['Total payable', '₹1,69,501'],
    ])
    expect(receipt.notes[0]).toBe('Items delivered will not be replaced or returned.')
  })
})

/** PDF text is split where the script changes, and a reader joins the parts by position, so spaces are not comparable. */
const withoutBlanks = (text: string) => text.replace(/\s/g, '')

import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { purchases } from '#src/reviews/tables.ts'
import { pdfOf } from '#src/invoices/pdf.server.ts'
import { invoices } from '#src/invoices/tables.ts'
import { checkCode, checkUrl, findConfirmation } from '#src/invoices/verify.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { getProductWithRelated } from '#src/listings/queries.server.ts'
import { listings } from '#src/listings/tables.ts'
import { getSeller } from '#src/reviews/seller.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { setSetting } from '#src/kit/records/settings.server.ts'
import { pdfQrText } from '#tools/test-kit/pdf-qr.ts'
import { pdfText } from '#tools/test-kit/pdf-text.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeOrder, type MadeOrder } from '#src/orders/steps/makers.server.ts'
import { recordPayment } from '#src/orders/steps/closing.server.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { getDocument } from './documents.server.ts'
import { shownDocument } from './document-view.server.ts'
import { getOrder } from '#src/orders/queries.server.ts'
import { shownOrder } from '#src/orders/card/order-view.server.ts'

let market: TestMarket
let delivered: MadeOrder
let stranger: Viewer

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { ctx } = market
  stranger = await makeUser(ctx, { typeId: 3 })
  const buyer = await makeUser(ctx, { typeId: 1, name: 'Selvi' })
  const addressId = await makeAddress(ctx, buyer.id, { name: 'செல்வி', address1: '4/17 Temple Street', pincode: '642001' })
  delivered = await makeOrder(ctx, { status: 6, count: 2, buyer, addressId, listing: { originalPrice: rupees(30_000.5) } })
})

describe('a delivered order', () => {
  test('has a receipt for its buyer, with the discount and without the commission', async () => {
    const { kind, number, snapshot } = await getDocument(market.as(delivered.buyer), delivered.id)
    expect(kind).toBe('receipt')
    expect(number).toMatch(/^BR\/\d{4}-\d{2}\/00001$/)
    expect(snapshot).toMatchObject({
      orderNo: expect.stringMatching(/^SN-\d{6}$/),
      total: '60001',
      // First order: 2 %, at most ₹500.
      discount: '500',
      payable: '59501',
      commissionPercent: null,
      paid: { method: 'cash', amount: '59501' },
      buyer: { name: 'செல்வி', address: ['4/17 Temple Street', 'Main Road', 'Pollachi, Coimbatore, Tamil Nadu 642001'] },
      // The buyer may not see the street of the pickup place.
      seller: { name: 'Murugesan', address: [expect.stringMatching(/^Kangayam, Tiruppur, Tamil Nadu 638701$/)] },
    })
    expect(
      JSON.stringify((await shownDocument(market.as(delivered.buyer), String(delivered.id), new URL('https://x/'))).paper),
    ).not.toMatch(/commission/i)
  })

  test('has a commission invoice for its seller, on the price before the discount, without buyer data', async () => {
    const { kind, number, snapshot } = await getDocument(market.as(delivered.seller), delivered.id)
    expect(kind).toBe('commission')
    expect(number).toMatch(/^SC\/\d{4}-\d{2}\/00001$/)
    expect(snapshot).toMatchObject({ total: '60001', discount: '0', payable: '3000.05', commissionPercent: 5, buyer: null, paid: null })
    expect(JSON.stringify(snapshot)).not.toMatch(/செல்வி|Temple|642001/)
  })

  test('shows its places in the reader’s language; the stored document stays the same', async () => {
    const partiesIn = async (locale: 'ta' | 'en') => {
      const ctx = market.as(delivered.buyer, { locale })
      return (await shownDocument(ctx, String(delivered.id), new URL('https://x/'))).paper.parties.map(({ address }) => address.at(-1))
    }
    expect(await partiesIn('en')).toEqual(['Kangayam, Tiruppur, Tamil Nadu 638701', 'Pollachi, Coimbatore, Tamil Nadu 642001'])
    expect(await partiesIn('ta')).toEqual(['காங்கேயம், திருப்பூர், தமிழ்நாடு 638701', 'பொள்ளாச்சி, கோயம்புத்தூர், தமிழ்நாடு 642001'])
  })

  test('shows each side its own document only, and strangers none', async () => {
    const code = 'NOT_FOUND'
    await expect(getDocument(market.as(delivered.buyer), delivered.id, 'commission')).rejects.toMatchObject({ code })
    await expect(getDocument(market.as(delivered.seller), delivered.id, 'receipt')).rejects.toMatchObject({ code })
    await expect(getDocument(market.as(stranger), delivered.id)).rejects.toMatchObject({ code })
    await expect(getDocument(market.as(null), delivered.id)).rejects.toMatchObject({ code })
    for (const kind of ['receipt', 'commission'] as const)
      expect(await getDocument(market.as(delivered.admin), delivered.id, kind)).toMatchObject({ kind, number: expect.any(String) })
  })

  test('records that this buyer has bought from this seller', async () => {
    const of = () => market.ctx.db.select().from(purchases).where(eq(purchases.buyerId, delivered.buyer.id))
    expect(await of()).toEqual([{ buyerId: delivered.buyer.id, sellerId: delivered.seller.id }])
    await makeOrder(market.ctx, { status: 6, buyer: delivered.buyer, seller: delivered.seller })
    expect(await of()).toHaveLength(1)
  })

  test('marks the buyer’s review of the seller with "Bought here" on both pages; reviews of others and earlier ones stay unmarked', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const open = await makeOrder(market.ctx, { status: 5, seller })
    for (const person of [open.buyer, stranger])
      await makeReview(market.ctx, { sellerId: seller.id, reviewerId: person.id, stars: 4, comment: person.name })
    const marks = async () => {
      const { reviews } = await getSeller(market.ctx, seller.id)
      expect((await getProductWithRelated(market.ctx, open.listingId, null)).reviews).toEqual(reviews)
      return reviews.filter(({ isBoughtHere }) => isBoughtHere).length
    }
    expect(await marks()).toBe(0)
    await takeStep(market.as(open.admin), open.id, { to: 6, note: 'Paid.' })
    expect(await marks()).toBe(1)
  })

  test('names agent and owner on the order’s page and on both papers', async () => {
    const seller = await makeUser(market.ctx, { typeId: 4, name: 'Anbu' })
    const order = await makeOrder(market.ctx, { status: 6, seller, listing: { ownerName: 'Raman', ownerAgreed: true } })
    const ctx = market.as(order.buyer)
    expect(shownOrder(ctx, await getOrder(ctx, order.id)).sellerName).toBe('Anbu for Raman')
    for (const person of [order.buyer, seller]) {
      const ctx = market.as(person)
      const shown = await shownDocument(ctx, String(order.id), new URL('https://x/'))
      expect(pdfText(pdfOf(ctx, shown.paper, shown))).toContain('Anbu for Raman')
    }
  })

  test('names agent and owner on the buyer’s later review, while the public page of that animal names the owner', async () => {
    const seller = await makeUser(market.ctx, { typeId: 4, name: 'Anbu' })
    const listing = { ownerName: 'Raman', ownerAgreed: true }
    const { buyer, listingId } = await makeOrder(market.ctx, { status: 6, seller, listing })
    const listed = async (ctx = market.ctx) => {
      const { reviews } = await getSeller(ctx, seller.id)
      expect((await getProductWithRelated(ctx, other.listingId, null)).reviews).toEqual(reviews)
      return reviews.map((review) => review.listed)
    }
    const earlier = { sellerId: seller.id, stars: 4, comment: '', updatedAt: new Date(market.ctx.now.getTime() - 3 * 86_400_000) }
    // Their animals were the agent's own, or delivered after the review.
    const other = await makeOrder(market.ctx, { status: 6, seller })
    const late = await makeOrder(market.ctx, { status: 6, seller, listing: { ...listing, ownerName: 'Kala' } })
    await makeReview(market.ctx, { ...earlier, reviewerId: late.buyer.id, createdAt: new Date(1) })
    await makeReview(market.ctx, { ...earlier, reviewerId: other.buyer.id, createdAt: new Date(2), updatedAt: market.ctx.now })
    await makeReview(market.ctx, { ...earlier, reviewerId: buyer.id, createdAt: new Date(3), updatedAt: market.ctx.now })
    expect(await listed()).toEqual([{ agent: 'Anbu', owner: 'Raman' }, null, null])
    // Not even the agent's own view names the owner of a withdrawn listing.
    await market.ctx.db.update(listings).set({ state: 'withdrawn' }).where(eq(listings.id, listingId))
    expect(await listed(market.as(seller))).toEqual([null, null, null])
    await market.ctx.db.update(listings).set({ state: 'passed', ownerName: null, ownerAgreed: null }).where(eq(listings.id, listingId))
    expect(await listed()).toEqual([null, null, null])
  })

  test('keeps its documents when names and percentages change afterwards', async () => {
    const before = await getDocument(market.as(delivered.seller), delivered.id)
    await market.ctx.db.update(users).set({ name: 'Another' }).where(eq(users.id, delivered.seller.id))
    await setSetting(market.as(delivered.admin), 'profitMarginPercent', 9)
    expect(await getDocument(market.as(delivered.seller), delivered.id)).toEqual(before)
    await setSetting(market.as(delivered.admin), 'profitMarginPercent', 5)
  })
})

describe('an order delivered without a stated payment', () => {
  test('has a receipt with the payable amount and without a paid amount, also when the payment is recorded later', async () => {
    const order = await makeOrder(market.ctx, { status: 5, listing: { originalPrice: rupees(30_000.5) } })
    await takeStep(market.as(order.admin), order.id, { to: 6 })
    const shown = (kind = 'receipt') =>
      shownDocument(market.as(order.admin, { locale: 'en' }), String(order.id), new URL(`https://x/?of=${kind}`))
    const before = await shown()
    expect(before.payment).toBe('Payment not recorded yet. This paper says what is payable, not that it was paid.')
    // ₹30,000.50 less the first-order discount of ₹500.
    expect(before.paper).toMatchObject({ isDraft: false, paid: null, sums: expect.arrayContaining([['Total payable', '₹29,500.50']]) })
    expect(pdfText(pdfOf(market.as(order.admin, { locale: 'en' }), before.paper, before))).not.toMatch(/paid (in|by)/i)
    const stated = { payment: { method: 'upi' as const, amount: rupees(29_500) }, note: 'The buyer sent the UPI number.' }
    await recordPayment(market.as(order.admin), order.id, stated)
    const after = await shown()
    expect(after.paper).toEqual(before.paper)
    expect(after.payment).toBe('Recorded after this paper was made: ₹29,500 was paid by UPI at the door.')
    expect((await shown('commission')).payment).toBeNull()
  })
})

describe('documents before the delivery', () => {
  test('an admin sees both as drafts without a number; others see none', async () => {
    const open = await makeOrder(market.ctx, { status: 5 })
    for (const kind of ['receipt', 'commission'] as const) {
      const draft = await getDocument(market.as(open.admin), open.id, kind)
      expect(draft).toMatchObject({ id: null, kind, number: null, snapshot: { deliveredOn: null } })
      const shown = await shownDocument(market.as(open.admin), String(open.id), new URL(`https://x/?of=${kind}`))
      expect(shown).toMatchObject({ qr: null, payment: null, paper: { isDraft: true, paid: null } })
      expect(pdfText(pdfOf(market.as(open.admin), shown.paper, shown))).toContain('DRAFT')
    }
    for (const viewer of [open.buyer, open.seller, stranger])
      await expect(getDocument(market.as(viewer), open.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await market.ctx.db.select().from(invoices).where(eq(invoices.orderId, open.id))).toEqual([])
  })

  test('a called-off order has none', async () => {
    const { id, admin } = await makeOrder(market.ctx, { status: 100 })
    await expect(getDocument(market.as(admin), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the verification code of a document', () => {
  const issued = async () => (await market.ctx.db.select().from(invoices).where(eq(invoices.orderId, delivered.id)))[0]!

  test.each(['ta', 'en'] as const)(
    'can be scanned from the PDF in %s, beside selectable text, and opens a page with three figures',
    async (locale) => {
      const ctx = market.as(delivered.buyer, { locale })
      const { paper, qr } = await shownDocument(ctx, String(delivered.id), new URL('https://x/'))
      const pdf = pdfOf(ctx, paper, { qr })
      const url = await pdfQrText(pdf)
      expect(url).toMatch(locale === 'ta' ? /^https:\/\/sandhai\.test\/verify\/[0-9a-f]{36}$/ : /^https:\/\/sandhai\.test\/en\/verify\//)
      expect(pdfText(pdf)).toContain(paper.facts[0]![1])
      const found = await findConfirmation(market.as(null), url.split('/').at(-1)!)
      expect(found).toEqual({ number: paper.facts[0]![1], issuedAt: expect.any(Date), total: '59501' })
    },
  )

  test('is the same at every rendering', async () => {
    const invoice = await issued()
    expect(checkUrl(market.ctx, invoice)).toBe(checkUrl(market.ctx, invoice))
  })

  test('cannot be guessed: other codes and codes of another key confirm nothing', async () => {
    const invoice = await issued()
    const code = checkCode(market.ctx.vault, invoice)
    expect(await findConfirmation(market.ctx, code)).not.toBeNull()
    const wrong = ['', 'x', code.slice(1), `${code}00`, code.replace(/./g, '0'), `${code.slice(0, -2)}zz`, '../'.repeat(12)]
    for (let at = 0; at < code.length; at++) wrong.push(code.slice(0, at) + (code[at] === '0' ? '1' : '0') + code.slice(at + 1))
    for (const each of wrong) expect(await findConfirmation(market.ctx, each), each).toBeNull()
    const next = checkCode(market.ctx.vault, { ...invoice, id: invoice.id + 1 })
    expect(await findConfirmation(market.ctx, next)).toBeNull()
    // The code reveals neither the id nor the number.
    expect(code).not.toContain(invoice.id.toString(16).padStart(12, '0'))
  })
})

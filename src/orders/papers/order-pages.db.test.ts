import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { desc, eq, sql } from 'drizzle-orm'
import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { ctxContext, siteContext, visitorContext, type Viewer } from '#src/kit/context.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { cookieNamesFor } from '#src/kit/base/cookies.server.ts'
import { DAY, indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { listings } from '#src/listings/tables.ts'
import { action as sellerAction, loader as sellerLoader } from '#src/selling/own/seller-product-page.tsx'
import { shownLine } from '#src/selling/own/own-listings-ordered.server.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { picture } from '#tools/test-kit/test-sale.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { acceptAnimal, checkTag, PLAN_DAYS, planDelivery, planOf, refuseAnimal, TAG_TRIES } from '#src/orders/steps/handover.server.ts'
import { filterQuery, filtersIn } from '#src/orders/list/order-filters.server.ts'
import { makeOrder, statusOf, type MadeOrder } from '#src/orders/steps/makers.server.ts'
import { csvCell, csvLine } from '#src/kit/text/csv.ts'
import { csvHead, orderCells } from '#src/orders/list/orders-csv.server.ts'
import { action } from '#src/orders/list/orders-page.tsx'
import { listOrderedLines } from '#src/orders/list/ordered-lines.server.ts'
import { exportOrders, getOrder, listOrders, listToBring, noFilters, type Order, type OrderFilters } from '../queries.server.ts'
import type { OrderStatus } from '../process.server.ts'
import { isStalled } from '../order-conditions.ts'
import { orderPhotos, orders, orderSteps } from '../tables.ts'

let market: TestMarket
let admin: Viewer
let media: MediaStore
let folder: string
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, isAdmin: true })
  folder = mkdtempSync(join(tmpdir(), 'sandhai-orders-'))
  media = await openMediaStore(folder)
})
afterAll(async () => {
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const made = (facts: Parameters<typeof makeOrder>[1] = {}) => makeOrder(market.ctx, { admin, ...facts })
const change = (id: number, values: Partial<typeof orders.$inferInsert>) =>
  market.ctx.db.update(orders).set(values).where(eq(orders.id, id))
const rowOf = async (id: number) => (await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!
const smsTo = async (phone: string) => market.ctx.db.select().from(outbox).where(eq(outbox.recipient, phone)).orderBy(desc(outbox.id))
const today = () => indianDay(market.ctx.now)
const inDays = (days: number) => indianDayIn(market.ctx.now, days)
/** An accepted form answers with a redirect, which is no refusal. */
const send = (form: typeof action, viewer: Viewer, fields: Record<string, string>) =>
  sendForm(market.ctx, form as never, { viewer, fields, params: {} }).catch((error: unknown) => {
    if (error instanceof Response) return null
    throw error
  })

describe("the admin's list", () => {
  const find = async (filters: Partial<OrderFilters>) =>
    (await listOrders(market.as(admin), { ...noFilters, buyerId: null, ...filters })).orders.map(({ id }) => id)

  test('filters by status, number, full phone number or name of either side, and day', async () => {
    const buyer = await makeUser(market.ctx, { typeId: 1, name: 'Thenmozhi 100%' })
    const order = await made({ buyer, status: 4 })
    const { phone } = buyer
    await change(order.id, { deliverOn: inDays(3) })
    for (const text of [`SN-${String(order.id).padStart(6, '0')}`, String(order.id), phone, phone.slice(3), 'thenmozhi', '100%'])
      expect(await find({ text }), text).toEqual([order.id])
    const [seller] = await market.ctx.db.select().from(users).where(eq(users.id, order.seller.id))
    expect(await find({ text: seller!.phone })).toEqual([order.id])
    // A part of a phone number finds nobody, and LIKE wildcards are plain characters.
    for (const text of [phone.slice(0, 9), phone.slice(-6), 'Thenmozhi_100', 'nobody']) expect(await find({ text }), text).toEqual([])
    expect(await find({ text: 'thenmozhi', status: 4 })).toEqual([order.id])
    expect(await find({ text: 'thenmozhi', status: 2 })).toEqual([])
    expect(await find({ text: 'thenmozhi', on: 'delivery', from: inDays(3), to: inDays(3) })).toEqual([order.id])
    expect(await find({ text: 'thenmozhi', on: 'delivery', to: inDays(2) })).toEqual([])
    expect(await find({ text: 'thenmozhi', from: today(), to: today() })).toEqual([order.id])
    expect(await find({ text: 'thenmozhi', to: inDays(-1) })).toEqual([])
    const buyerOnly = await refusalOf(listOrders(market.as(buyer), { ...noFilters, buyerId: null }))
    expect(buyerOnly).toBe('NOT_FOUND')
  })

  test('flags stalled orders and orders of deactivated sellers, except finished ones', async () => {
    const [fine, gone, over] = [await made(), await made(), await made({ status: 100 })]
    await market.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, gone.seller.id))
    await market.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, over.seller.id))
    const cases: [OrderStatus, number, string | null][] = [
      [1, 0.9, null],
      [1, 1.1, null],
      [1, 1.1, inDays(5)],
      [2, 2.9, null],
      [2, 3.1, null],
      [3, 9, inDays(1)],
      [4, 0, today()],
      [4, 0, inDays(-1)],
      [5, 0.9, null],
      [5, 1.1, null],
      [6, 30, inDays(-9)],
      [102, 30, null],
    ]
    const orderOf: MadeOrder[] = []
    for (const [status, days, deliverOn] of cases) {
      const order = await made({ status })
      await change(order.id, { changedAt: new Date(market.ctx.now.getTime() - days * DAY), deliverOn })
      orderOf.push(order)
    }
    const flagged = await find({ isFlagged: true })
    expect(flagged).toContain(gone.id)
    for (const { id } of [fine, over]) expect(flagged).not.toContain(id)
    for (const [n, order] of orderOf.entries())
      expect(flagged.includes(order.id), JSON.stringify(cases[n])).toBe(isStalled(await rowOf(order.id), market.ctx.now))
    expect(orderOf.map(({ id }) => flagged.includes(id))).toEqual([
      false,
      true,
      true,
      false,
      true,
      false,
      false,
      true,
      false,
      true,
      false,
      false,
    ])
  })

  test('reads valid filters from the address and ignores everything else', () => {
    const read = (query: string) => filtersIn(new URLSearchParams(query))
    expect(read('status=7&on=x&from=2026-02-30&to=tomorrow&flagged=yes&after=-1')).toEqual({ ...noFilters, text: '' })
    const all = 'q=Selvi&status=5&on=delivery&from=2026-11-01&to=2026-11-30&flagged=1'
    expect(filterQuery(read(all))).toBe(all)
  })

  test("shows phone numbers masked to an admin without powers, except for today's stops", async () => {
    const { id, buyer } = await made({ status: 4 })
    const weak = market.as(await makeUser(market.ctx, { typeId: 9 }))
    const [row] = await market.ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, buyer.id))
    const numbersIn = (order: Order) => [order.buyer!.phone, order.seller!.phone, order.delivery.phone, order.pickup!.phone]
    for (const number of numbersIn(await getOrder(weak, id))) expect(number).toMatch(/^\+91 \d\dx{5}\d{3}$/)
    expect(numbersIn(await getOrder(market.as(admin), id))).toContain(row!.phone)
    await market.ctx.db
      .update(orders)
      .set({ deliverOn: indianDay(market.ctx.now) })
      .where(eq(orders.id, id))
    expect(numbersIn(await getOrder(weak, id))).toContain(row!.phone)
  })

  test('exports all its orders to a file, with spreadsheet formulas escaped', async () => {
    for (const formula of ['=1+1', '+91', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n', ' =1', '\u200B=1', '＝1', '＋1', '－1', '＠A'])
      expect(csvCell(formula).replace(/^"/, '')).toMatch(/^'/)
    expect(csvCell('Pollachi, "Main" Road')).toBe('"Pollachi, ""Main"" Road"')
    expect(csvCell(-5.5)).toBe('-5.5')
    const buyer = await makeUser(market.ctx, { typeId: 1, name: '=HYPERLINK("http://x")' })
    const addressId = await makeAddress(market.ctx, buyer.id, { name: '@home' })
    const { id, seller } = await made({ buyer, addressId, status: 6 })
    const ctx = market.as(admin)
    const lines: string[] = []
    for await (const batch of exportOrders(ctx, { ...noFilters, buyerId: null }))
      lines.push(...batch.map((o) => csvLine(orderCells(ctx, o))))
    expect(lines).toHaveLength(await market.ctx.db.$count(orders))
    const row = lines.find((line) => line.includes('HYPERLINK'))!
    expect(row).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(row).toContain(`"'@home,`)
    expect(row).toMatch(/'\+91\d{10}/)
    expect(row.endsWith('\r\n')).toBe(true)
    expect(csvHead('ta')).toHaveLength(csvHead('en').length)
    expect(row.split(',')).toContain(String(seller.id))
    expect(orderCells(ctx, await getOrder(ctx, id))).toHaveLength(csvHead('en').length)
    await expect(exportOrders(market.as(buyer), { ...noFilters, buyerId: null }).next()).rejects.toThrow('ROLE_FORBIDDEN')
  })
})

describe('the forms of the orders page', () => {
  test('let a buyer cancel, and refuse what a role may not do', async () => {
    const order = await made()
    const cancel = { act: 'cancel', id: String(order.id) }
    expect(await send(action, await makeUser(market.ctx), cancel)).toBe('NOT_FOUND')
    expect(await send(action, order.seller, cancel)).toBe('ROLE_FORBIDDEN')
    for (const viewer of [order.buyer, order.seller])
      expect(await send(action, viewer, { act: 'step', id: String(order.id), to: '2' })).toBe('ROLE_FORBIDDEN')
    expect(await send(action, order.buyer, { act: 'plan', id: String(order.id), deliverOn: '', deliverWindow: '', bearerPhone: '' })).toBe(
      'ROLE_FORBIDDEN',
    )
    expect(await statusOf(market.ctx, order.id)).toBe(1)
    expect(await send(action, order.buyer, cancel)).toBeNull()
    expect(await send(action, admin, { ...cancel, from: '100' })).toBe('ORDER_TERMINAL')
  })

  test('succeed when sent twice by a second tap; a repeat by another person or much later is refused', async () => {
    const order = await made()
    const id = String(order.id)
    const stock = async () =>
      (await market.ctx.db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, order.listingId)))[0]!.stock
    const before = await stock()
    const yes = { act: 'order-yes', id }
    expect(await send(sellerAction, order.seller, yes)).toBeNull()
    expect(await send(sellerAction, order.seller, yes)).toBeNull()
    expect(await send(action, admin, { act: 'step', id, from: '2', to: '2' })).toBe('ORDER_STEP')
    const cancel = { act: 'cancel', id }
    expect(await Promise.all([send(action, order.buyer, cancel), send(action, order.buyer, cancel)])).toEqual([null, null])
    expect(await stock()).toBe(before + 1)
    const steps = await market.ctx.db.select().from(orderSteps).where(eq(orderSteps.orderId, order.id))
    expect(steps.filter(({ fromStatus }) => fromStatus > 0).map(({ toStatus }) => toStatus)).toEqual([2, 100])
    expect(await send(sellerAction, order.seller, { act: 'order-no', id, reason: '' })).toBe('ORDER_TERMINAL')
    const later = { ...market.ctx, now: new Date(market.ctx.now.getTime() + 11 * 60_000) }
    expect(await sendForm(later, action as never, { viewer: order.buyer, fields: cancel, params: {} })).toBe('ORDER_TERMINAL')
  })

  test('let an admin close an order with method and amount, and end one with a reason for both sides', async () => {
    const order = await made({ status: 5 })
    const step = { act: 'step', id: String(order.id), from: '5', to: '6' }
    const fields = { ...step, note: 'Seen by phone.', paymentMethod: 'upi', amountPaid: '84,000.50' }
    for (const blank of [{ amountPaid: 'all' }, { amountPaid: '' }, { note: ' ' }, { paymentMethod: '' }])
      expect(await send(action, admin, { ...fields, ...blank }), JSON.stringify(blank)).toBe('VALIDATION')
    expect(await statusOf(market.ctx, order.id)).toBe(5)
    expect(await send(action, admin, fields)).toBeNull()
    expect(await rowOf(order.id)).toMatchObject({ status: 6, paymentMethod: 'upi', amountPaid: 840_005_000n })
    const other = await made({ status: 2 })
    await send(action, admin, {
      act: 'end',
      id: String(other.id),
      from: '2',
      to: '102',
      note: 'The bull is ill.',
    })
    const ended = await getOrder(market.as(other.buyer), other.id)
    expect(ended.endReason).toBe('The bull is ill.')
    // The history keeps its notes for good, so it must not contain the reason.
    expect((await getOrder(market.as(admin), other.id)).steps.map(({ note }) => note).join('')).toBe('')
    expect(await rowOf(other.id)).toMatchObject({ status: 102, amountPaid: null })
  })

  test('let sellers confirm or decline their own orders, without data of the buyer', async () => {
    const order = await made()
    const yes = { act: 'order-yes', id: String(order.id) }
    expect(await send(sellerAction, await makeUser(market.ctx, { typeId: 2 }), yes)).toBe('NOT_FOUND')
    expect(await send(sellerAction, order.seller, yes)).toBeNull()
    expect(await statusOf(market.ctx, order.id)).toBe(2)
    expect(await send(sellerAction, order.seller, { act: 'order-no', id: String(order.id), reason: 'It fell ill.' })).toBeNull()
    const { lines } = await listOrderedLines(market.as(order.seller), order.seller.id)
    expect(lines).toMatchObject([{ id: order.id, itemsCount: 1, status: 102, endReason: 'It fell ill.', hasCommission: false }])
    const { delivery, buyerId } = await rowOf(order.id)
    const [buyer] = await market.ctx.db.select().from(users).where(eq(users.id, buyerId))
    expect(Object.keys(lines[0]!)).not.toContain('delivery')
    for (const secret of [buyer!.phone, delivery.phone])
      expect(JSON.stringify(lines, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))).not.toContain(secret)
    expect(await refusalOf(listOrderedLines(market.as(order.buyer), order.seller.id))).toBe('NOT_FOUND')
  })
})

describe('the delivery', () => {
  const plan = { deliverOn: null, deliverWindow: null, bearerPhone: '' }
  const planned = async (id: number, plan: Omit<Parameters<typeof planDelivery>[2], 'seen'>) =>
    planDelivery(market.as(admin), id, { ...plan, seen: planOf(await rowOf(id)) })

  test('is planned by an admin; buyer and bearer get an SMS about what is new, each in their language', async () => {
    const buyer = await makeUser(market.ctx, { typeId: 1, locale: 'en' })
    const bearer = await makeUser(market.ctx, { typeId: 4 })
    const order = await made({ buyer, status: 4 })
    const before = (await smsTo(buyer.phone)).length
    await planned(order.id, { deliverOn: inDays(2), deliverWindow: 'morning', bearerPhone: bearer.phone.slice(3) })
    const [sent] = await smsTo(buyer.phone)
    expect(sent).toMatchObject({ template: 'order-day-buyer', locale: 'en' })
    expect(sent!.body).toContain('morning (6–11)')
    expect(await smsTo(bearer.phone)).toMatchObject([{ template: 'order-bearer', locale: 'ta' }])
    // Saving the same plan again sends nothing.
    await planned(order.id, { deliverOn: inDays(2), deliverWindow: 'morning', bearerPhone: bearer.phone })
    expect(await smsTo(buyer.phone)).toHaveLength(before + 1)
    expect(await smsTo(bearer.phone)).toHaveLength(1)
    expect((await listToBring(market.as(bearer))).map(({ id }) => id)).toEqual([order.id])
    const [read] = [await getOrder(market.as(bearer), order.id)]
    expect(read).toMatchObject({ part: 'bearer', pickup: null, buyer: null, delivery: { pincode: '638701' } })
  })

  test('cannot be planned for yesterday, with a stranger or the buyer as bearer, by others, or when the order is over', async () => {
    const order = await made({ status: 4 })
    const [buyer] = await market.ctx.db.select().from(users).where(eq(users.id, order.buyer.id))
    for (const wrong of [
      { deliverOn: inDays(-1) },
      { deliverOn: inDays(PLAN_DAYS + 1) },
      { bearerPhone: '+919999999999' },
      { bearerPhone: 'x' },
      { bearerPhone: buyer!.phone },
    ])
      expect(await refusalOf(planned(order.id, { ...plan, ...wrong }))).toBe('VALIDATION')
    expect(await refusalOf(planned(order.id, { ...plan, deliverOn: inDays(PLAN_DAYS) }))).toBe('taken')
    expect(await refusalOf(planDelivery(market.as(order.seller), order.id, { ...plan, seen: '' }))).toBe('ROLE_FORBIDDEN')
    const over = await made({ status: 6 })
    expect(await refusalOf(planned(over.id, plan))).toBe('ORDER_TERMINAL')
  })

  test('keeps its plan when an older form arrives; removing the day notifies also the removed bearer', async () => {
    const [bearer, buyer, seller] = [
      await makeUser(market.ctx, { typeId: 4 }),
      await makeUser(market.ctx),
      await makeUser(market.ctx, { typeId: 2 }),
    ]
    const order = await made({ status: 4, buyer, seller })
    const blank = {
      act: 'plan',
      id: String(order.id),
      deliverOn: '',
      deliverWindow: '',
      bearerPhone: '',
      seen: planOf(await rowOf(order.id)),
    }
    const first = { ...blank, deliverOn: inDays(3), deliverWindow: 'evening', bearerPhone: bearer.phone }
    expect(await send(action, admin, first)).toBeNull()
    const last = async (phone: string) => (await smsTo(phone))[0]?.template
    expect(await last(buyer.phone)).toBe('order-day-buyer')
    expect(await last(seller.phone)).toBe('order-day-seller')
    expect(await send(action, admin, blank)).toBe('VERSION')
    expect(await rowOf(order.id)).toMatchObject({ deliverOn: inDays(3), deliverWindow: 'evening', bearerId: bearer.id })
    expect(await send(action, admin, { ...blank, seen: planOf(await rowOf(order.id)) })).toBeNull()
    expect(await last(buyer.phone)).toBe('order-day-gone-buyer')
    expect(await last(seller.phone)).toBe('order-day-gone-seller')
    expect(await last(bearer.phone)).toBe('order-bearer-off')
  })

  test('notifies its bearer when the animal leaves and when the order is cancelled', async () => {
    const bearer = await makeUser(market.ctx, { typeId: 4, locale: 'en' })
    const order = await made({ status: 4 })
    await planned(order.id, { ...plan, bearerPhone: bearer.phone })
    await send(action, admin, { act: 'step', id: String(order.id), from: '4', to: '5', note: '' })
    await send(action, admin, { act: 'cancel', id: String(order.id), from: '5' })
    const sent = await smsTo(bearer.phone)
    expect(sent.map(({ template }) => template)).toEqual(['order-bearer-off', 'order-bearer-leaves', 'order-bearer'])
    expect(sent[1]!.body).toContain(`/en/orders/${order.id}/handover`)
    for (const { body } of sent) expect(body).not.toMatch(/[{}]|undefined|null/)
  })

  test('sellers cannot open the order page, and strangers cannot learn that the order exists', async () => {
    const order = await made()
    for (const viewer of [order.seller, await makeUser(market.ctx, { typeId: 3 })])
      expect(await refusalOf(getOrder(market.as(viewer), order.id))).toBe('NOT_FOUND')
    expect(await getOrder(market.as(order.buyer), order.id)).toMatchObject({ pickup: null, seller: null, buyer: null })
    expect(await getOrder(market.as(admin), order.id)).toMatchObject({ pickup: { pincode: '638701' } })
  })
})

describe('at the door', () => {
  const TAG = '103456789012'
  const tagged = async (status: OrderStatus = 5) => {
    const order = await made({ status })
    await change(order.id, { tagSealed: market.ctx.vault.seal('ear-tag', TAG) })
    return order
  }

  test('the buyer has five tries for the last six digits of the tag; others have none', async () => {
    const order = await tagged()
    const buyer = market.as(order.buyer)
    for (const viewer of [order.seller, admin]) expect(await refusalOf(checkTag(market.as(viewer), order.id, '789012'))).toBe('NOT_FOUND')
    expect((await rowOf(order.id)).tagTries).toBe(0)
    expect(await checkTag(buyer, order.id, '789013')).toBe(false)
    expect((await rowOf(order.id)).tagMatched).toBe(false)
    expect(await checkTag(buyer, order.id, '789012')).toBe(true)
    // After a match no further try is compared.
    expect(await checkTag(buyer, order.id, '000000')).toBe(true)
    const locked = await tagged()
    for (let n = 0; n < TAG_TRIES; n++) expect(await checkTag(market.as(locked.buyer), locked.id, '111111')).toBe(false)
    expect(await refusalOf(checkTag(market.as(locked.buyer), locked.id, '789012'))).toBe('HANDOVER_LOCKED')
    const read = await getOrder(buyer, order.id)
    expect(JSON.stringify(read, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))).not.toMatch(/789012|tagSealed|handoverSealed/)
  })

  test('of two dozen concurrent tries five are compared', async () => {
    const order = await tagged()
    const tries = Array.from({ length: 24 }, () => refusalOf(checkTag(market.as(order.buyer), order.id, '222222')))
    expect((await Promise.all(tries)).filter((end) => end === 'taken')).toHaveLength(TAG_TRIES)
  })

  test('the buyer accepts and gets the four digits, only while the order is on the way', async () => {
    const order = await made({ status: 5 })
    expect(await acceptAnimal(market.as(order.buyer), order.id)).toMatch(/^\d{4}$/)
    expect(await refusalOf(acceptAnimal(market.as(admin), order.id))).toBe('NOT_FOUND')
    const early = await made({ status: 4 })
    expect(await refusalOf(acceptAnimal(market.as(early.buyer), early.id))).toBe('ORDER_STEP')
    const over = await made({ status: 6 })
    expect(await refusalOf(acceptAnimal(market.as(over.buyer), over.id))).toBe('ORDER_TERMINAL')
  })

  test('the buyer refuses with a reason and a picture; if either is missing, nothing is stored', async () => {
    const order = await made({ status: 5 })
    const buyer = market.as(order.buyer)
    const broken = refuseAnimal(buyer, media, order.id, { reason: 'Lame', photo: Buffer.from('no picture') })
    expect(await refusalOf(broken)).toBe('UNSUPPORTED_TYPE')
    expect(await statusOf(market.ctx, order.id)).toBe(5)
    await refuseAnimal(buyer, media, order.id, { reason: 'Lame', photo: await picture(7, 400) })
    const [photo] = await market.ctx.db.select().from(orderPhotos).where(eq(orderPhotos.orderId, order.id))
    expect(await getOrder(buyer, order.id)).toMatchObject({ status: 101, endReason: 'Lame', photoKey: photo!.mediaKey })
    const [listing] = await market.ctx.db.select().from(listings).where(eq(listings.id, order.listingId))
    expect(listing!.stock).toBe(5)
    // A repeat after the end leaves no file behind.
    const kept = await filesIn()
    expect(await refusalOf(refuseAnimal(buyer, media, order.id, { reason: 'Lame', photo: await picture(8, 400) }))).toBe('ORDER_TERMINAL')
    expect(await filesIn()).toEqual(kept)
  })
  const filesIn = async () => {
    const keys: string[] = []
    for await (const key of media.list()) keys.push(key)
    return keys.toSorted()
  }
})

describe('both sides', () => {
  const openSelling = async (viewer: Viewer) => {
    const origin = 'https://sandhai.test'
    const env = { ...readEnv({ PUBLIC_ORIGIN: origin }), secret: 's'.repeat(32) }
    const context = new RouterContextProvider()
    context.set(ctxContext, { ...market.ctx, viewer })
    context.set(siteContext, { env, limits: new RateLimits(1), media, contact: defaultSettings.contact, noteAway: () => {} })
    const cookieNames = cookieNamesFor(origin, origin, 'demo')
    context.set(visitorContext, { cookies: {}, cookieNames, address: '203.0.113.7', userAgent: '', hasSessionEnded: false })
    const request = new Request(`${origin}/seller-product/?tab=3`)
    return (await sellerLoader({ request, params: {}, context } as never)).data
  }

  test('get an SMS in their own language at each step, with all placeholders filled', async () => {
    const buyer = await makeUser(market.ctx, { typeId: 1, locale: 'en' })
    const seller = await makeUser(market.ctx, { typeId: 2, locale: 'ta' })
    for (const status of [3, 6, 100, 101, 102] as const) await made({ buyer, seller, status })
    const expected = ['placed', 'confirmed', 'checked', 'ready', 'on-the-way', 'delivered', 'cancelled', 'refused', 'unavailable']
    for (const [person, side, locale] of [
      [buyer, 'buyer', 'en'],
      [seller, 'seller', 'ta'],
    ] as const) {
      const sent = await smsTo(person.phone)
      expect(new Set(sent.map(({ template }) => template))).toEqual(new Set(expected.map((step) => `order-${step}-${side}`)))
      for (const { body, locale: its } of sent) {
        expect(its).toBe(locale)
        expect(body).not.toMatch(/[{}]|undefined|null/)
        expect(body).toMatch(side === 'buyer' ? /\/en\/orders#o\d+/ : /\/seller-product\/\?tab=1/)
      }
    }
    const other = await smsTo(seller.phone)
    expect(other.every(({ body }) => !body.includes(buyer.phone))).toBe(true)
  })

  test('the SMS to the seller says that the listing is for sale again only when it is', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2, locale: 'en' })
    const textsSent = async (sold: boolean, act: Record<string, string>) => {
      const order = await made({ seller })
      await market.ctx.db.update(listings).set({ isSold: sold }).where(eq(listings.id, order.listingId))
      await send(action, admin, { ...act, id: String(order.id) })
      const [line] = (await listOrderedLines(market.as(seller), seller.id)).lines
      return `${(await smsTo(seller.phone))[0]!.body} ${shownLine({ ...market.as(seller), locale: 'en' }, line!).next}`
    }
    const cancel = { act: 'end', from: '1', to: '100', reason: 'Sold elsewhere' }
    expect((await textsSent(false, cancel)).match(/for sale again/g)).toHaveLength(2)
    expect((await textsSent(true, cancel)).match(/not for sale now/g)).toHaveLength(2)
    expect((await textsSent(false, { ...cancel, to: '102' })).match(/check its stock/g)).toHaveLength(2)
    expect(await textsSent(true, { ...cancel, to: '102' })).not.toMatch(/again|stock/)
  })

  test('a former seller still gives away what was ordered from them, and finds the page', async () => {
    const order = await made()
    const seller = { ...order.seller, typeId: 1 }
    await market.ctx.db.update(users).set({ typeId: 1 }).where(eq(users.id, seller.id))
    expect(await openSelling(seller)).toMatchObject({
      tab: 'ordered',
      onlyOrdered: true,
      lists: { ordered: { lines: [{ id: order.id }] } },
    })
    await expect(openSelling({ ...order.buyer })).rejects.toMatchObject({ status: 302 })
    expect(await send(sellerAction, seller, { act: 'order-yes', id: String(order.id) })).toBeNull()
    expect(await statusOf(market.ctx, order.id)).toBe(2)
  })

  test('a deactivated person gets no SMS', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const order = await made({ seller })
    await market.ctx.db.execute(sql`delete from outbox`)
    await market.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, seller.id))
    await send(action, order.buyer, { act: 'cancel', id: String(order.id) })
    const sent = await market.ctx.db.select().from(outbox)
    expect(sent.map(({ template }) => template)).toEqual(['order-cancelled-buyer'])
  })
})

import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { listings } from '#src/listings/tables.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import type { OrderStatus } from '../process.server.ts'
import { makeOrder, statusOf, type MadeOrder } from './makers.server.ts'
import { orders } from '../tables.ts'

let app: TestApp
let admin: Viewer
let buyer: Viewer
shareTestApp((opened) => (app = opened), { rateLimitFactors: { address: 1000, user: 1 } })
beforeAll(async () => {
  admin = await makeUser(app.ctx, { typeId: 9 })
  buyer = await makeUser(app.ctx, { typeId: 1, name: 'Selvi' })
})

interface Wire {
  id: number
  order_no: string
  statusId: number
  status: string
  product: { pickup?: { address: object }; seller: { phone?: string } }
  buyer_phone?: string
  invoice: { invoice_number: string } | null
  steps: { from: number; to: number; by: string }[]
  [key: string]: unknown
}
const list = (id: number, as: Viewer, query = '') => app.read<Wire[]>(`/api/v1/order/buyer=${id}&type=${as.typeId}${query}`, { as })
const put = (path: string, as: Viewer) => app.call(`/api/v1${path}`, { method: 'PUT', as, csrf: true })
const step = (id: number, as: Viewer, json: object) => app.call(`/api/v1/order-step/id=${id}`, { method: 'POST', as, csrf: true, json })
const codeOf = async (response: Response) => (response.status === 200 ? 'taken' : ((await response.json()) as { code: string }).code)
const stockOf = async ({ listingId }: MadeOrder) =>
  (await app.ctx.db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, listingId)))[0]!.stock
const codeAtTheDoor = async (id: number) => {
  const [row] = await app.ctx.db.select({ sealed: orders.handoverSealed }).from(orders).where(eq(orders.id, id))
  return app.ctx.vault.open('handover', row!.sealed)
}

describe('the list of orders', () => {
  test('shows buyers their own orders in the form of B §3, without pickup place or phone numbers', async () => {
    const order = await makeOrder(app.ctx, { buyer, count: 2 })
    const [mine] = await list(buyer.id, buyer)
    expect(mine).toMatchObject({
      id: order.id,
      items_count: 2,
      buyer: buyer.id,
      price_per_item: 85_000,
      statusId: 1,
      status: 'Order placed',
      delivery_charge: 0,
      tax_amount: 0,
      invoice: null,
      delivery: { delivered_on: null, delivery_address: { buyer: buyer.id, address: { pincode: '638701' } } },
      steps: [{ from: 0, to: 1, by: 'buyer' }],
    })
    expect(mine!.total_payable).toBe(170_000 - (mine!.discountedamount as number))
    expect(mine!.product.pickup).toBeUndefined()
    expect(mine!.product.seller.phone).toBeUndefined()
    const other = await makeUser(app.ctx)
    expect(await list(other.id, other)).toEqual([])
  })

  test('shows an admin all orders with the pickup address, and writes an audit entry', async () => {
    await makeOrder(app.ctx)
    const all = await list(admin.id, admin)
    expect(new Set(all.map((order) => order.buyer)).size).toBeGreaterThan(1)
    for (const order of all) {
      expect(order.product.pickup?.address).toMatchObject({ pincode: '638701', address_1: '1 Sample Farm' })
      expect(order.buyer_phone).toMatch(/^\+91/)
    }
    const theirs = await list(buyer.id, admin)
    expect(new Set(theirs.map((order) => order.buyer))).toEqual(new Set([buyer.id]))
    const reads = await app.ctx.db.select().from(auditEvents).where(eq(auditEvents.actorId, admin.id))
    expect(reads.map(({ event, object }) => `${event} ${object}`)).toEqual(
      expect.arrayContaining(['sensitive_read orders:all', `sensitive_read user:${buyer.id}`]),
    )
  })

  test('continues at a cursor, which is valid for the same list only', async () => {
    const many = await makeUser(app.ctx)
    const { listingId } = await makeOrder(app.ctx, { buyer: many, listing: { stock: 200 } })
    for (let n = 0; n < 60; n++) await makeOrder(app.ctx, { buyer: many, listingId })
    const first = await app.call(`/api/v1/order/buyer=${many.id}&type=1`, { as: many })
    const cursor = first.headers.get('x-next-cursor')!
    expect((await first.json()) as object[]).toHaveLength(60)
    expect(await list(many.id, many, `?cursor=${cursor}`)).toHaveLength(1)
    expect(await app.refused(`/api/v1/order/buyer=${buyer.id}&type=1?cursor=${cursor}`, { as: buyer })).toBe('422 VALIDATION')
  })

  test('the status names contain every status except that of a cart line', async () => {
    const names = await app.read<{ id: number; name: string }[]>('/api/v1/order-status', { as: buyer })
    expect(names.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 100, 101, 102])
    expect(names.filter(({ name }) => name.includes('Delivered'))).toEqual([{ id: 6, name: 'Delivered' }])
    const inTamil = await app.read<{ name: string }[]>('/api/v1/order-status', { as: buyer, language: 'ta' })
    expect(inTamil[5]!.name).toBe('ஒப்படைக்கப்பட்டது')
  })
})

describe('the status of an order', () => {
  test('an admin can move it along the graph only', async () => {
    const { id } = await makeOrder(app.ctx)
    for (const to of [3, 4, 5, 6, 101]) expect(await codeOf(await put(`/order-detail-status/id=${id}/${to}`, admin))).toBe('ORDER_STEP')
    for (const to of [2, 3, 4, 5, 6]) expect(await codeOf(await put(`/order-detail-status/id=${id}/${to}`, admin))).toBe('taken')
    expect(await codeOf(await put(`/order-detail-status/id=${id}/100`, admin))).toBe('ORDER_TERMINAL')
    const [order] = (await list(admin.id, admin)).filter((each) => each.id === id)
    expect(order!.steps.map(({ to }) => to)).toEqual([1, 2, 3, 4, 5, 6])
    expect(order!.invoice?.invoice_number).toMatch(/\d/)
  })

  test('a client that names the status it saw moves no order that somebody else has moved', async () => {
    const { id, seller } = await makeOrder(app.ctx)
    const move = (to: number, json: object) =>
      app.call(`/api/v1/order-detail-status/id=${id}/${to}`, { method: 'PUT', as: admin, csrf: true, json })
    expect(await codeOf(await step(id, seller, { status: 2, from: 1 }))).toBe('taken')
    expect(await codeOf(await move(102, { from: 1 }))).toBe('VERSION')
    expect(await codeOf(await step(id, seller, { status: 102, from: 1 }))).toBe('VERSION')
    expect(await codeOf(await move(3, { from: 2 }))).toBe('taken')
    expect(await codeOf(await move(102, {}))).toBe('taken')
  })

  test('its buyer can cancel it once, and the stock returns to the listing', async () => {
    const order = await makeOrder(app.ctx, { buyer, count: 2 })
    expect(await stockOf(order)).toBe(3)
    expect(await codeOf(await put(`/order-detail-status/id=${order.id}/2`, buyer))).toBe('ROLE_FORBIDDEN')
    expect(await codeOf(await put(`/order-detail-status/id=${order.id}/100`, await makeUser(app.ctx)))).toBe('NOT_FOUND')
    expect(await codeOf(await put(`/order-detail-status/id=${order.id}/100`, order.seller))).toBe('ROLE_FORBIDDEN')
    expect(await codeOf(await put(`/order-detail-status/id=${order.id}/100`, buyer))).toBe('taken')
    expect(await codeOf(await put(`/order-detail-status/id=${order.id}/100`, buyer))).toBe('ORDER_TERMINAL')
    expect(await stockOf(order)).toBe(5)
  })
})

test('the document of an order names the animal in the requested language', async () => {
  const listing = { name: 'காங்கேயம் காளை', nameEn: 'Kangayam bull' }
  const order = await makeOrder(app.ctx, { status: 6, listing })
  const nameIn = async (language: string) => {
    const headers = { 'Accept-Language': language }
    const answer = await app.call(`/api/v1/saleinvoice/orderid=${order.id}`, { as: order.seller, headers })
    return ((await answer.json()) as { items: { name: string }[] }).items[0]!.name
  }
  expect(await nameIn('en')).toBe('Kangayam bull')
  expect(await nameIn('ta')).toBe('காங்கேயம் காளை')
})

test('the commission invoice has the fields of A §3', async () => {
  const order = await makeOrder(app.ctx, { status: 6, count: 2 })
  const invoice = { invoicenumber: expect.stringMatching(/^SC\/\d{4}-\d{2}\/\d{5}$/) as string, invoice_date: indianDay(app.ctx.now) }
  const sums = { totalprice: 170_000, profitpercent: 5, commission: 8500 }
  expect(await app.read(`/api/v1/saleinvoice/orderid=${order.id}`, { as: order.seller })).toMatchObject({ ...invoice, ...sums })
  const path = `/api/v1/sellerproducts/seller=${order.seller.id}&type=2&getitems=ordered&top=0`
  expect(await app.read(path, { as: order.seller })).toMatchObject([{ id: order.id, sale_invoice: { ...invoice, ...sums } }])
})

describe('a payment', () => {
  const wayTo = async (status: OrderStatus) => (await makeOrder(app.ctx, { status, buyer: await makeUser(app.ctx) })).id
  const state = (id: number, as: Viewer, json?: object) =>
    app.call(`/api/v1/order-detail-status/id=${id}/6`, { method: 'PUT', as, csrf: true, ...(json && { json }) })
  const orderOf = async (id: number) => (await list(0, admin)).find((order) => order.id === id)!

  test('that nobody stated is null on the wire until an admin states it with the same call', async () => {
    const id = await wayTo(5)
    expect(await codeOf(await state(id, admin))).toBe('taken')
    const buyer = { id: (await orderOf(id)).buyer as number } as Viewer
    expect(await orderOf(id)).toMatchObject({ statusId: 6, payment_method: null, amount_paid: null, total_payable: 84_500 })
    const receipt = () => app.read<object>(`/api/v1/saleinvoice/orderid=${id}`, { as: buyer })
    expect(await receipt()).toMatchObject({ payable: 84_500, payment_method: null, amount_paid: null })
    const stated = { method: 'cash', amount: 84_500, note: 'The bearer brought it.' }
    expect(await codeOf(await state(id, buyer, stated))).toBe('ROLE_FORBIDDEN')
    const { method: _method, ...rest } = stated
    for (const half of [rest, { ...stated, note: '' }, { ...stated, amount: 84_501 }, { ...stated, method: 'card' }, { method: 'cash' }])
      expect(await codeOf(await state(id, admin, half)), JSON.stringify(half)).toBe('VALIDATION')
    expect(await codeOf(await state(id, admin, stated))).toBe('taken')
    expect(await orderOf(id)).toMatchObject({ payment_method: 'cash', amount_paid: 84_500 })
    expect((await orderOf(id)).steps.at(-1)).toMatchObject({ from: 6, to: 6, by: 'admin' })
    expect(await receipt()).toMatchObject({ payable: 84_500, payment_method: 'cash', amount_paid: 84_500 })
    expect(await codeOf(await state(id, admin, stated))).toBe('ORDER_TERMINAL')
  })

  test('stated with the delivery is printed on the receipt; stated with another status or before the delivery, it is refused', async () => {
    const id = await wayTo(5)
    const stated = { method: 'upi', amount: '84500', note: 'Seen by phone.' }
    expect(await codeOf(await state(await wayTo(4), admin, stated))).toBe('ORDER_STEP')
    const early = await wayTo(1)
    const body = { method: 'PUT', as: admin, csrf: true, json: stated }
    expect(await app.refused(`/api/v1/order-detail-status/id=${early}/2`, body)).toBe('422 VALIDATION')
    expect(await codeOf(await state(id, admin, stated))).toBe('taken')
    expect(await orderOf(id)).toMatchObject({ statusId: 6, payment_method: 'upi', amount_paid: 84_500 })
  })

  test('is not recorded when the bearer leaves it out; method or amount alone is refused', async () => {
    const bearer = await makeUser(app.ctx, { typeId: 4 })
    const id = await wayTo(5)
    await app.ctx.db.update(orders).set({ bearerId: bearer.id }).where(eq(orders.id, id))
    const code = await codeAtTheDoor(id)
    expect(await codeOf(await step(id, bearer, { status: 6, code, payment_method: 'cash' }))).toBe('VALIDATION')
    expect(await codeOf(await step(id, bearer, { status: 6, code, amount_paid: 84_500 }))).toBe('VALIDATION')
    expect(await codeOf(await step(id, bearer, { status: 6, code }))).toBe('taken')
    expect(await orderOf(id)).toMatchObject({ statusId: 6, payment_method: null, amount_paid: null })
  })
})

describe('steps of seller, buyer and bearer', () => {
  test('a seller confirms an order or reports that the animal is not available', async () => {
    const yes = await makeOrder(app.ctx)
    expect(await codeOf(await step(yes.id, yes.buyer, { status: 2 }))).toBe('ROLE_FORBIDDEN')
    expect(await codeOf(await step(yes.id, yes.seller, { status: 2 }))).toBe('taken')
    expect(await codeOf(await step(yes.id, yes.seller, { status: 2 }))).toBe('ORDER_STEP')
    const no = await makeOrder(app.ctx)
    expect(await codeOf(await step(no.id, no.seller, { status: 102, reason: 'It fell ill.' }))).toBe('taken')
    expect(await stockOf(no)).toBe(5)
    expect(await statusOf(app.ctx, no.id)).toBe(102)
    // The admin's call does not accept steps of a seller.
    const third = await makeOrder(app.ctx)
    expect(await codeOf(await put(`/order-detail-status/id=${third.id}/2`, third.seller))).toBe('ROLE_FORBIDDEN')
  })

  test('a buyer refuses at the door with a reason, only while the order is on the way', async () => {
    const early = await makeOrder(app.ctx, { status: 4 })
    expect(await codeOf(await step(early.id, early.buyer, { status: 101, reason: 'Lame' }))).toBe('ORDER_STEP')
    const order = await makeOrder(app.ctx, { status: 5 })
    expect(await codeOf(await step(order.id, order.buyer, { status: 101 }))).toBe('VALIDATION')
    expect(await codeOf(await step(order.id, order.buyer, { status: 101, reason: 'Lame on one leg' }))).toBe('taken')
    expect((await list(order.buyer.id, order.buyer))[0]).toMatchObject({ statusId: 101, reason: 'Lame on one leg' })
  })

  test("a bearer closes the order with the buyer's four digits; the fifth wrong code locks it", async () => {
    const bearer = await makeUser(app.ctx, { typeId: 4 })
    const named = async () => {
      const order = await makeOrder(app.ctx, { status: 5 })
      await app.ctx.db.update(orders).set({ bearerId: bearer.id }).where(eq(orders.id, order.id))
      return order
    }
    const order = await named()
    const right = await codeAtTheDoor(order.id)
    const wrong = right === '0000' ? '1111' : '0000'
    expect(await codeOf(await step(order.id, bearer, { status: 6, code: wrong }))).toBe('HANDOVER_CODE_WRONG')
    expect(await codeOf(await step(order.id, order.buyer, { status: 6, code: right }))).toBe('ROLE_FORBIDDEN')
    // The receipt never changes, so an amount above the payable amount is refused, and a lower one needs an admin's note.
    const closed = { status: 6, code: right, payment_method: 'upi', amount_paid: 84_500 }
    for (const amount_paid of [84_501, 99_999_999, 84_499.5, 1.5])
      expect(await codeOf(await step(order.id, bearer, { ...closed, amount_paid })), String(amount_paid)).toBe('VALIDATION')
    expect(await codeOf(await step(order.id, admin, { ...closed, amount_paid: 84_000.5 }))).toBe('VALIDATION')
    expect(await codeOf(await step(order.id, bearer, closed))).toBe('taken')
    expect((await list(order.buyer.id, order.buyer))[0]).toMatchObject({ statusId: 6, payment_method: 'upi', amount_paid: 84_500 })

    const locked = await named()
    const its = await codeAtTheDoor(locked.id)
    for (let n = 0; n < 5; n++) await step(locked.id, bearer, { status: 6, code: its === '0000' ? '1111' : '0000' })
    expect(await codeOf(await step(locked.id, bearer, { status: 6, code: its }))).toBe('HANDOVER_LOCKED')
    // An admin has no digits, so their note must say how the delivery is known.
    expect(await codeOf(await step(locked.id, admin, { status: 6 }))).toBe('VALIDATION')
    const noted = { status: 6, note: 'Called the buyer: they have it.', payment_method: 'cash', amount_paid: 84_000.5 }
    expect(await codeOf(await step(locked.id, admin, { ...noted, amount_paid: 84_501 }))).toBe('VALIDATION')
    expect(await codeOf(await step(locked.id, admin, noted))).toBe('taken')
  })
})

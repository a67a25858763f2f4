import { eq, sql } from 'drizzle-orm'
import { RouterContextProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { addToCart } from '#src/cart/commands.server.ts'
import { getCart } from '#src/cart/queries.server.ts'
import { linesText } from '#src/cart/rules.ts'
import { cartLines } from '#src/cart/tables.ts'
import { ctxContext, siteContext, visitorContext, type Viewer } from '#src/kit/context.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { cookieNamesFor } from '#src/kit/base/cookies.server.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { ORIGIN, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { action, loader } from '#src/orders/checkout/confirm-order-page.tsx'
import { findPlaced, placedUnder } from '#src/orders/checkout/placed-orders.server.ts'
import { CANCELLED, NOT_AVAILABLE } from '../process.server.ts'
import { orders } from '../tables.ts'

let app: TestApp
let sellers: Viewer[]
let buyer: Viewer
let home: number
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  sellers = [await makeUser(app.ctx, { typeId: 2 }), await makeUser(app.ctx, { typeId: 4 })]
})
beforeEach(async () => {
  buyer = await makeUser(app.ctx)
  home = await makeAddress(app.ctx, buyer.id, { pincode: '641001' })
})

const goat = (facts: ListingFacts = {}) =>
  makeListing(app.ctx, { sellerId: sellers[0]!.id, stock: 5, originalPrice: rupees(12_000), offerPrice: rupees(10_000), ...facts })
const add = (listingId: number, count = 1) => addToCart(app.as(buyer), { listingId, count })
/** Two goats of one seller and one goat of another: ₹30,000. */
async function fillCart(): Promise<[number, number]> {
  const ids: [number, number] = [await goat(), await goat({ sellerId: sellers[1]!.id })]
  await add(ids[0], 2)
  await add(ids[1])
  return ids
}
const confirm = (options: { address?: number; code?: string; key?: string; by?: Viewer; as?: Viewer } = {}) => {
  const { address = home, code = '', key, by = buyer, as = buyer } = options
  return app.call(`/api/v1/confirm-order/buyer=${by.id}&address=${address}&code=${code}`, {
    method: 'PUT',
    as,
    csrf: true,
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  })
}
interface Answer {
  rows?: number
  orders?: { id: number; order_no: string }[]
  code?: string
  lines?: { product: number; items_count: number; stock: number }[]
}
const answerOf = async (response: Promise<Response>) => {
  const { status } = await response
  return { status, ...((await (await response).json()) as Answer) }
}
const codeOf = async (response: Promise<Response>) => {
  const { status, code } = await answerOf(response)
  return `${status} ${code}`
}
const ordersOf = (who = buyer) => app.ctx.db.select().from(orders).where(eq(orders.buyerId, who.id)).orderBy(orders.id)
const stockOf = async (id: number) =>
  (await app.ctx.db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, id)))[0]!.stock

describe('userdiscount', () => {
  const discount = (code = '', as = buyer) => app.call(`/api/v1/userdiscount/buyer=${as.id}&code=${code}`, { as })
  const codeOfPerson = async (id: number) =>
    (await app.ctx.db.select({ code: users.referralCode }).from(users).where(eq(users.id, id)))[0]!.code

  test('is the first-order discount while the buyer has no order, whatever the code', async () => {
    const first = {
      discount_percent: 2,
      discount_rupees: 0,
      max_discount_rupees: 500,
      typeid: 1,
      discountedamount: 0,
      spent_on_less: false,
    }
    expect(await (await discount()).json()).toEqual(first)
    expect(await (await discount(await codeOfPerson(sellers[0]!.id))).json()).toEqual(first)
  })

  test('is the referral code’s after the first order; unknown, own and used codes get the same answer', async () => {
    await add(await goat())
    expect((await confirm()).status).toBe(200)
    const good = await codeOfPerson(sellers[0]!.id)
    expect(await (await discount(good)).json()).toMatchObject({
      discount_percent: 0,
      discount_rupees: 500,
      max_discount_rupees: 5000,
      typeid: 2,
    })
    const bodies = new Set<string>()
    const refused = async (code: string) => {
      const response = await discount(code)
      expect(response.status).toBe(404)
      bodies.add(JSON.stringify({ ...((await response.json()) as object), requestId: '' }))
    }
    await refused('')
    await refused('ZZZZZZZZZZ')
    await refused(await codeOfPerson(buyer.id))
    await add(await goat())
    expect((await confirm({ code: good })).status).toBe(200)
    await refused(good)
    expect(bodies.size).toBe(1)
  })

  test('tells the discount for the cart, and warns when the oldest line costs less than the discount could cover', async () => {
    const quoteFor = async (price: number, code = '') => {
      await app.ctx.db.delete(cartLines).where(eq(cartLines.buyerId, buyer.id))
      await add(await goat({ originalPrice: rupees(price), offerPrice: null }))
      return (await discount(code)).json()
    }
    // First order: 2 %, at most ₹500.
    expect(await quoteFor(9000)).toMatchObject({ typeid: 1, discountedamount: 180, spent_on_less: false })
    expect(await quoteFor(450)).toMatchObject({ typeid: 1, discountedamount: 9, spent_on_less: true })
    expect((await confirm()).status).toBe(200)
    // Referral code: ₹500.
    const code = await codeOfPerson(sellers[0]!.id)
    expect(await quoteFor(499.5, code)).toMatchObject({ typeid: 2, discountedamount: 499.5, spent_on_less: true })
    expect(await quoteFor(500, code)).toMatchObject({ typeid: 2, discountedamount: 500, spent_on_less: false })
  })

  test('accepts only the viewer’s own id and ten characters or none, ten times a minute', async () => {
    expect(await codeOf(Promise.resolve(app.call(`/api/v1/userdiscount/buyer=${sellers[0]!.id}&code=`, { as: buyer })))).toBe(
      '404 NOT_FOUND',
    )
    for (const code of ['x', 'ABCDE1234%20', 'ABCDE123456', 'ABCDE%E0%AE%8545']) expect((await discount(code)).status).toBe(422)
    for (let n = 0; n < 5; n++) expect((await discount()).status).toBe(200)
    expect((await discount()).status).toBe(429)
  })
})

describe('confirm-order', () => {
  test('turns each cart line into an order with the same number, takes the stock and empties the cart', async () => {
    const [first, second] = await fillCart()
    const lines = await app.ctx.db.select().from(cartLines).where(eq(cartLines.buyerId, buyer.id)).orderBy(cartLines.id)
    const answer = await answerOf(confirm())
    expect(answer).toMatchObject({ status: 200, rows: 2 })
    expect(answer.orders!.map(({ id }) => id)).toEqual(lines.map(({ id }) => id))
    expect(await ordersOf()).toMatchObject([
      { listingId: first, count: 2, unitPrice: rupees(10_000), discount: rupees(400), orderNo: answer.orders![0]!.order_no },
      { listingId: second, count: 1, unitPrice: rupees(10_000), discount: 0n, orderNo: answer.orders![1]!.order_no },
    ])
    expect([await stockOf(first), await stockOf(second)]).toEqual([3, 4])
    expect(await app.read(`/api/v1/buyercart/buyer=${buyer.id}`, { as: buyer })).toEqual([])
  })

  test.runIf(process.env.TEST_DATABASE === 'postgres')('uses the database’s clock, not the server’s', async () => {
    await fillCart()
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2020-01-01') })
    try {
      expect((await confirm()).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
    expect((await ordersOf()).map(({ changedAt }) => changedAt.getFullYear() > 2024)).toEqual([true, true])
  })

  test('a placed line is no longer a cart line: ORDER_PLACED to its buyer, NOT_FOUND to others', async () => {
    await fillCart()
    const { orders: placed } = await answerOf(confirm())
    const path = `/api/v1/order-detail/id=${placed![0]!.id}`
    const put = (as: Viewer) => codeOf(app.call(path, { method: 'PUT', as, csrf: true, json: { items_count: 1 } }))
    const remove = (as: Viewer) => codeOf(app.call(path, { method: 'DELETE', as, csrf: true }))
    expect([await put(buyer), await remove(buyer)]).toEqual(['409 ORDER_PLACED', '409 ORDER_PLACED'])
    expect([await put(sellers[0]!), await remove(sellers[0]!)]).toEqual(['404 NOT_FOUND', '404 NOT_FOUND'])
    expect(await ordersOf()).toHaveLength(2)
  })

  test('the same key gives one order and the same answer; another confirmation under it is refused', async () => {
    await fillCart()
    const first = await answerOf(confirm({ key: 'tap-1' }))
    await add(await goat())
    expect(await answerOf(confirm({ key: 'tap-1' }))).toEqual(first)
    expect(await codeOf(confirm({ key: 'tap-1', address: await makeAddress(app.ctx, buyer.id) }))).toBe('409 IDEMPOTENCY_MISMATCH')
    expect(await ordersOf()).toHaveLength(2)
    expect(await answerOf(confirm({ key: 'tap-2' }))).toMatchObject({ status: 200, rows: 1 })
  })

  test('a repeat without a key on an empty cart returns the same answer', async () => {
    expect(await codeOf(confirm())).toBe('409 CART_EMPTY')
    await fillCart()
    const first = await answerOf(confirm())
    expect(await answerOf(confirm())).toEqual(first)
    expect(await codeOf(confirm({ address: await makeAddress(app.ctx, buyer.id) }))).toBe('409 CART_EMPTY')
  })

  test('is refused as a whole when one line has too little stock, and the answer names the line', async () => {
    const [first, second] = await fillCart()
    await app.ctx.db.update(listings).set({ stock: 1 }).where(eq(listings.id, first))
    await app.ctx.db.update(listings).set({ state: 'pending' }).where(eq(listings.id, second))
    const refused = await answerOf(confirm())
    expect(refused).toMatchObject({ status: 409, code: 'STOCK_CHANGED' })
    expect(refused.lines).toMatchObject([
      { product: first, items_count: 2, stock: 1 },
      { product: second, items_count: 1, stock: 0 },
    ])
    expect(await ordersOf()).toEqual([])
    expect(await stockOf(first)).toBe(1)
  })

  test('requires an address of the buyer, within our delivery area, and a pickup place within it', async () => {
    const [, second] = await fillCart()
    expect(await codeOf(confirm({ address: await makeAddress(app.ctx, sellers[0]!.id) }))).toBe('404 NOT_FOUND')
    expect(await codeOf(confirm({ by: sellers[0]! }))).toBe('404 NOT_FOUND')
    expect(await codeOf(confirm({ address: await makeAddress(app.ctx, buyer.id, { pincode: '560001' }) }))).toBe('409 NOT_DELIVERABLE')
    const far = await goat({ pincode: '560001' })
    await add(far)
    const refused = await answerOf(confirm())
    expect([refused.code, refused.lines!.map(({ product }) => product)]).toEqual(['NOT_DELIVERABLE', [far]])
    expect(await stockOf(second)).toBe(5)
  })
})

describe('the page’s form', () => {
  const send = (fields: Record<string, string>, viewer = buyer, address = home) =>
    sendForm(app.ctx, action as never, { viewer, fields, params: { addressId: String(address) } })
  const place = (fields: Record<string, string> = {}) => {
    const sent = send({ act: 'place', code: '', attempt: 'attempt-1', shown: String(rupees(29_600)), ...fields })
    return sent.then(
      (code) => code,
      (thrown: unknown) => (thrown instanceof Response ? thrown.headers.get('Location') : Promise.reject(thrown)),
    )
  }

  test('places the order once however often it is sent, and redirects to its numbers', async () => {
    await fillCart()
    const first = await place()
    const [order] = await ordersOf()
    expect(first).toBe(`/en/confirm-order/${home}?placed=${order!.id}`)
    expect(await place()).toBe(first)
    expect(await ordersOf()).toHaveLength(2)
    const placed = await findPlaced(app.as(buyer), order!.id)
    expect(placed!.orders.map(({ count }) => count)).toEqual([2, 1])
    expect(placed!.payable).toBe(rupees(29_600))
    // Only the buyer learns the sellers' phone numbers and the usual delivery time.
    expect(placed!.sellers.map(({ id }) => id).toSorted()).toEqual(sellers.map(({ id }) => id).toSorted())
    for (const { phone } of placed!.sellers) expect(phone).toMatch(/^\+91\d{10}$/)
    expect(placed!.days).toMatchObject({ from: expect.any(Number), to: expect.any(Number) })
    expect(await findPlaced(app.as(sellers[0]!), order!.id)).toBeNull()
  })

  test('redirects to the placed order when the response was lost and the buyer has typed a code since', async () => {
    await fillCart()
    const first = await place()
    for (const code of ['SELVI12345', 'SELVI1234']) expect(await place({ code })).toBe(first)
    expect(await ordersOf()).toHaveLength(2)
    expect(await placedUnder(app.as(sellers[0]!), 'attempt-1')).toBeNull()
  })

  test('opened later, shows the current status and sums only the open orders', async () => {
    await fillCart()
    await place()
    const [first, second] = await ordersOf()
    const found = () => findPlaced(app.as(buyer), second!.id)
    const setStatus = (id: number, status: number) => app.ctx.db.update(orders).set({ status }).where(eq(orders.id, id))
    await setStatus(first!.id, CANCELLED)
    await add(await goat())
    expect(await found()).toMatchObject({
      cartLines: 1,
      orders: [
        { statusName: 'Cancelled', isOver: true },
        { statusName: null, isOver: false },
      ],
      payable: rupees(10_000),
      isOver: false,
      isAwaited: true,
    })
    await setStatus(second!.id, NOT_AVAILABLE)
    expect(await found()).toMatchObject({ payable: 0n, isOver: true, isAwaited: false })
  })

  test('orders nothing when the total has changed, and shows the new total', async () => {
    const [first] = await fillCart()
    await app.ctx.db
      .update(listings)
      .set({ offerPrice: rupees(11_000) })
      .where(eq(listings.id, first))
    expect(await place()).toBe(`/en/confirm-order/${home}?code=&changed=1`)
    expect(await ordersOf()).toEqual([])
  })

  test('orders nothing when the animals have changed at the same total', async () => {
    const lines = async () => linesText(await getCart(app.as(buyer)))
    await fillCart()
    const shown = await lines()
    await app.ctx.db.delete(cartLines)
    await fillCart()
    expect(await place({ lines: shown })).toBe(`/en/confirm-order/${home}?code=&changed=1`)
    expect(await ordersOf()).toEqual([])
    expect(await place({ lines: await lines() })).toContain('placed=')
    expect(await ordersOf()).toHaveLength(2)
  })

  test('applies a code without ordering, and gives an error code when it orders nothing', async () => {
    await fillCart()
    expect(await place({ act: 'apply', code: ' selvi12345 ' })).toBe(`/en/confirm-order/${home}?code=SELVI12345`)
    expect(await ordersOf()).toEqual([])
    // A code that was not answered yet leads to its answer first, also when the buyer presses the order button.
    expect(await place({ code: 'WRONGCODE1' })).toBe(`/en/confirm-order/${home}?code=WRONGCODE1`)
    expect(await place({ act: 'apply', code: 'selvi1234' })).toBe(`/en/confirm-order/${home}?code=SELVI1234`)
    expect(await place({ code: 'SELVI-12345' })).toBe(`/en/confirm-order/${home}?code=SELVI-12345`)
    expect(await place({ code: 'SELVI-123', answered: 'SELVI-12345' })).toBe(`/en/confirm-order/${home}?code=SELVI-123`)
    expect(await ordersOf()).toEqual([])
    expect(await send({ act: 'place' }, sellers[0]!)).toBe('ROLE_FORBIDDEN')
    const other = await makeUser(app.ctx)
    expect(await send({ act: 'place' }, other)).toBe('NOT_FOUND')
    expect(await send({ act: 'place' }, other, await makeAddress(app.ctx, other.id))).toBe('CART_EMPTY')
    expect(await send({ act: 'place' }, buyer, 999_999)).toBe('NOT_FOUND')
    // A buyer who has read that and orders all the same gets no discount (B §7).
    expect(await place({ code: 'SELVI-12345', answered: 'SELVI-12345' })).toContain('placed=')
    expect(await ordersOf()).toHaveLength(2)
  })
})

describe('the page', () => {
  const open = async (query: string, cookies: Record<string, string> = {}) => {
    const env = { ...readEnv({ PUBLIC_ORIGIN: ORIGIN }), secret: 's'.repeat(32) }
    const context = new RouterContextProvider()
    context.set(ctxContext, app.as(buyer))
    context.set(siteContext, { env, limits: new RateLimits(1), media: null as never, contact: defaultSettings.contact, noteAway: () => {} })
    const cookieNames = cookieNamesFor(ORIGIN, ORIGIN, 'demo')
    context.set(visitorContext, { cookies, cookieNames, address: '203.0.113.7', userAgent: '', hasSessionEnded: false })
    const request = new Request(`${ORIGIN}/en/confirm-order/${home}${query}`)
    const { data } = await loader({ request, params: { addressId: String(home) }, context } as never)
    if (data.kind !== 'review') throw new Error('Nothing was placed.')
    return { code: data.code, says: data.codeSays, off: data.sums.referralDiscount }
  }
  const codeOf = async ({ id }: Viewer) =>
    (await app.ctx.db.select({ code: users.referralCode }).from(users).where(eq(users.id, id)))[0]!.code

  test('shows the worth of a code ten times a minute, whether it comes by address or cookie; then it stops checking codes', async () => {
    await add(await goat())
    expect((await confirm()).status).toBe(200)
    await add(await goat())
    const code = await codeOf(sellers[0]!)
    for (let n = 0; n < 8; n++) expect(await open('?code=ZZZZZZZZZZ')).toEqual({ code: 'ZZZZZZZZZZ', says: 'looked', off: 0n })
    expect(await open(`?code=${code.toLowerCase()}`)).toEqual({ code, says: 'looked', off: rupees(500) })
    expect(await open('', { refcode: code })).toEqual({ code, says: 'looked', off: rupees(500) })
    expect(await open(`?code=${code}`)).toEqual({ code, says: 'later', off: 0n })
    expect(await open('', { refcode: code })).toEqual({ code, says: 'later', off: 0n })
    expect(await open('')).toEqual({ code: '', says: null, off: 0n })
  })

  test('keeps an invalid code in the field, reports it, and does not count it as a try', async () => {
    await add(await goat())
    for (let n = 0; n < 11; n++) expect(await open('?code=selvi1234')).toEqual({ code: 'SELVI1234', says: 'wrong', off: 0n })
    expect(await open('?code=++')).toMatchObject({ code: '', says: null })
    expect(await open('?code=selvi%2012345')).toMatchObject({ code: 'SELVI12345', says: 'looked' })
  })
})

/** All statements, including sessions and rate limits; BEGIN and COMMIT are not counted. */
const CHECKOUT_STATEMENTS = 40

test(`a whole checkout (add, address, confirm, read) is at most ${CHECKOUT_STATEMENTS} statements`, async () => {
  const product = await goat()
  const address = {
    name: 'Selvi',
    phone: '+919876543210',
    type: 1,
    address_1: '12 Gandhi Street',
    address_2: 'Main Road',
    pincode: '641001',
  }
  const write = { as: buyer, csrf: true }
  // Login and the hourly sweep of counters are not part of the budget.
  expect((await app.call('/api/v1/order-detail/id=999999', { ...write, method: 'DELETE' })).status).toBe(404)
  app.statements()
  const line = { product, items_count: 1 }
  expect((await app.call(`/api/v1/buyercart/buyer=${buyer.id}`, { ...write, method: 'POST', json: line })).status).toBe(200)
  const { id } = (await (await app.call(`/api/v1/user-address/user=${buyer.id}`, { ...write, method: 'POST', json: address })).json()) as {
    id: number
  }
  expect(await answerOf(confirm({ address: id, key: 'checkout' }))).toMatchObject({ status: 200, rows: 1 })
  expect(await app.read(`/api/v1/order/buyer=${buyer.id}&type=1`, { as: buyer })).toHaveLength(1)
  const seen = app.statements().filter((sql) => !/^\s*(begin|commit)\b/i.test(sql))
  expect(seen.length, seen.map((sql) => sql.replace(/\s+/g, ' ').slice(0, 90)).join('\n')).toBeLessThanOrEqual(CHECKOUT_STATEMENTS)
})

test('an order makes the cached pages of its animals stale, and the last animal also the pages that show counts', async () => {
  const [many, last] = [await goat(), await goat({ stock: 1 })]
  const namesOf = async (id: number) => {
    await app.ctx.db.execute(sql`delete from page_changes`)
    await add(id)
    expect((await confirm()).status).toBe(200)
    const { rows } = (await app.ctx.db.execute(sql`select names from page_changes`)) as unknown as { rows: { names: string[] | null }[] }
    return rows.flatMap(({ names }) => names ?? ['every page']).toSorted()
  }
  expect(await namesOf(many)).toEqual([`animal ${many}`])
  expect(await namesOf(last)).toEqual([`animal ${last}`, 'breed 101', 'counts', `seller ${sellers[0]!.id}`])
})

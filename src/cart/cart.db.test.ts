import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { addToCart, removeLine, setCount } from './commands.server.ts'
import { getCart } from './queries.server.ts'
import { cartLines } from './tables.ts'

let app: TestApp
let seller: Viewer
let buyer: Viewer
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  seller = await makeUser(app.ctx, { typeId: 2, name: 'Murugesan', isVerified: true })
})
beforeEach(async () => {
  buyer = await makeUser(app.ctx)
})

const goat = (facts: ListingFacts = {}) =>
  makeListing(app.ctx, { sellerId: seller.id, stock: 5, originalPrice: rupees(12_000), offerPrice: rupees(11_000.5), ...facts })
const add = (listingId: number, count = 1, by = buyer) => addToCart(app.as(by), { listingId, count })
const cart = (by = buyer) => getCart(app.as(by))
const change = (id: number, columns: Partial<typeof listings.$inferInsert>) =>
  app.ctx.db.update(listings).set(columns).where(eq(listings.id, id))

describe('adding to the cart', () => {
  test('shows the line with its animal, oldest first, at the current price', async () => {
    const [first, second] = [await goat(), await goat({ offerPrice: null, weightKg: 0 })]
    expect(await add(first, 2)).toBe(1)
    expect(await add(second)).toBe(2)
    const lines = await cart()
    expect(lines.map(({ listingId, count, state }) => [listingId, count, state])).toEqual([
      [first, 2, 'ok'],
      [second, 1, 'ok'],
    ])
    expect(lines[0]).toMatchObject({
      unitPrice: rupees(11_000.5),
      originalPrice: rupees(12_000),
      seenPrice: rupees(11_000.5),
      stock: 5,
      breed: 'Kangayam',
      gender: 'Male',
      code: `COW-${String(first).padStart(5, '0')}`,
      seller: { name: 'Murugesan', isVerified: true },
      isPickupDeliverable: true,
    })
    expect(lines[1]).toMatchObject({ unitPrice: rupees(12_000), originalPrice: rupees(12_000), weightKg: 0 })
    expect(lines).toHaveLength(2)
  })

  test('hides the phone numbers in names and descriptions', async () => {
    await add(await goat({ name: 'Goat 98765 43210', description: 'Call 98765-43211' }))
    expect(await cart()).toMatchObject([{ name: 'Goat xxxxx', description: 'Call xxxxx' }])
  })

  test('a second time sets the count of the same line, so a double tap buys one goat', async () => {
    const id = await goat()
    expect(await add(id)).toBe(1)
    const [line] = await cart()
    expect(await add(id)).toBe(1)
    expect(await cart()).toMatchObject([{ id: line!.id, count: 1 }])
    expect(await add(id, 3)).toBe(1)
    expect(await cart()).toMatchObject([{ id: line!.id, count: 3 }])
  })

  test('affects the viewer’s own cart only', async () => {
    const other = await makeUser(app.ctx)
    await add(await goat())
    const [line] = await cart()
    expect(await cart(other)).toEqual([])
    expect(await refusalOf(setCount(app.as(other), line!.id, 2))).toBe('NOT_FOUND')
    expect(await refusalOf(removeLine(app.as(other), line!.id))).toBe('NOT_FOUND')
    expect(await cart()).toMatchObject([{ count: 1 }])
  })

  test('is refused for sellers of type 2, admins and anonymous visitors', async () => {
    const id = await goat()
    for (const typeId of [2, 4, 9]) expect(await refusalOf(add(id, 1, await makeUser(app.ctx, { typeId })))).toBe('ROLE_FORBIDDEN')
    expect(await refusalOf(addToCart(app.as(null), { listingId: id, count: 1 }))).toBe('AUTH_REQUIRED')
    for (const typeId of [1, 3, 5]) expect(await add(id, 1, await makeUser(app.ctx, { typeId }))).toBe(1)
  })

  test.each<[string, ListingFacts]>([
    ['NOT_FOUND', { state: 'pending' }],
    ['NOT_FOUND', { state: 'failed' }],
    ['NOT_FOUND', { state: 'withdrawn' }],
    ['OUT_OF_STOCK', { isSold: true }],
    ['OUT_OF_STOCK', { stock: 0 }],
    ['OUT_OF_STOCK', { touchedAt: daysBefore(new Date(), 101) }],
  ])('is refused with %s when it is %j', async (code, facts) => {
    expect(await refusalOf(add(await goat(facts)))).toBe(code)
    expect(await cart()).toEqual([])
  })

  test('is refused for own listings, for more than the stock, and for deactivated sellers', async () => {
    const both = await makeUser(app.ctx, { typeId: 3 })
    for (const state of ['passed', 'pending'] as const)
      expect(await refusalOf(add(await goat({ sellerId: both.id, state }), 1, both))).toBe('OWN_LISTING')
    expect(await refusalOf(add(await goat(), 6))).toBe('OUT_OF_STOCK')
    const gone = await makeUser(app.ctx, { typeId: 2, isActive: false })
    expect(await refusalOf(add(await goat({ sellerId: gone.id })))).toBe('NOT_FOUND')
    expect(await refusalOf(add(999_999))).toBe('NOT_FOUND')
  })

  test('is limited to fifty different listings', async () => {
    const ids: number[] = []
    for (let n = 0; n < 51; n++) ids.push(await goat())
    await app.ctx.db
      .insert(cartLines)
      .values(ids.slice(0, 49).map((listingId) => ({ buyerId: buyer.id, listingId, count: 1, seenPrice: 1n, seenStock: 1 })))
    expect(await add(ids[49]!)).toBe(50)
    expect(await refusalOf(add(ids[50]!))).toBe('CART_FULL')
    // More of the same listing adds no line.
    expect(await add(ids[49]!, 2)).toBe(50)
    expect(await getCart(app.as(buyer))).toHaveLength(50)
  })
})

describe('a cart line', () => {
  test('accepts a count from one to the stock, and can be removed once', async () => {
    await add(await goat())
    const [line] = await cart()
    await setCount(app.as(buyer), line!.id, 5)
    expect(await refusalOf(setCount(app.as(buyer), line!.id, 6))).toBe('OUT_OF_STOCK')
    expect(await cart()).toMatchObject([{ count: 5 }])
    await removeLine(app.as(buyer), line!.id)
    expect(await refusalOf(removeLine(app.as(buyer), line!.id))).toBe('NOT_FOUND')
    expect(await refusalOf(setCount(app.as(buyer), line!.id, 1))).toBe('NOT_FOUND')
    expect(await cart()).toEqual([])
  })

  test('shows changes of its animal', async () => {
    const id = await goat()
    await add(id, 4)
    const state = async () => (await cart())[0]!
    await change(id, { offerPrice: rupees(10_000) })
    expect(await state()).toMatchObject({ state: 'ok', unitPrice: rupees(10_000), seenPrice: rupees(11_000.5) })
    await change(id, { stock: 3 })
    expect(await state()).toMatchObject({ state: 'short', stock: 3, seenStock: 5, count: 4 })
    // Setting the count stores the current price and stock as seen.
    await setCount(app.as(buyer), (await state()).id, 3)
    expect(await state()).toMatchObject({ state: 'ok', seenPrice: rupees(10_000), seenStock: 3 })
    await change(id, { stock: 0 })
    expect(await state()).toMatchObject({ state: 'sold', stock: 0 })
    expect(await refusalOf(setCount(app.as(buyer), (await state()).id, 1))).toBe('OUT_OF_STOCK')
    await change(id, { stock: 5, touchedAt: daysBefore(new Date(), 101) })
    expect(await state()).toMatchObject({ state: 'closed', stock: 0 })
  })

  test('of a listing that is no longer public shows no unverified text', async () => {
    const id = await goat()
    await add(id)
    for (const columns of [
      { state: 'pending' as const, name: 'Another animal', originalPrice: rupees(99) },
      { state: 'withdrawn' as const },
    ]) {
      await change(id, { offerPrice: null, ...columns })
      expect((await cart())[0]).toMatchObject({ state: 'gone', name: 'Cattle', description: '', photo: null, unitPrice: rupees(11_000.5) })
    }
    await change(id, { state: 'passed' })
    expect((await cart())[0]).toMatchObject({ state: 'ok', name: 'Another animal' })
    await app.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, seller.id))
    expect((await cart())[0]).toMatchObject({ state: 'gone', seller: { name: '' } })
    await app.ctx.db.update(users).set({ isActive: true }).where(eq(users.id, seller.id))
  })
})

describe('the cart calls', () => {
  const line = (by = buyer) => app.read<{ id: number }[]>(`/api/v1/buyercart/buyer=${by.id}`, { as: by }).then(([first]) => first!)
  const send = (method: string, path: string, json?: unknown, by = buyer) =>
    app.call(`/api/v1${path}`, { method, as: by, csrf: true, ...(json !== undefined && { json }) })
  const codeOf = async (response: Promise<Response>) => {
    const { status } = await response
    const body = (await (await response).json()) as { code?: string; fields?: { field: string }[] }
    return [status, body.code, body.fields?.[0]?.field].filter(Boolean).join(' ')
  }

  test('add, read, change and remove lines with the old client’s bodies', async () => {
    const id = await goat()
    const body = { buyer: buyer.id, product: id, items_count: 2, total_payable: 0 }
    const added = await send('POST', `/buyercart/buyer=${buyer.id}`, body)
    expect([await added.json(), added.headers.get('x-cart-lines')]).toEqual([{ rows: 1 }, '1'])
    expect(await app.read(`/api/v1/buyercart/buyer%3D${buyer.id}`, { as: buyer })).toMatchObject([
      {
        product: { id, uniqueidentifier: `COW-${String(id).padStart(5, '0')}` },
        items_count: 2,
        buyer: buyer.id,
        price_per_item: 11_000.5,
        total_payable: 22_001,
        status: 'In cart',
        statusId: 0,
        delivery: null,
        order_no: null,
        invoice: null,
      },
    ])
    const { id: lineId } = await line()
    // Amounts that the client calculates are ignored.
    expect(await (await send('PUT', `/order-detail/id=${lineId}`, { ...body, items_count: 3, total_payable: 1 })).json()).toEqual({
      rows: 1,
    })
    expect(await line()).toMatchObject({ items_count: 3, total_payable: 33_001.5 })
    expect(await (await send('DELETE', `/order-detail/id=${lineId}`)).json()).toEqual({ rows: 1 })
    expect(await codeOf(send('DELETE', `/order-detail/id=${lineId}`))).toBe('404 NOT_FOUND')
    expect(await app.read(`/api/v1/buyercart/buyer=${buyer.id}`, { as: buyer })).toEqual([])
  })

  test.each<[string, object]>([
    ['422 VALIDATION items_count', { items_count: 0 }],
    ['422 VALIDATION items_count', { items_count: -1 }],
    ['422 VALIDATION items_count', { items_count: 1.5 }],
    ['422 VALIDATION items_count', { items_count: '1' }],
    ['422 VALIDATION items_count', { items_count: 10_001 }],
    ['422 VALIDATION items_count', { items_count: null }],
    ['422 VALIDATION price', { price: 1 }],
    ['409 OUT_OF_STOCK', { items_count: 6 }],
    ['403 IDENTITY_MISMATCH', { buyer: 999_999 }],
    ['403 IDENTITY_MISMATCH', { buyer: '999999' }],
    ['403 IDENTITY_MISMATCH', { user: 999_999 }],
    ['403 IDENTITY_MISMATCH', { seller: 999_999 }],
    ['403 IDENTITY_MISMATCH', { postedby: '999999' }],
  ])('answer %s for %j, and change nothing', async (expected, changes) => {
    const id = await goat()
    expect(await codeOf(send('POST', `/buyercart/buyer=${buyer.id}`, { product: id, items_count: 1, ...changes }))).toBe(expected)
    expect(await cart()).toEqual([])
    await add(id)
    expect(await codeOf(send('PUT', `/order-detail/id=${(await line()).id}`, { items_count: 1, ...changes }))).toBe(expected)
    expect(await cart()).toMatchObject([{ count: 1 }])
  })

  test('accept and ignore the fields that old clients always send', async () => {
    const along = {
      user: buyer.id,
      seller: buyer.id,
      postedby: buyer.id,
      isverified: 1,
      createon: '1999-01-01',
      feedtype: 9,
      total_payable: 1,
    }
    const id = await goat()
    expect((await send('POST', `/buyercart/buyer=${buyer.id}`, { product: id, items_count: 1, ...along })).status).toBe(200)
    expect((await send('PUT', `/order-detail/id=${(await line()).id}`, { items_count: 2, ...along })).status).toBe(200)
    expect(await cart()).toMatchObject([{ count: 2 }])
  })

  test('give no access to another person’s cart', async () => {
    const other = await makeUser(app.ctx)
    const id = await goat()
    await add(id)
    const { id: lineId } = await line()
    expect(await codeOf(send('POST', `/buyercart/buyer=${buyer.id}`, { product: id, items_count: 1 }, other))).toBe('404 NOT_FOUND')
    expect(await app.refused(`/api/v1/buyercart/buyer=${buyer.id}`, { as: other })).toBe('404 NOT_FOUND')
    expect(await codeOf(send('PUT', `/order-detail/id=${lineId}`, { items_count: 2 }, other))).toBe('404 NOT_FOUND')
    expect(await codeOf(send('DELETE', `/order-detail/id=${lineId}`, undefined, other))).toBe('404 NOT_FOUND')
    expect(await cart()).toMatchObject([{ count: 1 }])
  })

  test('leave out listings that are no longer public', async () => {
    const id = await goat()
    await add(id)
    await change(id, { state: 'pending' })
    expect(await app.read(`/api/v1/buyercart/buyer=${buyer.id}`, { as: buyer })).toEqual([])
  })
})

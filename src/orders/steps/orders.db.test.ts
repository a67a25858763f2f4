import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import { invoices } from '#src/invoices/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { placeOrder } from '#src/orders/checkout/place-order.server.ts'
import { makeOrder, statusOf } from '#src/orders/steps/makers.server.ts'
import { isTerminal, orderStatuses, type OrderStatus } from '../process.server.ts'
import { discountUses, orders, orderSteps } from '../tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'

let market: TestMarket
let ctx: Ctx
let buyer: Viewer
let seller: Viewer
let admin: Viewer
let home: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  ;({ ctx } = market)
  buyer = await makeUser(ctx, { typeId: 1 })
  seller = await makeUser(ctx, { typeId: 2, name: 'Murugesan' })
  admin = await makeUser(ctx, { typeId: 9 })
  home = await makeAddress(ctx, buyer.id)
})

const newBuyer = async () => {
  const viewer = await makeUser(ctx, { typeId: 1 })
  return { viewer, addressId: await makeAddress(ctx, viewer.id) }
}
const stockOf = async (id: number) => (await ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!.stock
const orderOf = async (id: number) => (await ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!
const problemOf = async (act: Promise<unknown>) => {
  const error = await act.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof Problem)) throw new Error('The command was not refused.', { cause: error })
  return error
}

describe('confirming a cart', () => {
  test('makes one order per line at the current prices, takes the stock and empties the cart', async () => {
    const { viewer, addressId } = await newBuyer()
    const goats = await makeListing(ctx, { sellerId: seller.id, stock: 10, originalPrice: rupees(9000), offerPrice: rupees(8000) })
    const bull = await makeListing(ctx, { sellerId: seller.id, stock: 1, originalPrice: rupees(50_000) })
    const first = await makeCartLine(ctx, { buyerId: viewer.id, listingId: goats, count: 3 })
    const second = await makeCartLine(ctx, { buyerId: viewer.id, listingId: bull })
    const placed = await placeOrder(market.as(viewer), { addressId, code: '' })
    expect(placed.orders.map(({ id }) => id)).toEqual([first, second])
    expect(new Set(placed.orders.map(({ orderNo }) => orderNo)).size).toBe(2)
    // Two percent of 24,000, on the oldest line only.
    expect(await orderOf(first)).toMatchObject({ count: 3, unitPrice: rupees(8000), discount: rupees(480), discountType: 1, status: 1 })
    expect(await orderOf(second)).toMatchObject({ unitPrice: rupees(50_000), discount: 0n, discountType: null })
    expect([await stockOf(goats), await stockOf(bull)]).toEqual([7, 0])
    expect(await ctx.db.$count(cartLines, eq(cartLines.buyerId, viewer.id))).toBe(0)
    expect(await ctx.db.$count(outbox, eq(outbox.template, 'order-placed-buyer'))).toBe(1)
  })

  test('keeps animal and addresses as they were, whatever is edited afterwards', async () => {
    const { id, listingId } = await makeOrder(ctx, { buyer, seller, addressId: home })
    await ctx.db
      .update(listings)
      .set({ name: 'Another', originalPrice: rupees(1), offerPrice: null })
      .where(eq(listings.id, listingId))
    const order = await orderOf(id)
    expect(order.animal.name).toBe('காங்கேயம் காளை')
    expect(order.unitPrice).toBe(rupees(85_000))
    expect(order.delivery.pincode).toMatch(/^\d{6}$/)
  })

  test('orders nothing when one line has too little stock, and names the line', async () => {
    const { viewer, addressId } = await newBuyer()
    const enough = await makeListing(ctx, { sellerId: seller.id, stock: 5 })
    const few = await makeListing(ctx, { sellerId: seller.id, stock: 2 })
    await makeCartLine(ctx, { buyerId: viewer.id, listingId: enough })
    const line = await makeCartLine(ctx, { buyerId: viewer.id, listingId: few, count: 3 })
    const problem = await problemOf(placeOrder(market.as(viewer), { addressId, code: '' }))
    expect(problem.code).toBe('STOCK_CHANGED')
    expect(problem.lines).toEqual([{ id: line, product: few, name: 'காங்கேயம் காளை', items_count: 3, stock: 2 }])
    expect([await stockOf(enough), await stockOf(few)]).toEqual([5, 2])
    expect(await ctx.db.$count(cartLines, eq(cartLines.buyerId, viewer.id))).toBe(2)
  })

  test.each([
    ['is marked sold', { isSold: true }],
    ['is withdrawn', { state: 'withdrawn' as const }],
    ['waits to be verified again', { state: 'pending' as const }],
    ['was not touched for 101 days', { touchedAt: new Date(Date.now() - 101 * 86_400_000) }],
  ])('with an animal that %s is refused', async (_, change) => {
    const { viewer, addressId } = await newBuyer()
    const id = await makeListing(ctx, { sellerId: seller.id, stock: 5 })
    await makeCartLine(ctx, { buyerId: viewer.id, listingId: id })
    await ctx.db.update(listings).set(change).where(eq(listings.id, id))
    const problem = await problemOf(placeOrder(market.as(viewer), { addressId, code: '' }))
    expect([problem.code, problem.lines?.[0]?.stock]).toEqual(['STOCK_CHANGED', 0])
  })

  test('of a deactivated seller is refused', async () => {
    const { viewer, addressId } = await newBuyer()
    const gone = await makeUser(ctx, { typeId: 2 })
    const id = await makeListing(ctx, { sellerId: gone.id, stock: 5 })
    await makeCartLine(ctx, { buyerId: viewer.id, listingId: id })
    await ctx.db.update(users).set({ isActive: false }).where(eq(users.id, gone.id))
    expect(await refusalOf(placeOrder(market.as(viewer), { addressId, code: '' }))).toBe('STOCK_CHANGED')
  })

  test('is refused when destination or pickup place is outside our area', async () => {
    const viewer = await makeUser(ctx, { typeId: 1 })
    const [here, far] = [await makeAddress(ctx, viewer.id), await makeAddress(ctx, viewer.id, { pincode: '560001' })]
    const animal = await makeListing(ctx, { sellerId: seller.id, stock: 5 })
    await makeCartLine(ctx, { buyerId: viewer.id, listingId: animal })
    expect(await refusalOf(placeOrder(market.as(viewer), { addressId: far, code: '' }))).toBe('NOT_DELIVERABLE')
    const away = await makeListing(ctx, { sellerId: seller.id, stock: 5, pincode: '560001' })
    const line = await makeCartLine(ctx, { buyerId: viewer.id, listingId: away })
    const problem = await problemOf(placeOrder(market.as(viewer), { addressId: here, code: '' }))
    expect([problem.code, problem.lines?.map(({ id }) => id)]).toEqual(['NOT_DELIVERABLE', [line]])
  })

  test('to another person’s address is NOT_FOUND', async () => {
    const { viewer } = await newBuyer()
    await makeCartLine(ctx, { buyerId: viewer.id, listingId: await makeListing(ctx, { sellerId: seller.id }) })
    expect(await refusalOf(placeOrder(market.as(viewer), { addressId: home, code: '' }))).toBe('NOT_FOUND')
  })

  test('is refused when the total has changed; the total that the browser sends is never used as the price', async () => {
    const { viewer, addressId } = await newBuyer()
    const id = await makeListing(ctx, { sellerId: seller.id, stock: 5, originalPrice: rupees(10_000) })
    const line = await makeCartLine(ctx, { buyerId: viewer.id, listingId: id })
    const place = (shown: number) => placeOrder(market.as(viewer), { addressId, code: '', shownPayable: rupees(shown) })
    expect(await refusalOf(place(1))).toBe('PRICE_CHANGED')
    await place(9800)
    expect((await orderOf(line)).unitPrice).toBe(rupees(10_000))
  })

  test('twice, with or without a key, makes one order; the key with another address is refused', async () => {
    const { viewer, addressId } = await newBuyer()
    const animal = await makeListing(ctx, { sellerId: seller.id, stock: 5 })
    const elsewhere = await makeAddress(ctx, viewer.id)
    await makeCartLine(ctx, { buyerId: viewer.id, listingId: animal })
    const confirm = (changes: object = {}) => placeOrder(market.as(viewer), { addressId, code: '', ...changes })
    const first = await confirm({ key: 'k1' })
    expect(await confirm({ key: 'k1' })).toEqual(first)
    expect(await confirm()).toEqual(first)
    expect(await refusalOf(confirm({ key: 'k1', addressId: elsewhere }))).toBe('IDEMPOTENCY_MISMATCH')
    expect(await refusalOf(confirm({ addressId: elsewhere }))).toBe('CART_EMPTY')
    const later = new Date(ctx.now.getTime() + 11 * 60_000)
    expect(await refusalOf(placeOrder(market.as(viewer, { now: later }), { addressId, code: '' }))).toBe('CART_EMPTY')
    expect(await stockOf(animal)).toBe(4)
  })

  test('under a new key is a new confirmation; keys ignore letter case', async () => {
    const { viewer, addressId } = await newBuyer()
    const animal = await makeListing(ctx, { sellerId: seller.id, stock: 5 })
    await makeCartLine(ctx, { buyerId: viewer.id, listingId: animal })
    const confirm = (changes: object = {}) => placeOrder(market.as(viewer), { addressId, code: 'abcdefghij', ...changes })
    const first = await confirm({ key: 'k1' })
    expect(await refusalOf(confirm({ key: 'k2' }))).toBe('CART_EMPTY')
    expect(await confirm({ code: 'ABCDEFGHIJ' })).toEqual(first)
    expect(await refusalOf(confirm({ addressId: home }))).toBe('NOT_FOUND')
    // The refusal has stored nothing under its key.
    await makeCartLine(ctx, { buyerId: viewer.id, listingId: animal })
    expect(await confirm({ key: 'k2' })).not.toEqual(first)
  })

  test('does not use a reworded name before its verification', async () => {
    const { viewer, addressId } = await newBuyer()
    const id = await makeListing(ctx, { sellerId: seller.id, stock: 5, name: 'Unseen words', state: 'pending' })
    await makeCartLine(ctx, { buyerId: viewer.id, listingId: id })
    const problem = await problemOf(placeOrder(market.as(viewer), { addressId, code: '' }))
    expect(problem.lines?.[0]?.name).toBe('Cattle')
  })

  test('with a friend’s code counts for the friend, also when the first-order discount applies', async () => {
    const { viewer, addressId } = await newBuyer()
    const friend = await makeUser(ctx, { typeId: 1, referralCode: 'FRIEND0001' })
    const orderIds: number[] = []
    for (let n = 0; n < 3; n++) orderIds.push((await makeOrder(ctx, { buyer: viewer, seller, admin, addressId, code: 'friend0001' })).id)
    const [one, two, three] = await Promise.all(orderIds.map(orderOf))
    expect([one!.discountType, one!.referrerId]).toEqual([1, friend.id])
    expect([two!.discountType, two!.referrerId]).toEqual([2, friend.id])
    // The discount is used up, but the cart still carries the code (decisions.md §7.3).
    expect([three!.discountType, three!.referrerId]).toEqual([null, friend.id])
  })

  test.each([2, 4, 9])('is refused for user type %i', async (typeId) => {
    const viewer = await makeUser(ctx, { typeId })
    expect(await refusalOf(placeOrder(market.as(viewer), { addressId: await makeAddress(ctx, viewer.id), code: '' }))).toBe(
      'ROLE_FORBIDDEN',
    )
  })
})

describe('the steps of an order', () => {
  const ids = orderStatuses.map(({ id }) => id)
  /** The graph of decisions.md §4, written out independently of the code. */
  const published: Record<number, number[]> = {
    1: [2, 100, 102],
    2: [3, 4, 100, 102],
    3: [4, 100, 102],
    4: [5, 100, 102],
    5: [6, 100, 101],
  }
  const allowed: Record<string, (to: number) => boolean> = {
    admin: () => true,
    buyer: (to) => to === 100 || to === 101,
    seller: (to) => to === 2 || to === 102,
  }

  test.each(ids)('from status %i follow the graph for each role', async (from) => {
    const made = await makeOrder(ctx, { status: from, buyer, seller, admin, addressId: home })
    const stranger = await makeUser(ctx, { typeId: 1 })
    for (const to of [...ids, 0, 7, 999]) {
      expect(await refusalOf(takeStep(market.as(stranger), made.id, { to }))).toBe('NOT_FOUND')
      for (const [part, viewer] of Object.entries({ admin, buyer, seller })) {
        const goes = allowed[part]!(to) && published[from]?.includes(to)
        if (goes) continue
        const expected = !allowed[part]!(to) ? 'ROLE_FORBIDDEN' : isTerminal(from) ? 'ORDER_TERMINAL' : 'ORDER_STEP'
        expect([part, to, await refusalOf(takeStep(market.as(viewer), made.id, { to }))]).toEqual([part, to, expected])
      }
    }
    expect(await statusOf(ctx, made.id)).toBe(from)
    for (const part of ['admin', 'buyer', 'seller'] as const)
      for (const to of (published[from] ?? []).filter(allowed[part]!)) {
        const next = await makeOrder(ctx, { status: from, buyer, seller, admin, addressId: home })
        await takeStep(market.as({ admin, buyer, seller }[part]), next.id, { to })
        expect(await statusOf(ctx, next.id)).toBe(to)
      }
  })

  test('write an immutable history row, an audit event and an SMS to both sides', async () => {
    const { id } = await makeOrder(ctx, { status: 6, buyer, seller, admin, addressId: home })
    const steps = await ctx.db.select().from(orderSteps).where(eq(orderSteps.orderId, id)).orderBy(orderSteps.id)
    expect(steps.map(({ fromStatus, toStatus, as }) => [fromStatus, toStatus, as])).toEqual([
      [0, 1, 'buyer'],
      [1, 2, 'admin'],
      [2, 4, 'admin'],
      [4, 5, 'admin'],
      [5, 6, 'admin'],
    ])
    await expect(ctx.db.update(orderSteps).set({ toStatus: 100 }).where(eq(orderSteps.orderId, id))).rejects.toThrow()
    await expect(ctx.db.delete(orderSteps).where(eq(orderSteps.orderId, id))).rejects.toThrow()
    expect(await ctx.db.$count(auditEvents, and(eq(auditEvents.object, `order:${id}`), eq(auditEvents.event, 'order_step')))).toBe(4)
    expect(await ctx.db.$count(invoices, eq(invoices.orderId, id))).toBe(2)
  })

  test.each([100, 101, 102] as OrderStatus[])('to %i return stock and discount once', async (status) => {
    const { viewer, addressId } = await newBuyer()
    const made = await makeOrder(ctx, { status, buyer: viewer, seller, admin, addressId, count: 2 })
    expect(await stockOf(made.listingId)).toBe(5)
    const use = and(eq(discountUses.buyerId, viewer.id))
    expect((await ctx.db.select().from(discountUses).where(use)).map(({ returnedAt }) => returnedAt !== null)).toEqual([true])
    expect(await refusalOf(takeStep(market.as(admin), made.id, { to: 100 }))).toBe('ORDER_TERMINAL')
    expect(await stockOf(made.listingId)).toBe(5)
    // The buyer has the discount again.
    const again = await makeOrder(ctx, { buyer: viewer, seller, admin, addressId })
    expect((await orderOf(again.id)).discountType).toBe(1)
    // The discount returns each time (decisions.md §7.4), and at most one order has it.
    const beside = await makeOrder(ctx, { buyer: viewer, seller, admin, addressId })
    expect((await orderOf(beside.id)).discountType).toBeNull()
    await takeStep(market.as(admin), again.id, { to: 100 })
    const third = await makeOrder(ctx, { buyer: viewer, seller, admin, addressId })
    expect((await orderOf(third.id)).discountType).toBe(1)
    const live = (await ctx.db.select().from(discountUses).where(use)).filter(({ returnedAt }) => returnedAt === null)
    expect(live.map(({ orderId }) => orderId)).toEqual([third.id])
  })

  test('a buyer who is now a seller only may not cancel earlier orders', async () => {
    const { viewer, addressId } = await newBuyer()
    const { id } = await makeOrder(ctx, { buyer: viewer, seller, admin, addressId })
    expect(await refusalOf(takeStep(market.as({ ...viewer, typeId: 2 }), id, { to: 100 }))).toBe('ROLE_FORBIDDEN')
  })
})

test('a buyer or seller who has become an admin acts on their own orders as buyer or seller', async () => {
  const { viewer, addressId } = await newBuyer()
  const { id } = await makeOrder(ctx, { status: 5, buyer: viewer, seller, admin, addressId })
  expect(await refusalOf(takeStep(market.as({ ...seller, typeId: 9 }), id, { to: 6 }))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(takeStep(market.as({ ...viewer, typeId: 9 }), id, { to: 6 }))).toBe('ROLE_FORBIDDEN')
  await takeStep(market.as({ ...viewer, typeId: 9 }), id, { to: 101, reason: 'Lame.' })
})

describe('the handover', () => {
  const onTheWay = async () => {
    const bearer = await makeUser(ctx, { typeId: 1 })
    const made = await makeOrder(ctx, { status: 5, buyer, seller, admin, addressId: home })
    await ctx.db.update(orders).set({ bearerId: bearer.id }).where(eq(orders.id, made.id))
    const code = ctx.vault.open('handover', (await orderOf(made.id)).handoverSealed)
    return {
      ...made,
      code,
      bearer,
      close: (code: string) => takeStep(market.as(bearer), made.id, { to: 6, code, payment: { method: 'upi', amount: rupees(84_500) } }),
    }
  }

  test('the bearer closes it with the buyer’s four digits, the method and the amount', async () => {
    const { id, code, close } = await onTheWay()
    expect(code).toMatch(/^\d{4}$/)
    await close(code)
    expect(await orderOf(id)).toMatchObject({
      status: 6,
      paymentMethod: 'upi',
      amountPaid: rupees(84_500),
      deliveredOn: expect.any(String),
    })
  })

  test('an admin needs no digits, but wrong digits from an admin are refused', async () => {
    const { id, code } = await onTheWay()
    const wrong = code === '0000' ? '0001' : '0000'
    expect(await refusalOf(takeStep(market.as(admin), id, { to: 6, code: wrong }))).toBe('HANDOVER_CODE_WRONG')
    await takeStep(market.as(admin), id, { to: 6, code })
    expect(await statusOf(ctx, id)).toBe(6)
  })

  test('many concurrent tries: five are checked, then only an admin can close the order', async () => {
    const { id, code, close } = await onTheWay()
    const wrong = code === '0000' ? '0001' : '0000'
    const ends = await Promise.all(Array.from({ length: 12 }, () => refusalOf(close(wrong))))
    expect(ends.filter((end) => end === 'HANDOVER_CODE_WRONG')).toHaveLength(5)
    expect(ends.filter((end) => end === 'HANDOVER_LOCKED')).toHaveLength(7)
    expect(await refusalOf(close(code))).toBe('HANDOVER_LOCKED')
    await takeStep(market.as(admin), id, { to: 6, note: 'Seen by phone.' })
    expect(await statusOf(ctx, id)).toBe(6)
  })
})

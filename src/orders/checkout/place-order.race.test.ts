import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { addresses } from '#src/addresses/tables.ts'
import { cartLines } from '#src/cart/tables.ts'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { meetingOf, signal } from '#tools/test-kit/signal.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { quickEdit } from '#src/selling/own/quick-edit.server.ts'
import { countOf, makeCrowd, rush, type CrowdBuyer } from '#tools/test-kit/crowd.ts'
import { often } from '#tools/test-kit/often.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import { makeOrder, statusOf } from '#src/orders/steps/makers.server.ts'
import { discountUses, orders, orderSteps } from '../tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { findDiscount } from './discounts.server.ts'
import { placeOrder } from './place-order.server.ts'

// safety.md §1: INV-1, INV-4, INV-9 and INV-12, each with a race control.

/** The number of concurrent requests that a site admits. */
const AT_ONCE = 40

let market: TestMarket
let second: Database
let processes: Ctx[]
let seller: Viewer
let pickupAddressId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  // A second pool on the same database stands for another process.
  const url = new URL(inject('postgresUrl'))
  const { rows } = (await market.ctx.db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }
  url.pathname = `/${rows[0]!.name}`
  second = await openDatabase({ databaseUrl: url.href, dataDir: '', patience: 10 })
  processes = [market.ctx, { ...market.ctx, db: second.db }]
  seller = await makeUser(market.ctx, { typeId: 2 })
  pickupAddressId = await makeAddress(market.ctx, seller.id)
})
afterAll(() => second?.close())

const animal = (stock: number) => makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, stock, originalPrice: rupees(9000) })
const stockOf = async (id: number) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!.stock
const orderedOf = async (id: number): Promise<number> => {
  const active = and(eq(orders.listingId, id), lt(orders.status, 100))
  const [row] = await market.ctx.db
    .select({ n: sql<number>`coalesce(sum(${orders.count}), 0)::int` })
    .from(orders)
    .where(active)
  return row!.n
}
const putInCarts = (buyers: CrowdBuyer[], listingId: number) =>
  market.ctx.db
    .insert(cartLines)
    .values(buyers.map(({ viewer }) => ({ buyerId: viewer.id, listingId, count: 1, seenPrice: rupees(9000), seenStock: 50 })))
const confirm = ({ viewer, addressId }: CrowdBuyer, n: number) => placeOrder({ ...processes[n % 2]!, viewer }, { addressId, code: '' })

describe('more buyers than animals', () => {
  const ATTEMPTS = often(1000, 10_000)
  const STOCK = 50

  test(`${ATTEMPTS} concurrent attempts on a stock of ${STOCK}, from two processes: ${STOCK} succeed, all others get STOCK_CHANGED`, async () => {
    const id = await animal(STOCK)
    const buyers = await makeCrowd(market.ctx, ATTEMPTS)
    await putInCarts(buyers, id)
    const ends = await rush(buyers, AT_ONCE, confirm)
    expect(countOf(ends)).toEqual({ taken: STOCK, STOCK_CHANGED: ATTEMPTS - STOCK })
    expect([await stockOf(id), await orderedOf(id)]).toEqual([0, STOCK])
  })

  test('control: an order that reads the stock and writes it afterwards oversells', async () => {
    const id = await animal(STOCK)
    const twoHaveRead = meetingOf(2)
    const naive = async (_: number, n: number) => {
      const { db } = processes[n % 2]!
      const [row] = await db.select().from(listings).where(eq(listings.id, id))
      if (row!.stock < 1) throw new Problem('STOCK_CHANGED')
      await twoHaveRead()
      await db
        .update(listings)
        .set({ stock: row!.stock - 1 })
        .where(eq(listings.id, id))
    }
    const ends = await rush(
      Array.from({ length: 200 }, (_, n) => n),
      AT_ONCE,
      naive,
    )
    expect(countOf(ends).taken).toBeGreaterThan(STOCK)
  })
})

describe('carts with several animals in any order', () => {
  const CARTS = often(500, 5000)
  const PRODUCTS = 20

  test(`${CARTS} carts: stock left plus stock ordered equals the initial stock, and no request deadlocks`, async () => {
    const initial = 60
    const ids: number[] = []
    for (let n = 0; n < PRODUCTS; n++) ids.push(await animal(initial))
    const buyers = await makeCrowd(market.ctx, CARTS)
    const lines = buyers.flatMap(({ viewer }) => {
      const shuffled = ids.map((id) => ({ id, at: Math.random() })).toSorted((a, b) => a.at - b.at)
      return shuffled.slice(0, 1 + Math.floor(Math.random() * 5)).map(({ id }) => ({
        buyerId: viewer.id,
        listingId: id,
        count: 1 + Math.floor(Math.random() * 3),
        seenPrice: 1n,
        seenStock: 1,
      }))
    })
    for (let from = 0; from < lines.length; from += 1000) await market.ctx.db.insert(cartLines).values(lines.slice(from, from + 1000))
    const cancel: Promise<string>[] = []
    const ends = await rush(buyers, AT_ONCE, async (buyer, n) => {
      const placed = await confirm(buyer, n)
      if (n % 5 === 0) cancel.push(refusalOf(takeStep({ ...processes[n % 2]!, viewer: buyer.viewer }, placed.orders[0]!.id, { to: 100 })))
    })
    expect(new Set(await Promise.all(cancel))).toEqual(new Set(['taken']))
    expect(Object.keys(countOf(ends)).toSorted()).toEqual(['STOCK_CHANGED', 'taken'])
    for (const id of ids) expect((await stockOf(id)) + (await orderedOf(id))).toBe(initial)
  })

  test('control: an order that locks animals in cart order deadlocks', async () => {
    const [one, other] = [await animal(5), await animal(5)]
    const bothHaveOne = meetingOf(2)
    const naive = (order: number[], n: number) =>
      processes[n]!.db.transaction(async (tx) => {
        for (const [k, id] of order.entries()) {
          if (k === 1) await bothHaveOne()
          await tx
            .update(listings)
            .set({ stock: sql`${listings.stock} - 1` })
            .where(eq(listings.id, id))
        }
      })
    const ends = await Promise.allSettled([naive([one, other], 0), naive([other, one], 1)])
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  })
})

test('a seller who changes the stock during orders neither loses nor creates animals', async () => {
  const initial = often(100, 600)
  const id = await animal(initial)
  const buyers = await makeCrowd(market.ctx, often(60, 500))
  await putInCarts(buyers, id)
  let added = 0
  let isOver = false
  const counting = (async () => {
    while (!isOver) {
      const [row] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
      const edit = { stock: row!.stock + 5, weightKg: 420, originalPrice: rupees(9000), offerPrice: null, version: row!.version }
      if ((await refusalOf(quickEdit(market.as(seller), id, edit))) === 'taken') added += 5
    }
  })()
  const ends = await rush(buyers, 3, async (buyer, n) => {
    await confirm(buyer, n)
    // Without a pause the seller's update would never succeed, because each order raises the version of the listing.
    await sleep(5)
  })
  isOver = true
  await counting
  expect(countOf(ends)).toEqual({ taken: buyers.length })
  expect((await stockOf(id)) + (await orderedOf(id))).toBe(initial + added)
  expect(added).toBeGreaterThan(0)
})

describe('an animal whose pickup place changes while an order waits for it', () => {
  /** The seller's change holds the row lock. The order waits and continues after the commit. */
  async function placedDuring(pincode: string) {
    const [buyer] = await makeCrowd(market.ctx, 1)
    const id = await animal(1)
    await putInCarts([buyer!], id)
    const elsewhere = await makeAddress(market.ctx, seller.id, { pincode })
    const isHeld = signal()
    const isAsked = signal()
    const change = second.db.transaction(async (tx) => {
      await tx.update(listings).set({ pickupAddressId: elsewhere }).where(eq(listings.id, id))
      isHeld.give()
      await isAsked.given
    })
    await isHeld.given
    const end = refusalOf(placeOrder(market.as(buyer!.viewer), { addressId: buyer!.addressId, code: '' }))
    await untilLockWait(market.ctx.db)
    isAsked.give()
    await change
    const said = await end
    const [order] = await market.ctx.db.select().from(orders).where(eq(orders.listingId, id))
    return [said, order?.pickup.pincode]
  }
  test('is ordered from its new place', async () => {
    expect(await placedDuring('641001')).toEqual(['taken', '641001'])
  })

  test('is not ordered when the new place is outside our area', async () => {
    expect(await placedDuring('560001')).toEqual(['NOT_DELIVERABLE', undefined])
  })

  test('control: one statement that both locks and reads does not find the animal', async () => {
    const id = await animal(1)
    const elsewhere = await makeAddress(market.ctx, seller.id, { pincode: '641001' })
    const isHeld = signal()
    const isAsked = signal()
    const change = second.db.transaction(async (tx) => {
      await tx.update(listings).set({ pickupAddressId: elsewhere }).where(eq(listings.id, id))
      isHeld.give()
      await isAsked.given
    })
    await isHeld.given
    const read = market.ctx.db
      .select({ id: listings.id })
      .from(listings)
      .innerJoin(addresses, eq(addresses.id, listings.pickupAddressId))
      .where(eq(listings.id, id))
      .for('no key update', { of: listings })
      .then((rows) => rows)
    await untilLockWait(market.ctx.db)
    isAsked.give()
    await change
    expect(await read).toEqual([])
  })
})

describe('one confirmation, sent many times', () => {
  const REPLAYS = often(50, 500)
  const intent = async () => {
    const [buyer] = await makeCrowd(market.ctx, 1)
    const id = await animal(REPLAYS + 1)
    await putInCarts([buyer!], id)
    return { buyer: buyer!, id }
  }

  test.each(['with a key', 'without one'])(`${REPLAYS} concurrent requests, %s: one order, and all get the same answer`, async (how) => {
    const { buyer, id } = await intent()
    const key = how === 'with a key' ? { key: 'the-same' } : {}
    const answers = await Promise.all(
      Array.from({ length: REPLAYS }, (_, n) =>
        placeOrder({ ...processes[n % 2]!, viewer: buyer.viewer }, { addressId: buyer.addressId, code: '', ...key }),
      ),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await orderedOf(id)).toBe(1)
  })

  test('control: a confirmation that checks for an existing order and then inserts places several', async () => {
    const { buyer, id } = await intent()
    const twoHaveLooked = meetingOf(2)
    const naive = async (_: number, n: number) => {
      const { db } = processes[n % 2]!
      if ((await db.$count(orders, eq(orders.buyerId, buyer.viewer.id))) > 0) return
      await twoHaveLooked()
      await db
        .update(listings)
        .set({ stock: sql`${listings.stock} - 1` })
        .where(eq(listings.id, id))
    }
    await rush([1, 2], 2, naive)
    expect(await stockOf(id)).toBe(REPLAYS - 1)
  })
})

describe('one buyer with five devices', () => {
  const TIMES = often(40, 200)

  test(`${TIMES} concurrent confirmations: one order gets the first-order discount`, async () => {
    const [buyer] = await makeCrowd(market.ctx, 1)
    const { viewer, addressId } = buyer!
    const ids: number[] = []
    for (let n = 0; n < TIMES; n++) ids.push(await animal(1))
    const ends = await rush(ids, 5, async (listingId, n) => {
      const ctx = { ...processes[n % 2]!, viewer }
      await makeCartLine(ctx, { buyerId: viewer.id, listingId })
      await placeOrder(ctx, { addressId, code: '' })
    })
    // A device may find that another device has ordered its line.
    expect(Object.keys(countOf(ends)).filter((end) => end !== 'taken' && end !== 'CART_EMPTY')).toEqual([])
    const placed = await market.ctx.db.select().from(orders).where(inArray(orders.listingId, ids))
    expect(placed).toHaveLength(TIMES)
    expect(placed.filter(({ discountType }) => discountType !== null)).toHaveLength(1)
    expect(await market.ctx.db.$count(discountUses, eq(discountUses.buyerId, viewer.id))).toBe(1)
  })

  test('control: an order that checks the discount before it locks the cart grants it twice', async () => {
    const [buyer] = await makeCrowd(market.ctx, 1)
    const bothHaveAsked = meetingOf(2)
    const naive = async (ctx: Ctx) => {
      const { offer } = await findDiscount({ ...ctx, viewer: buyer!.viewer }, '')
      await bothHaveAsked()
      return offer?.typeId
    }
    expect(await Promise.all(processes.map(naive))).toEqual([1, 1])
  })
})

describe('cancels that race with status changes', () => {
  const CANCELS = often(40, 200)
  const MOVES = often(10, 50)
  const STOCK = 5

  test(`${CANCELS} cancels and ${MOVES} moves at once: the stock returns once, and one final status remains`, async () => {
    const made = await makeOrder(market.ctx, { count: 2, seller, listing: { pickupAddressId } })
    const ways = [2, 3, 4, 5]
    const acts = [
      ...Array.from({ length: CANCELS }, () => ({ viewer: made.buyer as Viewer, to: 100 })),
      ...Array.from({ length: MOVES }, (_, n) => ({ viewer: made.admin as Viewer, to: ways[n % ways.length]! })),
    ].toSorted(() => Math.random() - 0.5)
    const ends = await rush(acts, AT_ONCE, ({ viewer, to }, n) => takeStep({ ...processes[n % 2]!, viewer }, made.id, { to }))
    expect(Object.keys(countOf(ends)).filter((end) => !['taken', 'ORDER_TERMINAL', 'ORDER_STEP'].includes(end))).toEqual([])
    expect([await statusOf(market.ctx, made.id), await stockOf(made.listingId)]).toEqual([100, STOCK])
    expect(await market.ctx.db.$count(orderSteps, and(eq(orderSteps.orderId, made.id), eq(orderSteps.toStatus, 100)))).toBe(1)
  })

  test('control: a step that reads the status and returns the stock without a lock returns it twice', async () => {
    const made = await makeOrder(market.ctx, { count: 2, seller, listing: { pickupAddressId } })
    const bothHaveLooked = meetingOf(2)
    const naive = async ({ db }: Ctx) => {
      const [order] = await db.select().from(orders).where(eq(orders.id, made.id))
      if (order!.status >= 100) return
      await bothHaveLooked()
      await db.update(orders).set({ status: 100 }).where(eq(orders.id, made.id))
      await db
        .update(listings)
        .set({ stock: sql`${listings.stock} + ${order!.count}` })
        .where(eq(listings.id, made.listingId))
    }
    await Promise.all(processes.map(naive))
    expect(await stockOf(made.listingId)).toBe(STOCK + 2)
  })
})

import { and, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { idempotency } from '#src/kit/db/tables.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { layBadLine, type BadLine } from '#tools/test-kit/bad-line.ts'
import { makeCrowd, type CrowdBuyer } from '#tools/test-kit/crowd.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { placeOrder } from '#src/orders/checkout/place-order.server.ts'
import { CANCELLED } from '../process.server.ts'
import { orders, orderSteps } from '../tables.ts'
import { takeStep } from './take-step.server.ts'

// safety.md §1.3: clients buy, cancel and read over a slow connection that breaks; afterwards the test compares each answer with the
// database.

const CLIENTS = 16
const SECONDS = often(4, 30)
const START = 30
/** The line breaks once after so many successful acts. Acts and not time, or on a slow machine every act would be cut off. */
const ACTS_PER_CUT = 20

/** One act of a client. `unknown`: no answer came, so it happened completely or not at all. */
interface Operation {
  kind: 'buy' | 'cancel' | 'look'
  listingId: number
  begun: number
  ended: number
  outcome: 'ok' | 'refused' | 'unknown'
  /** `key` belongs to a purchase, `orderId` to a cancellation, `stock` to a read. */
  key?: string
  orderId?: number
  stock?: number
}

let market: TestMarket
let line: BadLine
let far: Database
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const url = new URL(inject('postgresUrl'))
  line = await layBadLine({ host: url.hostname, port: Number(url.port) })
  const { rows } = (await market.ctx.db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }
  Object.assign(url, { host: `127.0.0.1:${line.port}`, pathname: `/${rows[0]!.name}` })
  far = await openDatabase({ databaseUrl: url.href, dataDir: '', patience: 10, onIdleError: () => {} })
})
afterAll(async () => {
  await far?.close()
  await line?.close()
})

describe(`${CLIENTS} clients for ${SECONDS} seconds, while the connection to the database breaks again and again`, () => {
  const operations: Operation[] = []
  let succeeded = 0
  let ids: number[]
  let people: CrowdBuyer[]
  beforeAll(async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(market.ctx, seller.id)
    ids = []
    for (let n = 0; n < 3; n++)
      ids.push(await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, stock: START, originalPrice: rupees(9000) }))
    people = await makeCrowd(market.ctx, CLIENTS)
    const end = Date.now() + SECONDS * 1000
    line.weather.delayMs = 3
    await Promise.all(people.map((person, n) => live(person, n, end)))
  })

  /** On a busy machine the run continues until enough was done. */
  const isOver = (end: number) => Date.now() >= end && isEnough()
  const isEnough = () =>
    of('buy', 'ok').length > CLIENTS &&
    of('look', 'ok').length > CLIENTS &&
    of('cancel', 'ok').length > 0 &&
    operations.some(({ outcome }) => outcome === 'unknown')

  /** The acts of one client: a read, a purchase, and sometimes a cancellation of an own order. */
  async function live({ viewer, addressId }: CrowdBuyer, n: number, end: number): Promise<void> {
    const ctx = { ...market.ctx, db: far.db, viewer }
    const mine: { id: number; listingId: number }[] = []
    for (let round = 0; !isOver(end); round++) {
      const listingId = ids[(n + round) % ids.length]!
      await note({ kind: 'look', listingId }, async () => {
        const [row] = await far.db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, listingId))
        return { stock: row!.stock }
      })
      // Fill the cart over a good connection: only the confirmation is under test.
      await market.ctx.db.delete(cartLines).where(eq(cartLines.buyerId, viewer.id))
      await market.ctx.db.insert(cartLines).values({ buyerId: viewer.id, listingId, count: 1, seenPrice: rupees(9000), seenStock: START })
      const key = `operation-${n}-${round}`
      await note({ kind: 'buy', listingId, key }, async () => {
        const { orders } = await placeOrder(ctx, { addressId, code: '', key })
        mine.push({ id: orders[0]!.id, listingId })
        return {}
      })
      const old = round % 2 === 1 ? mine.shift() : undefined
      if (old) {
        const operation = { kind: 'cancel', listingId: old.listingId, orderId: old.id } as const
        await note(operation, async () => void (await takeStep(ctx, old.id, { to: CANCELLED })))
      }
    }
  }

  async function note(
    operation: Pick<Operation, 'kind' | 'listingId' | 'key' | 'orderId'>,
    act: () => Promise<{ stock?: number } | void>,
  ): Promise<void> {
    const begun = performance.now()
    let outcome: Operation['outcome'] = 'ok'
    const seen = await act().catch((error: unknown) => void (outcome = error instanceof Problem ? 'refused' : 'unknown'))
    operations.push({ ...operation, begun, ended: performance.now(), outcome, ...(seen?.stock !== undefined && { stock: seen.stock }) })
    if (outcome === 'ok' && ++succeeded % ACTS_PER_CUT === 0) line.cut()
  }

  const of = (kind: Operation['kind'], outcome: Operation['outcome']) =>
    operations.filter((operation) => operation.kind === kind && operation.outcome === outcome)

  test('every acknowledged order exists; unknown ones exist completely or not at all', async () => {
    const { db } = market.ctx
    const placed = await db
      .select({ id: orders.id, groupId: orders.groupId, buyerId: orders.buyerId, listingId: orders.listingId, status: orders.status })
      .from(orders)
      .where(inArray(orders.listingId, ids))
    const keys = await db.select().from(idempotency)
    const byKey = new Map(keys.map(({ key, answer }) => [key, answer as { orders: { id: number }[] } | null]))
    for (const operation of operations.filter(({ kind }) => kind === 'buy')) {
      const answer = byKey.get(operation.key!)
      if (operation.outcome === 'ok') expect(answer).toBeTruthy()
      if (operation.outcome === 'refused') expect(answer).toBeUndefined()
      // A key without a stored answer would be a partial order.
      if (answer !== undefined) expect(placed.some(({ id }) => id === answer!.orders[0]!.id)).toBe(true)
    }
    // Every order belongs to a purchase, and each has its first step.
    expect(placed.length).toBe([...byKey.values()].filter(Boolean).length)
    const first = await db
      .select({ orderId: orderSteps.orderId })
      .from(orderSteps)
      .where(
        and(
          eq(orderSteps.fromStatus, 0),
          inArray(
            orderSteps.orderId,
            placed.map(({ id }) => id),
          ),
        ),
      )
    expect(first.length).toBe(placed.length)
    for (const operation of of('cancel', 'ok')) expect(placed.find(({ id }) => id === operation.orderId)!.status).toBe(CANCELLED)
    for (const id of ids) {
      const active = placed.filter((order) => order.listingId === id && order.status < CANCELLED).length
      const [row] = await db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, id))
      expect(row!.stock).toBe(START - active)
    }
  })

  test('no client read a stock that never existed', () => {
    for (const look of of('look', 'ok')) {
      const same = operations.filter(({ listingId }) => listingId === look.listingId)
      const may = (kind: Operation['kind']) =>
        same.filter((operation) => operation.kind === kind && operation.outcome !== 'refused' && operation.begun < look.ended).length
      const must = (kind: Operation['kind']) =>
        same.filter((operation) => operation.kind === kind && operation.outcome === 'ok' && operation.ended < look.begun).length
      expect(look.stock).toBeGreaterThanOrEqual(Math.max(0, START - may('buy') + must('cancel')))
      expect(look.stock).toBeLessThanOrEqual(Math.min(START, START - must('buy') + may('cancel')))
    }
  })

  test('afterwards the database accepts connections again, and every client that was cut off continues', async () => {
    const asked = Promise.all(Array.from({ length: 40 }, () => far.db.transaction((tx) => tx.execute(sql`select 1 as one`))))
    expect(await asked).toHaveLength(40)
  })

  test('control: eight clients that count by read and write lose updates', async () => {
    const id = ids[0]!
    const allHaveLooked = meetingOf(8)
    const before = (await market.ctx.db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, id)))[0]!.stock
    await market.ctx.db
      .update(listings)
      .set({ stock: before + 8 })
      .where(eq(listings.id, id))
    await Promise.all(
      people.slice(0, 8).map(async () => {
        const [row] = await far.db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, id))
        await allHaveLooked()
        await far.db
          .update(listings)
          .set({ stock: row!.stock - 1 })
          .where(eq(listings.id, id))
      }),
    )
    const [row] = await market.ctx.db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, id))
    expect(row!.stock).not.toBe(before)
  })
})

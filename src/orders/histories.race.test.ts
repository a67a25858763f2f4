import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeAddress, makeUser } from '#src/accounts/makers.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { Problem } from '#src/kit/problem.ts'
import { idempotency } from '#src/kit/db/tables.ts'
import { meetingOf } from '#src/kit/testing/signal.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { layBadLine, type BadLine } from '#src/testing/bad-line.ts'
import { makeCrowd, type CrowdBuyer } from '#src/testing/crowd.ts'
import { often } from '#src/testing/often.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { CANCELLED } from './rules.ts'
import { placeOrder } from '#src/orders/checkout/place-order.server.ts'
import { orders, orderSteps } from './tables.ts'
import { takeStep } from './take-step.server.ts'

// safety.md §1.3: people buy, cancel and look over a connection that is slow and breaks; afterwards each answer is compared with the
// database.

const CLIENTS = 16
const SECONDS = often(4, 30)
const START = 30

/** One thing somebody did. `unknown`: no answer came, so it was done wholly or not at all. */
interface Deed {
  kind: 'buy' | 'cancel' | 'look'
  listingId: number
  begun: number
  ended: number
  outcome: 'ok' | 'refused' | 'unknown'
  /** Of a purchase: its key; of a cancellation: the order; of a look: what was seen. */
  key?: string
  orderId?: number
  stock?: number
}

let market: TestMarket
let line: BadLine
let far: Database
beforeAll(async () => {
  market = await openTestMarket()
  const url = new URL(inject('postgresUrl'))
  line = await layBadLine({ host: url.hostname, port: Number(url.port) })
  const { rows } = (await market.ctx.db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }
  Object.assign(url, { host: `127.0.0.1:${line.port}`, pathname: `/${rows[0]!.name}` })
  far = await openDatabase({ databaseUrl: url.href, dataDir: '', patience: 10, onIdleError: () => {} })
})
afterAll(async () => {
  await far?.close()
  await line?.close()
  await market?.close()
})

describe(`${CLIENTS} people for ${SECONDS} seconds, while the connection to the database breaks twice a second`, () => {
  const deeds: Deed[] = []
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
    const breaking = (async () => {
      while (!isOver(end)) {
        await sleep(500)
        line.cut()
      }
    })()
    await Promise.all(people.map((person, n) => live(person, n, end)))
    await breaking
  })

  /** On a busy machine it goes on until enough was done. */
  const isOver = (end: number) => Date.now() >= end && isEnough()
  const isEnough = () =>
    of('buy', 'ok').length > CLIENTS &&
    of('look', 'ok').length > CLIENTS &&
    of('cancel', 'ok').length > 0 &&
    deeds.some(({ outcome }) => outcome === 'unknown')

  /** What one person does: a look, a purchase, now and then a cancellation of what they have. */
  async function live({ viewer, addressId }: CrowdBuyer, n: number, end: number): Promise<void> {
    const ctx = { ...market.ctx, db: far.db, viewer }
    const mine: { id: number; listingId: number }[] = []
    for (let round = 0; !isOver(end); round++) {
      const listingId = ids[(n + round) % ids.length]!
      await note({ kind: 'look', listingId }, async () => {
        const [row] = await far.db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, listingId))
        return { stock: row!.stock }
      })
      // The cart is filled over a good connection: only the confirmation is under test.
      await market.ctx.db.delete(cartLines).where(eq(cartLines.buyerId, viewer.id))
      await market.ctx.db.insert(cartLines).values({ buyerId: viewer.id, listingId, count: 1, seenPrice: rupees(9000), seenStock: START })
      const key = `deed-${n}-${round}`
      await note({ kind: 'buy', listingId, key }, async () => {
        const { orders } = await placeOrder(ctx, { addressId, code: '', key })
        mine.push({ id: orders[0]!.id, listingId })
        return {}
      })
      const old = round % 2 === 1 ? mine.shift() : undefined
      if (old) {
        const deed = { kind: 'cancel', listingId: old.listingId, orderId: old.id } as const
        await note(deed, async () => void (await takeStep(ctx, old.id, { to: CANCELLED })))
      }
    }
  }

  async function note(
    deed: Pick<Deed, 'kind' | 'listingId' | 'key' | 'orderId'>,
    act: () => Promise<{ stock?: number } | void>,
  ): Promise<void> {
    const begun = performance.now()
    let outcome: Deed['outcome'] = 'ok'
    const seen = await act().catch((error: unknown) => void (outcome = error instanceof Problem ? 'refused' : 'unknown'))
    deeds.push({ ...deed, begun, ended: performance.now(), outcome, ...(seen?.stock !== undefined && { stock: seen.stock }) })
  }

  const of = (kind: Deed['kind'], outcome: Deed['outcome']) => deeds.filter((deed) => deed.kind === kind && deed.outcome === outcome)

  test('whatever was said to be ordered is there; what is unknown is there wholly or not at all', async () => {
    const { db } = market.ctx
    const placed = await db
      .select({ id: orders.id, groupId: orders.groupId, buyerId: orders.buyerId, listingId: orders.listingId, status: orders.status })
      .from(orders)
      .where(inArray(orders.listingId, ids))
    const keys = await db.select().from(idempotency)
    const byKey = new Map(keys.map(({ key, answer }) => [key, answer as { orders: { id: number }[] } | null]))
    for (const deed of deeds.filter(({ kind }) => kind === 'buy')) {
      const answer = byKey.get(deed.key!)
      if (deed.outcome === 'ok') expect(answer).toBeTruthy()
      if (deed.outcome === 'refused') expect(answer).toBeUndefined()
      // A key without an answer would be half an order.
      if (answer !== undefined) expect(placed.some(({ id }) => id === answer!.orders[0]!.id)).toBe(true)
    }
    // Nothing but what somebody meant, and each with its first step.
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
    for (const deed of of('cancel', 'ok')) expect(placed.find(({ id }) => id === deed.orderId)!.status).toBe(CANCELLED)
    for (const id of ids) {
      const active = placed.filter((order) => order.listingId === id && order.status < CANCELLED).length
      const [row] = await db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, id))
      expect(row!.stock).toBe(START - active)
    }
  })

  test('nobody saw a number that there never was', () => {
    for (const look of of('look', 'ok')) {
      const same = deeds.filter(({ listingId }) => listingId === look.listingId)
      const may = (kind: Deed['kind']) =>
        same.filter((deed) => deed.kind === kind && deed.outcome !== 'refused' && deed.begun < look.ended).length
      const must = (kind: Deed['kind']) =>
        same.filter((deed) => deed.kind === kind && deed.outcome === 'ok' && deed.ended < look.begun).length
      expect(look.stock).toBeGreaterThanOrEqual(Math.max(0, START - may('buy') + must('cancel')))
      expect(look.stock).toBeLessThanOrEqual(Math.min(START, START - must('buy') + may('cancel')))
    }
  })

  test('afterwards the connection holds again, and all who were cut off are let in as before', async () => {
    const asked = Promise.all(Array.from({ length: 40 }, () => far.db.transaction((tx) => tx.execute(sql`select 1 as one`))))
    expect(await asked).toHaveLength(40)
  })

  test('control: eight who count by themselves do not come to what they did', async () => {
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

import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import * as accounts from '#src/accounts/privacy/privacy.server.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { startOutbox } from '#src/kit/messages/outbox.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { meetingOf, signal } from '#tools/test-kit/signal.ts'
import * as listingsPrivacy from '#src/listings/privacy.server.ts'
import { listings } from '#src/listings/tables.ts'
import { forgetPerson } from '#src/orders/privacy/privacy.server.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { endOrder, undoEnd } from './end-order.server.ts'
import { makeOrder } from './makers.server.ts'
import { CANCELLED, CONFIRMED } from '../process.server.ts'
import { orders } from '../tables.ts'

const ROUNDS = often(10, 60)

let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9 })
})

const rowOf = async (id: number) => (await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!
async function ended(): Promise<number> {
  const { id } = await makeOrder(market.ctx, { status: CONFIRMED, admin })
  await endOrder(market.as(admin), id, { to: CANCELLED, from: CONFIRMED, reason: 'Sold.' })
  return id
}
type Undo = (ctx: Ctx, id: number) => Promise<void>

/** An end whose messages are due now, an admin who undoes it, and a worker who sends them once `looked` is given. */
async function undoWhileSending(
  undo: (ctx: Ctx, id: number, meet: { looked: () => void; sent: Promise<void> }) => Promise<void>,
  isAtOnce: boolean,
) {
  const told: (string | undefined)[] = []
  const { db, log, vault, publicOrigin: origin } = market.ctx
  const send = async ({ template, variables }: { template: string; variables: Record<string, string> | null }) =>
    void (template.startsWith('order-cancelled') && told.push(variables?.number))
  const rest = { email: { send: async () => {} }, push: { send: async () => {} } }
  const worker = startOutbox({ db, log, vault, origin, gateways: { sms: { send, isStandIn: true }, ...rest }, isManual: true })
  const ends: { isUndone: boolean; status: number; isSent: boolean }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await db.delete(outbox)
    const id = await ended()
    await db.update(outbox).set({ dueAt: sql`now() - interval '1 second'` })
    const [looked, sent] = [signal(), signal()]
    if (isAtOnce) looked.give()
    const work = looked.given.then(() => worker.look('sms')).then(sent.give)
    const [end] = await Promise.all([refusalOf(undo(market.as(admin), id, { looked: looked.give, sent: sent.given })), work])
    await worker.look('sms')
    const { status, orderNo } = await rowOf(id)
    ends.push({ isUndone: end === 'taken', status, isSent: told.includes(orderNo) })
  }
  await worker.stop()
  return ends
}

test('an end that is undone while its messages are due is either undone or sent, never both', async () => {
  for (const { isUndone, status, isSent } of await undoWhileSending(undoEnd, true))
    expect({ status, isSent }).toEqual({ status: isUndone ? CONFIRMED : CANCELLED, isSent: !isUndone })
})

test('control: looking at the messages without a lock tells people about an order that goes on', async () => {
  const ends = await undoWhileSending(async ({ db }, id, { looked, sent }) => {
    const messages = await db.select().from(outbox)
    looked()
    await sent
    if (messages.some(({ attempts }) => attempts > 0)) throw new Error('too late')
    await db.delete(outbox)
    await db.update(orders).set({ status: CONFIRMED }).where(eq(orders.id, id))
  }, false)
  expect(ends.some(({ isUndone, isSent }) => isUndone && isSent)).toBe(true)
})

/** Two tabs undo the same end at once. Returns the stock that the listing has too little. */
async function undoTwice(undo: Undo): Promise<number> {
  const id = await ended()
  const { listingId, count } = await rowOf(id)
  await market.ctx.db.update(listings).set({ stock: 10 }).where(eq(listings.id, listingId))
  await Promise.all([1, 2].map(() => refusalOf(undo(market.as(admin), id))))
  const [listing] = await market.ctx.db.select().from(listings).where(eq(listings.id, listingId))
  return 10 - count - listing!.stock
}

test('of two undos of one end at once one takes the animals again', async () => {
  for (let round = 0; round < ROUNDS; round++) expect(await undoTwice(undoEnd)).toBe(0)
})

test('control: looking at the status without a lock takes the animals twice', async () => {
  const bothHaveLooked = meetingOf(2)
  const unlocked: Undo = async ({ db }, id) => {
    const { status, listingId, count } = await rowOf(id)
    await bothHaveLooked()
    if (status !== CANCELLED) throw new Error('undone already')
    await db
      .update(listings)
      .set({ stock: sql`${listings.stock} - ${count}::integer` })
      .where(eq(listings.id, listingId))
    await db.update(orders).set({ status: CONFIRMED }).where(eq(orders.id, id))
  }
  expect(await undoTwice(unlocked)).toBeGreaterThan(0)
})

type Meet = () => Promise<void>
const atOnce: Meet = async () => {}

/** The erasure of one side beside an undo. Returns how both ended, and whether the order of an erased person goes on. */
async function undoWhileErasing(who: 'buyer' | 'seller', undo: Undo, begin = atOnce, halfway = atOnce) {
  const made = await makeOrder(market.ctx, { status: CONFIRMED, admin })
  await endOrder(market.as(admin), made.id, { to: CANCELLED, from: CONFIRMED, reason: 'Sold.' })
  const { id } = made[who]
  const erase = async () => {
    await begin()
    await inTransaction(market.as(made[who]), async (ctx) => {
      await forgetPerson(ctx, id)
      await halfway()
      await listingsPrivacy.forgetPerson(ctx, id)
      await accounts.forgetPerson(ctx, id)
    })
  }
  const [undone, erased] = await Promise.all([refusalOf(undo(market.as(admin), made.id)), refusalOf(erase())])
  return { undone, erased, isRevived: erased === 'taken' && (await rowOf(made.id)).status === CONFIRMED }
}

test.each(['buyer', 'seller'] as const)('an end is undone or its %s is erased, never both', async (who) => {
  for (let round = 0; round < ROUNDS; round++) {
    const { undone, erased, isRevived } = await undoWhileErasing(who, undoEnd)
    expect([undone, isRevived]).toEqual([erased === 'OPEN_ORDERS' ? 'taken' : 'ORDER_TERMINAL', false])
  }
})

test.each(['buyer', 'seller'] as const)('an undo waits for the erasure of the %s, and names it as the cause', async (who) => {
  const forgotten = signal()
  const undo: Undo = async (ctx, id) => {
    await forgotten.given
    await undoEnd(ctx, id).catch((error: unknown) => {
      expect(problemDetail(error as Problem, 'en')).toContain('has deleted the account')
      throw error
    })
  }
  const halfway = async () => {
    forgotten.give()
    await untilLockWait(market.ctx.db)
  }
  const end = await undoWhileErasing(who, undo, atOnce, halfway)
  expect(end).toEqual({ undone: 'ORDER_TERMINAL', erased: 'taken', isRevived: false })
})

/** An erasure begins when the undo is done, and the undo commits when the erasure waits for it. */
function undoWhileErasureWaits(undo: Undo) {
  const done = signal()
  const slowly: Undo = (ctx, id) =>
    inTransaction(ctx, async (ctx) => {
      await undo(ctx, id)
      done.give()
      await untilLockWait(market.ctx.db)
    })
  return undoWhileErasing('buyer', slowly, () => done.given)
}

test('an erasure that begins during an undo waits, and finds the order open', async () => {
  expect(await undoWhileErasureWaits(undoEnd)).toEqual({ undone: 'taken', erased: 'OPEN_ORDERS', isRevived: false })
})

test('control: an undo that locks only the order revives the order of an erased buyer', async () => {
  const undo: Undo = async ({ db }, id) => void (await db.update(orders).set({ status: CONFIRMED }).where(eq(orders.id, id)))
  expect(await undoWhileErasureWaits(undo)).toEqual({ undone: 'taken', erased: 'taken', isRevived: true })
})

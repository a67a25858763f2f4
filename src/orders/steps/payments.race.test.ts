import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { countOf, rush } from '#tools/test-kit/crowd.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { recordPayment } from './closing.server.ts'
import { makeOrder } from './makers.server.ts'
import { isUnrecorded } from '../process.server.ts'
import { payableOf, type Payment } from '../rules.ts'
import { orders, orderSteps } from '../tables.ts'
import { takeStep } from './take-step.server.ts'

// decisions.md §7.1: the payment of an order that was delivered without one is recorded once.

const ORDERS = often(20, 200)
const AT_ONCE = 20

let market: TestMarket
let admins: [Viewer, Viewer]
let seller: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const newAdmin = () => makeUser(market.ctx, { typeId: 9 })
  admins = [await newAdmin(), await newAdmin()]
  seller = await makeUser(market.ctx, { typeId: 2 })
})

/** Each admin states another method, so that the record shows who won. */
const methods = ['cash', 'upi'] as const
async function deliveredWithoutPayment(): Promise<number> {
  const { id } = await makeOrder(market.ctx, { status: 5, seller, admin: admins[0] })
  await takeStep(market.as(admins[0]), id, { to: 6, note: 'The bearer called.' })
  return id
}
const rowOf = async (id: number) => (await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!
const recordsOf = (id: number) =>
  market.ctx.db
    .select()
    .from(orderSteps)
    .where(and(eq(orderSteps.orderId, id), eq(orderSteps.fromStatus, 6), eq(orderSteps.toStatus, 6)))

test(`payments of ${ORDERS} orders, each recorded by two admins at once: one record each, and the other admin is refused`, async () => {
  const ids: number[] = []
  for (let n = 0; n < ORDERS; n++) ids.push(await deliveredWithoutPayment())
  const payable = payableOf(await rowOf(ids[0]!))
  const attempts = ids.flatMap((id) => [0, 1].map((who) => ({ id, who })))
  const ends = await rush(attempts, AT_ONCE, ({ id, who }) =>
    recordPayment(market.as(admins[who]!), id, { payment: { method: methods[who]!, amount: payable }, note: methods[who]! }),
  )
  expect(countOf(ends)).toEqual({ taken: ORDERS, ORDER_TERMINAL: ORDERS })
  for (const [n, id] of ids.entries()) {
    const winner = ends[2 * n] === 'taken' ? 0 : 1
    expect(await rowOf(id)).toMatchObject({ paymentMethod: methods[winner], amountPaid: payable })
    expect(await recordsOf(id)).toMatchObject([{ byId: admins[winner]!.id, note: methods[winner] }])
    const noted = and(eq(auditEvents.event, 'order_payment'), eq(auditEvents.object, `order:${id}`))
    expect(await market.ctx.db.select().from(auditEvents).where(noted)).toMatchObject([{ actorId: admins[winner]!.id }])
  }
})

test('control: without a lock on the order both payments are recorded', async () => {
  const id = await deliveredWithoutPayment()
  const bothHaveLooked = meetingOf(2)
  const recordNaively = (admin: Viewer, { method, amount }: Payment) =>
    inTransaction(market.as(admin), async ({ db, now }) => {
      const [order] = await db.select().from(orders).where(eq(orders.id, id))
      await bothHaveLooked()
      if (!isUnrecorded(order!)) throw new Error('recorded already')
      await db.update(orders).set({ paymentMethod: method, amountPaid: amount }).where(eq(orders.id, id))
      await db.insert(orderSteps).values({ orderId: id, fromStatus: 6, toStatus: 6, byId: admin.id, as: 'admin', note: method, at: now })
    })
  const amount = payableOf(await rowOf(id))
  await Promise.all(admins.map((admin, who) => recordNaively(admin, { method: methods[who]!, amount })))
  expect(await recordsOf(id)).toHaveLength(2)
})

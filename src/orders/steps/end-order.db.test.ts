import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { listings } from '#src/listings/tables.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { endOrder, undoEnd } from './end-order.server.ts'
import { makeOrder } from './makers.server.ts'
import { action } from '#src/orders/list/orders-page.tsx'
import { CANCELLED, CONFIRMED, NOT_AVAILABLE } from '../process.server.ts'
import { discountUses, orders, orderSteps } from '../tables.ts'

let market: TestMarket
let admin: Viewer
let other: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Meena' })
  other = await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })
})

const confirmed = async () => (await makeOrder(market.ctx, { status: CONFIRMED, admin })).id
/** Everything that an end changes. */
async function stateOf(id: number) {
  const { db } = market.ctx
  const [order] = await db.select().from(orders).where(eq(orders.id, id))
  const [listing] = await db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, order!.listingId))
  return { order, listing, discounts: await db.select().from(discountUses).where(eq(discountUses.orderId, id)) }
}
const endedMessages = async () =>
  (await market.ctx.db.select().from(outbox)).filter(({ template }) => /order-(cancelled|unavailable)/.test(template))
const cancel = (id: number, to = CANCELLED) => endOrder(market.as(admin), id, { to, from: CONFIRMED, reason: 'Sold elsewhere.' })
async function detailOf(act: Promise<unknown>): Promise<string> {
  return problemDetail((await act.catch((error: unknown) => error)) as Problem, 'en')
}
const later = (seconds: number) => new Date(Date.now() + seconds * 1000)

test('an end that is undone leaves order, animals and discount as before, and nobody hears of it', async () => {
  const id = await confirmed()
  const before = await stateOf(id)
  const sent = (await endedMessages()).length
  const now = later(5)
  await endOrder(market.as(admin, { now }), id, { to: CANCELLED, from: CONFIRMED, reason: 'Sold elsewhere.' })
  expect((await stateOf(id)).order).toMatchObject({ changedAt: now, status: CANCELLED, endReason: 'Sold elsewhere.' })
  const waiting = (await endedMessages()).slice(sent)
  expect(waiting.map(({ template }) => template).toSorted()).toEqual(['order-cancelled-buyer', 'order-cancelled-seller'])
  for (const { dueAt } of waiting) expect(dueAt.getTime()).toBeGreaterThan(later(MESSAGE_DELAY_SECONDS - 10).getTime())
  await undoEnd(market.as(admin, { now }), id)
  expect(await stateOf(id)).toEqual(before)
  expect(await endedMessages()).toHaveLength(sent)
  const steps = await market.ctx.db.select().from(orderSteps).where(eq(orderSteps.orderId, id)).orderBy(orderSteps.id)
  expect(steps.slice(-2).map(({ fromStatus, toStatus }) => [fromStatus, toStatus])).toEqual([
    [CONFIRMED, CANCELLED],
    [CANCELLED, CONFIRMED],
  ])
  const trail = await market.ctx.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.object, `order:${id}`))
    .orderBy(auditEvents.id)
  expect(trail.slice(-2)).toMatchObject([
    { event: 'order_step', actorId: admin.id },
    { event: 'order_step_undone', actorId: admin.id, details: { from: CANCELLED, to: CONFIRMED } },
  ])
  // The same form again succeeds and changes nothing, another admin reads who was first, and the order can end again.
  await undoEnd(market.as(admin), id)
  expect(await stateOf(id)).toEqual(before)
  expect(await detailOf(undoEnd(market.as(other), id))).toMatch(/“Order confirmed” \(Meena, \d+-/)
  await cancel(id, NOT_AVAILABLE)
  expect((await stateOf(id)).order!.status).toBe(NOT_AVAILABLE)
})

test('an undo comes too late after its time, and after a message was sent', async () => {
  const id = await confirmed()
  await cancel(id)
  expect(await detailOf(undoEnd(market.as(admin, { now: later(MESSAGE_DELAY_SECONDS + 1) }), id))).toContain(
    'buyer and seller have got the message',
  )
  await market.ctx.db.update(outbox).set({ attempts: 1 }).where(eq(outbox.template, 'order-cancelled-seller'))
  expect(await detailOf(undoEnd(market.as(admin), id))).toContain('buyer and seller have got the message')
  expect((await stateOf(id)).order!.status).toBe(CANCELLED)
})

test('another admin does not undo it, and reads who ended it', async () => {
  const id = await confirmed()
  await cancel(id)
  expect(await detailOf(undoEnd(market.as(other), id))).toMatch(/“Cancelled” \(Meena, \d+-/)
  expect(await detailOf(undoEnd(market.as(await makeUser(market.ctx)), id))).toContain('not')
})

test('animals that somebody bought meanwhile are not taken from them', async () => {
  const id = await confirmed()
  await cancel(id)
  const { order } = await stateOf(id)
  await market.ctx.db.update(listings).set({ stock: 0 }).where(eq(listings.id, order!.listingId))
  expect(await detailOf(undoEnd(market.as(admin), id))).toContain('too few animals are left')
  expect((await stateOf(id)).order!.status).toBe(CANCELLED)
})

test('an undo takes only the animals that a full listing got back', async () => {
  const { id, listingId } = await makeOrder(market.ctx, { status: CONFIRMED, admin, count: 5 })
  await market.ctx.db.update(listings).set({ stock: 9998 }).where(eq(listings.id, listingId))
  await cancel(id)
  expect((await stateOf(id)).listing!.stock).toBe(10_000)
  await undoEnd(market.as(admin), id)
  expect((await stateOf(id)).listing!.stock).toBe(9998)
})

test('a discount that the buyer used for another order meanwhile stays there', async () => {
  const { id, buyer } = await makeOrder(market.ctx, { status: CONFIRMED, admin })
  await cancel(id)
  const ended = await stateOf(id)
  expect(ended.discounts).toHaveLength(1)
  const next = await makeOrder(market.ctx, { buyer })
  expect((await stateOf(next.id)).discounts).toMatchObject([{ typeId: ended.discounts[0]!.typeId, returnedAt: null }])
  expect(await detailOf(undoEnd(market.as(admin), id))).toContain('used the discount for another order')
  expect(await stateOf(id)).toEqual(ended)
})

test('the form asks for a reason, from the list or in own words', async () => {
  const id = await confirmed()
  const send = (fields: Record<string, string>) =>
    sendForm(market.ctx, action as never, { viewer: admin, params: {}, fields: { id: String(id), from: '2', ...fields } }).catch(
      (redirected: unknown) => (redirected as Response).headers.get('Location'),
    )
  expect(await send({ act: 'end', to: '100', reason: '', note: ' ' })).toBe('VALIDATION')
  // Reason and note together are as long as one reason may be.
  expect(await send({ act: 'end', to: '102', reason: 'a'.repeat(250), note: 'b'.repeat(250) })).toBe('VALIDATION')
  expect(await send({ act: 'end', to: '4', reason: 'Sold.', note: '' })).toBe('ORDER_STEP')
  expect(await send({ act: 'end', to: '102', reason: 'Sold.', note: 'On Monday.' })).toMatch(new RegExp(`done=ended&of=${id}$`))
  expect((await stateOf(id)).order).toMatchObject({ status: NOT_AVAILABLE, endReason: 'Sold. On Monday.' })
  expect(await send({ act: 'undo-end' })).toMatch(new RegExp(`done=undone&of=${id}`))
  expect((await stateOf(id)).order).toMatchObject({ status: CONFIRMED, endReason: null })
})

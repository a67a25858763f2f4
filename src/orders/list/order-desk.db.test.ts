import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { DAY, indianDayIn } from '#src/kit/time-money/dates.ts'
import { planOf } from '#src/orders/steps/handover.server.ts'
import { makeBearer, makeOrder, statusOf } from '#src/orders/steps/makers.server.ts'
import { loader, action } from './orders-page.tsx'
import { orderNumber } from '../rules.ts'
import { flagged } from '../order-conditions.ts'
import { orders, orderSteps } from '../tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { bringAllTo, planAll } from './bulk.server.ts'
import { readOrderDesk } from './order-desk.server.ts'

let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, isAdmin: true })
})

const made = (facts: Parameters<typeof makeOrder>[1] = {}) => makeOrder(market.ctx, { admin, ...facts })
const change = (id: number, values: Partial<typeof orders.$inferInsert>) =>
  market.ctx.db.update(orders).set(values).where(eq(orders.id, id))
const rowOf = async (id: number) => (await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!
const inDays = (days: number) => indianDayIn(market.ctx.now, days)
const desk = (query = '') => readOrderDesk(market.as(admin), new URLSearchParams(query))
const idsOf = (of: { rows: { id: number }[] }) => of.rows.map(({ id }) => id)

describe('the table', () => {
  test('has a saved view for each kind of work, and each view lists as many orders as its count', async () => {
    const [placed, confirmed, ready, way, refused, delivered] = await Promise.all(
      ([1, 2, 4, 5, 101, 6] as const).map((status) => made({ status })),
    )
    await change(ready!.id, { deliverOn: inDays(0) })
    await change(way!.id, { deliverOn: inDays(-1) })
    const of = async (view: string) => new Set(idsOf(await desk(`view=${view}`)))
    const all = [placed!, confirmed!, ready!, way!, refused!, delivered!].map(({ id }) => id)
    const seen = async (view: string) => {
      const ids = await of(view)
      return all.map((id) => ids.has(id))
    }
    expect(await seen('confirm')).toEqual([true, false, false, false, false, false])
    expect(await seen('prepare')).toEqual([false, true, false, false, false, false])
    expect(await seen('today')).toEqual([false, false, true, false, false, false])
    expect(await seen('way')).toEqual([false, false, false, true, false, false])
    expect(await seen('late')).toEqual([false, false, false, true, false, false])
    expect(await seen('refused')).toEqual([false, false, false, false, true, false])
    expect(await seen('open')).toEqual([true, true, true, true, false, false])
    expect(await seen('all')).toEqual(all.map(() => true))
    const { counts } = await desk()
    for (const view of ['open', 'late', 'confirm', 'prepare', 'today', 'way', 'refused'] as const)
      expect(counts[view], view).toBe((await desk(`view=${view}`)).found)
    expect(counts.late).toBe(await market.ctx.db.$count(orders, flagged(market.ctx.now)))
  })

  test('lists late and stalled orders first; the query sorts and filters it', async () => {
    const [fine, late] = [await made({ status: 4 }), await made({ status: 1, count: 2 })]
    await change(late.id, { changedAt: new Date(market.ctx.now.getTime() - 2 * DAY) })
    const ids = idsOf(await desk())
    expect(ids.indexOf(late.id)).toBeLessThan(ids.indexOf(fine.id))
    const only = `q=${encodeURIComponent((await rowOf(fine.id)).orderNo)}`
    expect(idsOf(await desk(only))).toEqual([fine.id])
    const amounts = (await desk('view=all&sort=-amount')).rows.map(({ payable }) => Number(payable.replace(/[^\d.]/g, '')))
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a))
    expect((await desk('view=all&sort=nonsense&page=0')).choices).toMatchObject({ sort: { by: 'order', isDown: true }, page: 1 })
  })

  test('opens the order in the address, or the only search result; an unknown order opens nothing', async () => {
    const { id } = await made({ status: 2 })
    expect((await desk(`order=${orderNumber(id)}`)).open?.id).toBe(id)
    expect((await desk(`q=${id}`)).open?.id).toBe(id)
    expect((await desk('order=SN-999999')).open).toBeNull()
    expect((await desk('order=x')).open).toBeNull()
    expect((await desk()).open).toBeNull()
  })

  test('is for admins only', async () => {
    const { buyer } = await made()
    expect(await refusalOf(readOrderDesk(market.as(buyer), new URLSearchParams()))).toBe('ROLE_FORBIDDEN')
    expect(loader).toBeTypeOf('function')
  })
})

const shown = (id: number, from: number) => ({ id, from, seen: '' })

describe('bulk changes of orders', () => {
  test('refuse an order that left the shown status meanwhile, with the step and who took it', async () => {
    const first = await makeUser(market.ctx, { typeId: 9, name: 'Meena' })
    const order = await made({ status: 2 })
    await takeStep(market.as(first), order.id, { to: 4 })
    await takeStep(market.as(first), order.id, { to: 5 })
    const [late] = await bringAllTo(market.as(admin), [shown(order.id, 2)], 4)
    expect(late!.refusal).toMatch(/“On the way” \(Sandhai team · Meena, /)
    const [same] = await planAll(market.as(admin), [{ ...shown(order.id, 5), seen: 'other' }], {
      deliverOn: inDays(1),
      listedBearerId: null,
    })
    expect(same!.refusal).toBe('This was changed meanwhile. Please open the page again and look.')
  })

  test('run one by one: a refused order does not affect the others', async () => {
    const [placed, confirmed, over] = [await made(), await made({ status: 2 }), await made({ status: 100 })]
    const results = await bringAllTo(
      market.as(admin),
      [shown(placed.id, 1), shown(confirmed.id, 2), shown(over.id, 100), shown(999_999, 1)],
      4,
    )
    expect(results.map(({ refusal }) => refusal === null)).toEqual([false, true, false, false])
    expect(results[1]!.orderNo).toBe(orderNumber(confirmed.id))
    expect([await statusOf(market.ctx, placed.id), await statusOf(market.ctx, confirmed.id)]).toEqual([1, 4])
    // A repeated form finds the work done and writes nothing.
    expect((await bringAllTo(market.as(admin), [shown(confirmed.id, 2)], 4)).map(({ refusal }) => refusal)).toEqual([null])
    expect(await market.ctx.db.$count(orderSteps, eq(orderSteps.orderId, confirmed.id))).toBe(3)
    expect(await refusalOf(bringAllTo(market.as(confirmed.seller), [shown(confirmed.id, 4)], 5))).toBe('ROLE_FORBIDDEN')
  })

  test('set day and bearer; fields left out stay, and a plan that somebody else changed is refused', async () => {
    const [bearer, other, account] = [await makeBearer(market.ctx), await makeBearer(market.ctx), await makeUser(market.ctx, { typeId: 4 })]
    const [a, b, c] = [await made({ status: 4 }), await made({ status: 4 }), await made({ status: 4 })]
    await change(a.id, { deliverOn: inDays(3), deliverWindow: 'evening' })
    await change(b.id, { bearerId: account.id })
    const chosen = async () => Promise.all([a, b, c].map(async ({ id }) => ({ ...shown(id, 4), seen: planOf(await rowOf(id)) })))
    const before = await chosen()
    await change(c.id, { deliverOn: inDays(9) })
    const byBearer = await planAll(market.as(admin), before, { deliverOn: null, listedBearerId: bearer.id })
    expect(byBearer.map(({ refusal }) => refusal === null)).toEqual([true, true, false])
    expect(await rowOf(a.id)).toMatchObject({ deliverOn: inDays(3), deliverWindow: 'evening', listedBearerId: bearer.id })
    expect(await rowOf(b.id)).toMatchObject({ deliverOn: null, bearerId: null, listedBearerId: bearer.id })
    // A repeated form finds its own plan.
    expect((await planAll(market.as(admin), before.slice(0, 1), { deliverOn: null, listedBearerId: bearer.id }))[0]!.refusal).toBeNull()
    expect((await planAll(market.as(admin), before.slice(0, 1), { deliverOn: null, listedBearerId: other.id }))[0]!.refusal).not.toBeNull()
    await change(b.id, { bearerId: account.id, listedBearerId: null })
    await planAll(market.as(admin), await chosen(), { deliverOn: inDays(1), listedBearerId: null })
    expect(await rowOf(a.id)).toMatchObject({ deliverOn: inDays(1), listedBearerId: bearer.id })
    expect(await rowOf(b.id)).toMatchObject({ deliverOn: inDays(1), bearerId: account.id, listedBearerId: null })
    expect(
      (await planAll(market.as(admin), await chosen(), { deliverOn: inDays(-1), listedBearerId: null })).map(({ refusal }) => refusal),
    ).not.toContain(null)
  })

  test('take the orders that the form names; an empty or invalid choice is refused', async () => {
    const { id } = await made({ status: 2 })
    const send = (fields: Parameters<typeof sendForm>[2]['fields']) =>
      sendForm(market.ctx, action as never, { viewer: admin, fields, params: {} })
    expect(await send({ act: 'bulk-ready' })).toBe('VALIDATION')
    expect(await send({ act: 'bulk-ready', ids: 'x' })).toBe('VALIDATION')
    const sendMany = (count: number) =>
      send([['act', 'bulk-ready'], ...Array.from({ length: count }, (_, n): [string, string] => ['ids', String(900_000 + n)])])
    // A page of orders beside those of the step before.
    expect(await sendMany(100)).toBeNull()
    expect(await sendMany(101)).toBe('VALIDATION')
    expect(await send({ act: 'bulk-plan', ids: String(id), deliverOn: '', listedBearerId: '' })).toBe('VALIDATION')
    expect(await send({ act: 'bulk-ready', ids: String(id), [`from-${id}`]: '1' })).toBeNull()
    expect(await statusOf(market.ctx, id)).toBe(2)
    expect(await send({ act: 'bulk-ready', ids: String(id), [`from-${id}`]: '2' })).toBeNull()
    expect(await statusOf(market.ctx, id)).toBe(4)
  })
})

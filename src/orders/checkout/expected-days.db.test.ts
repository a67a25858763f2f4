import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { expectedDays } from '../rules.ts'
import { orders } from '../tables.ts'
import { findExpectedDays, findExpectedDaysOf } from './expected-days.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

describe('the usual number of days until a delivery', () => {
  test('grows with the distance, and is null when a place is unknown', () => {
    expect([0, 60, 61, 200, 201, 2000].map((kilometres) => expectedDays(kilometres, []))).toEqual([
      { from: 2, to: 4 },
      { from: 2, to: 4 },
      { from: 3, to: 6 },
      { from: 3, to: 6 },
      { from: 4, to: 9 },
      { from: 4, to: 9 },
    ])
    expect(expectedDays(null, [])).toBeNull()
  })

  test('comes from at least five deliveries over a similar distance, without the fastest and the slowest tenth', () => {
    const near = (...days: number[]) => days.map((each) => ({ kilometres: 40, days: each }))
    const far = (...days: number[]) => days.map((each) => ({ kilometres: 300, days: each }))
    expect(expectedDays(10, [...near(5, 6, 7, 8), ...far(1)])).toEqual({ from: 2, to: 4 })
    expect(expectedDays(10, [...near(8, 5, 7, 6, 0), ...far(30, 30, 30, 30, 30)])).toEqual({ from: 1, to: 8 })
    expect(expectedDays(10, near(90, 3, 3, 3, 3, 3, 3, 3, 3, 3))).toEqual({ from: 3, to: 3 })
  })

  test('depends on the farthest animal of the order', async () => {
    const near = await findExpectedDays(market.ctx, '641001', ['641001'])
    const far = await findExpectedDays(market.ctx, '641001', ['641001', '629001'])
    expect(near).toEqual({ from: 2, to: 4 })
    expect(far!.to).toBeGreaterThan(near!.to)
    expect(await findExpectedDays(market.ctx, '629001', ['641001'])).toEqual(far)
  })

  test('is computed from delivered orders', async () => {
    for (const days of [6, 7, 7, 8, 9]) {
      const { id } = await makeOrder(market.ctx, { status: 6, listing: { pincode: '638701' } })
      const createdAt = daysBefore(market.ctx.now, days)
      await market.ctx.db
        .update(orders)
        .set({ createdAt, deliveredOn: indianDay(market.ctx.now) })
        .where(eq(orders.id, id))
    }
    expect(await findExpectedDays(market.ctx, '641001', ['641001'])).toEqual({ from: 6, to: 9 })
    expect(await findExpectedDays(market.ctx, '641001', ['629001'])).toEqual({ from: 4, to: 9 })
  })

  test('is the same for a placed order, and null when its place has no coordinates', async () => {
    const placed = async (pincode: string) => (await makeOrder(market.ctx, { listing: { pincode } })).id
    const [near, far] = [await placed('641001'), await placed('629001')]
    const [order] = await market.ctx.db.select().from(orders).where(eq(orders.id, far))
    const days = await findExpectedDaysOf(market.ctx, [near, far])
    expect(days.get(far)).toEqual(await findExpectedDays(market.ctx, order!.delivery.pincode, ['629001']))
    expect([...days.keys()].toSorted()).toEqual([near, far].toSorted())
    await market.ctx.db
      .update(orders)
      .set({ delivery: { ...order!.delivery, pincode: '999999' } })
      .where(eq(orders.id, far))
    expect([...(await findExpectedDaysOf(market.ctx, [near, far])).keys()]).toEqual([near])
    expect(await findExpectedDaysOf(market.ctx, [])).toEqual(new Map())
  })

  test('is null for an order without animals, and for a PIN code without coordinates', async () => {
    expect(await findExpectedDays(market.ctx, '641001', [])).toBeNull()
    expect(await findExpectedDays(market.ctx, '641001', ['999999'])).toBeNull()
    expect(await findExpectedDays(market.ctx, '999999', ['641001'])).toBeNull()
  })
})

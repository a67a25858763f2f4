import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { makeOrder } from '#src/orders/makers.server.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { expectedDays } from '#src/orders/rules.ts'
import { orders } from '#src/orders/tables.ts'
import { findExpectedDays } from './expected-days.server.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market?.close())

describe('how many days a delivery usually takes', () => {
  test('grows with the distance, and is unknown where a place is', () => {
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

  test('is what deliveries over such a distance took, from five on, less the quickest and the slowest tenth', () => {
    const near = (...days: number[]) => days.map((each) => ({ kilometres: 40, days: each }))
    const far = (...days: number[]) => days.map((each) => ({ kilometres: 300, days: each }))
    expect(expectedDays(10, [...near(5, 6, 7, 8), ...far(1)])).toEqual({ from: 2, to: 4 })
    expect(expectedDays(10, [...near(8, 5, 7, 6, 0), ...far(30, 30, 30, 30, 30)])).toEqual({ from: 1, to: 8 })
    expect(expectedDays(10, near(90, 3, 3, 3, 3, 3, 3, 3, 3, 3))).toEqual({ from: 3, to: 3 })
  })

  test('goes by the farthest animal of the order', async () => {
    const near = await findExpectedDays(market.ctx, '641001', ['641001'])
    const far = await findExpectedDays(market.ctx, '641001', ['641001', '629001'])
    expect(near).toEqual({ from: 2, to: 4 })
    expect(far!.to).toBeGreaterThan(near!.to)
    expect(await findExpectedDays(market.ctx, '629001', ['641001'])).toEqual(far)
  })

  test('is read from the orders that were delivered', async () => {
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

  test('is not said for an order without animals, nor to or from a PIN code that is not on the map', async () => {
    expect(await findExpectedDays(market.ctx, '641001', [])).toBeNull()
    expect(await findExpectedDays(market.ctx, '641001', ['999999'])).toBeNull()
    expect(await findExpectedDays(market.ctx, '999999', ['641001'])).toBeNull()
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { expectedDays } from '#src/orders/rules.ts'
import { findExpectedDays } from './expected-days.server.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market?.close())

describe('how many days a delivery usually takes', () => {
  test('grows with the distance, and is unknown where a place is', () => {
    expect([0, 60, 61, 200, 201, 2000].map(expectedDays)).toEqual([
      { from: 2, to: 4 },
      { from: 2, to: 4 },
      { from: 3, to: 6 },
      { from: 3, to: 6 },
      { from: 4, to: 9 },
      { from: 4, to: 9 },
    ])
    expect(expectedDays(null)).toBeNull()
  })

  test('goes by the farthest animal of the order', async () => {
    const near = await findExpectedDays(market.ctx, '641001', ['641001'])
    const far = await findExpectedDays(market.ctx, '641001', ['641001', '629001'])
    expect(near).toEqual({ from: 2, to: 4 })
    expect(far!.to).toBeGreaterThan(near!.to)
    expect(await findExpectedDays(market.ctx, '629001', ['641001'])).toEqual(far)
  })

  test('is not said for an order without animals, nor to or from a PIN code that is not on the map', async () => {
    expect(await findExpectedDays(market.ctx, '641001', [])).toBeNull()
    expect(await findExpectedDays(market.ctx, '641001', ['999999'])).toBeNull()
    expect(await findExpectedDays(market.ctx, '999999', ['641001'])).toBeNull()
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rupees } from '#src/kit/time-money/money.ts'
import { priceSteps } from './price-steps.ts'

const stepsOf = (prices: number[], from: number, to: number) =>
  priceSteps(prices.map(rupees), { from: rupees(from), to: rupees(to) }).map((step) => [Number(step.from), Number(step.to), step.count])

test('prices are counted in round steps, including empty ones in between', () => {
  expect(stepsOf([8000, 9000, 9500, 14_000, 90_000], 8000, 14_000)).toEqual(
    [
      [8000, 9000, 1],
      [9000, 10_000, 2],
      [10_000, 11_000, 0],
      [11_000, 12_000, 0],
      [12_000, 13_000, 0],
      [13_000, 14_000, 0],
      [14_000, 15_000, 1],
    ].map(([from, to, count]) => [from! * 10_000, to! * 10_000, count]),
  )
})

test('a single price gives one step', () => {
  expect(stepsOf([500, 500], 500, 500).map(([, , count]) => count)).toEqual([2])
})

test('any prices give at most seven adjacent steps, and every price counts once', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 40 }), (prices) => {
      const steps = stepsOf(prices, Math.min(...prices), Math.max(...prices))
      expect(steps.slice(7)).toEqual([])
      expect(steps.reduce((sum, [, , count]) => sum + count!, 0)).toBe(prices.length)
      for (const [at, [from]] of steps.entries()) if (at > 0) expect(from).toBe(steps[at - 1]![1])
    }),
  )
})

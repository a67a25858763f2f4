import { expect, test } from 'vitest'
import { typedAmount } from '#src/invoices/schemas.server.ts'
import { fieldRupees } from '#src/kit/time-money/money.ts'
import { sumOf } from './sum-of.ts'

const sumOfTyped = (typed: string, isFromSeller = false) =>
  sumOf([{ id: 7, usual: '500000', settled: '10000', isFromSeller }], (name) => (name === 'sale-7' ? 'on' : typed)) + 10_000n

test.each(['80k', '85.125', '85,000', '1.2 lakh', '₹ 80,750', 'Rs.85000/-', fieldRupees(851_250n), '0'])(
  'the live sum reads %s as the form’s action does',
  (typed) => {
    expect(sumOfTyped(typed)).toBe(typedAmount.parse(typed))
    expect(sumOfTyped(typed, true)).toBe(-typedAmount.parse(typed))
  },
)

test('an amount that cannot be read counts as the usual one, and a sale without a tick not at all', () => {
  expect(sumOfTyped('eighty or so')).toBe(500_000n)
  expect(sumOf([{ id: 7, usual: '500000', settled: '0', isFromSeller: false }], () => null)).toBe(0n)
})

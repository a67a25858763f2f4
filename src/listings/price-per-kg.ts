import type { Money } from '#src/kit/time-money/money.ts'

/** 1/10,000 rupee in a paisa. */
const PAISA = 100n

/** Price divided by weight (A §9), in whole paise, half up; null for what was not weighed. */
export function pricePerKg(price: Money, weightKg: number): Money | null {
  if (weightKg <= 0) return null
  // 100 units of money in a paisa, and hundredths of a kilogram: the hundreds cancel out.
  const hundredthsOfKg = BigInt(Math.round(weightKg * 100))
  return ((2n * price + hundredthsOfKg) / (2n * hundredthsOfKg)) * PAISA
}

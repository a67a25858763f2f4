import type { Money } from '#src/kit/time-money/money.ts'

/** 1/10,000 rupees per paisa. */
const PAISA = 100n

/** Price divided by weight (A §9) in whole paise, rounded half up; null without a weight. */
export function pricePerKg(price: Money, weightKg: number): Money | null {
  if (weightKg <= 0) return null
  // A paisa has 100 money units and a kilogram 100 hundredths, so the hundreds cancel out.
  const hundredthsOfKg = BigInt(Math.round(weightKg * 100))
  return ((2n * price + hundredthsOfKg) / (2n * hundredthsOfKg)) * PAISA
}

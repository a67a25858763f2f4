import { rupees, type Money } from '#src/kit/time-money/money.ts'

/** The number of listings that ask from `from` to less than `to`. */
export interface PriceStep {
  from: Money
  to: Money
  count: number
}

/** A phone cannot show more bars legibly. */
const STEPS_SHOWN = 7
const ROUND_FIGURES = [1, 2, 5]

/** Counts the prices of a range (inclusive) in steps of one round width, including empty steps. */
export function priceSteps(prices: Money[], { from, to }: { from: Money; to: Money }): PriceStep[] {
  const width = roundWidth(from, to)
  const first = from / width
  const counts = Array.from({ length: Number(to / width - first) + 1 }, () => 0)
  for (const price of prices) if (price >= from && price <= to) counts[Number(price / width - first)]! += 1
  return counts.map((count, at) => {
    const start = (first + BigInt(at)) * width
    return { from: start, to: start + width, count }
  })
}

/** The smallest of 1, 2, 5, 10, 20 … rupees that needs at most `STEPS_SHOWN` steps. */
function roundWidth(from: Money, to: Money): Money {
  for (let power = 1; ; power *= 10)
    for (const figure of ROUND_FIGURES) {
      const width = rupees(figure * power)
      if (to / width - from / width < STEPS_SHOWN) return width
    }
}

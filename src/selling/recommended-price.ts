import { commissionOf } from '#src/invoices/rules.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import type { MarketSettings } from '#src/kit/settings.ts'

export type PriceSettings = Pick<MarketSettings, 'profitMarginPercent' | 'recommendedOfferPercent'>

/** One rupee in the unit of Money. */
const RUPEE = 10_000n
/** Percentages have two decimals. */
const HUNDREDTHS = 10_000n

interface Recommendation {
  /** The price that the seller typed. */
  price: Money
  /** The margin on it, which is not yet the commission on `original`. */
  profit: Money
  /** The price to ask. */
  original: Money
  /** With an offer: the price that the buyer pays. Null at 0 %. */
  offer: Money | null
}

/** A §9, in whole rupees, rounded up at each step. Exact integers, because a floating-point 89,250.0000001 would become 89,251. */
export function recommendedPrice(price: Money, { profitMarginPercent, recommendedOfferPercent }: PriceSettings): Recommendation {
  const margin = BigInt(Math.round(profitMarginPercent * 100))
  const off = BigInt(Math.round(recommendedOfferPercent * 100))
  const profit = roundedUp(price * margin, HUNDREDTHS)
  const original = roundedUp((price + profit) * HUNDREDTHS, HUNDREDTHS - off)
  const offer = off === 0n ? null : roundedUp(original * (HUNDREDTHS - off), HUNDREDTHS)
  return { price, profit, original, offer }
}

/** `amount / by`, rounded up to a whole rupee. */
function roundedUp(amount: bigint, by: bigint): Money {
  const unit = RUPEE * by
  return ((amount + unit - 1n) / unit) * RUPEE
}

/** The commission on a sale at this price, rounded as on its invoice, and the rest that reaches the seller. */
export function receivedAt(price: Money, { profitMarginPercent }: PriceSettings) {
  const commission = commissionOf(price, profitMarginPercent)
  return { commission, received: price - commission }
}

/**
 * The price that leaves the seller the wanted amount: divides by one minus the commission, rounded up to a whole rupee (decisions.md §7.2).
 * The recommended price instead adds the commission on top of the wanted amount and leaves less. Null when nothing can be left.
 */
export function inHandPrice(wanted: Money, { profitMarginPercent }: PriceSettings): Money | null {
  const margin = BigInt(Math.round(profitMarginPercent * 100))
  return margin >= HUNDREDTHS ? null : roundedUp(wanted * HUNDREDTHS, HUNDREDTHS - margin)
}

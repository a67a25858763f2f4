import { commissionOf } from '#src/invoices/rules.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import type { MarketSettings } from '#src/kit/settings.ts'

export type PriceSettings = Pick<MarketSettings, 'profitMarginPercent' | 'recommendedOfferPercent'>

/** One rupee, as money is held. */
const RUPEE = 10_000n
/** Percents have two decimals. */
const HUNDREDTHS = 10_000n

interface Recommendation {
  /** What the seller typed. */
  price: Money
  /** The margin on it, which is not yet the commission on `original`. */
  profit: Money
  /** The price to ask. */
  original: Money
  /** With an offer: what the buyer then pays. Null at 0 %. */
  offer: Money | null
}

/** A §9, in whole rupees, rounded up at each step: exact, because a floating 89,250.0000001 would become 89,251. */
export function recommendedPrice(price: Money, { profitMarginPercent, recommendedOfferPercent }: PriceSettings): Recommendation {
  const margin = BigInt(Math.round(profitMarginPercent * 100))
  const off = BigInt(Math.round(recommendedOfferPercent * 100))
  const profit = roundedUp(price * margin, HUNDREDTHS)
  const original = roundedUp((price + profit) * HUNDREDTHS, HUNDREDTHS - off)
  const offer = off === 0n ? null : roundedUp(original * (HUNDREDTHS - off), HUNDREDTHS)
  return { price, profit, original, offer }
}

/** `amount / by`, up to the next whole rupee. */
function roundedUp(amount: bigint, by: bigint): Money {
  const unit = RUPEE * by
  return ((amount + unit - 1n) / unit) * RUPEE
}

export interface Receipts {
  commission: Money
  received: Money
}

/** The commission on a sale at this price, rounded as on its invoice, and the rest that reaches the seller. */
export function receivedAt(price: Money, { profitMarginPercent }: PriceSettings): Receipts {
  const commission = commissionOf(price, profitMarginPercent)
  return { commission, received: price - commission }
}

/**
 * The price that leaves the seller what they want in hand: the commission divided out, up to the next whole rupee (decisions.md §7.2).
 * Unlike the recommended price, which adds the commission on top of what is wanted and leaves less. Null where nothing can be left.
 */
export function inHandPrice(wanted: Money, { profitMarginPercent }: PriceSettings): Money | null {
  const margin = BigInt(Math.round(profitMarginPercent * 100))
  return margin >= HUNDREDTHS ? null : roundedUp(wanted * HUNDREDTHS, HUNDREDTHS - margin)
}

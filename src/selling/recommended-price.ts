import type { Money } from '#src/kit/money.ts'
import type { MarketSettings } from '#src/kit/settings.ts'

export type PriceSettings = Pick<MarketSettings, 'profitMarginPercent' | 'recommendedOfferPercent'>

/** One rupee, as money is held. */
const RUPEE = 10_000n
/** Percents are held to two decimals. */
const HUNDREDTHS = 10_000n

interface Recommendation {
  /** What the seller wants for one. */
  price: Money
  /** Our commission on it. */
  profit: Money
  /** What to ask so that about the wanted price is left. */
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

/** In whole paise; null for what was not weighed. */
export function pricePerKg(price: Money, weightKg: number): Money | null {
  if (weightKg <= 0) return null
  return ((price * 100n) / BigInt(Math.round(weightKg * 100)) / 100n) * 100n
}

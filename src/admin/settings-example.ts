import { FIRST_ORDER, quote, REFERRAL, type DiscountOffer } from '#src/cart/rules.ts'
import { saleMoney } from '#src/invoices/sale-money.ts'
import type { DiscountSetting, MarketSettings } from '#src/kit/settings.ts'
import { rupees, type Money } from '#src/kit/time-money/money.ts'
import { recommendedPrice } from '#src/selling/recommended-price.ts'
import type { FigureKey } from './settings-rules.ts'

/** The price of the animal in the example, and what its seller types where the recommended price is asked for. */
export const EXAMPLE_PRICE = rupees(40_000)

export type ExampleLine = 'discount' | 'payable' | 'commission' | 'due' | 'recommended' | 'offer'

/** What one animal for the example price means under these settings: reckoned by the same rules as every order. */
export function exampleOf(settings: MarketSettings, key: FigureKey): [ExampleLine, Money][] {
  const { profitMarginPercent, firstOrderDiscount, referralDiscount } = settings
  const line = { count: 1, unitPrice: EXAMPLE_PRICE, originalPrice: EXAMPLE_PRICE }
  const advice = recommendedPrice(EXAMPLE_PRICE, settings)
  const advised: [ExampleLine, Money][] = [
    ['recommended', advice.original],
    ['offer', advice.offer ?? advice.original],
  ]
  if (key === 'recommendedOfferPercent') return advised
  const isFirst = key === 'firstOrderDiscount'
  const { percent, rupees: flat, maxRupees } = (isFirst ? firstOrderDiscount : referralDiscount) satisfies DiscountSetting
  const offer: DiscountOffer = { typeId: isFirst ? FIRST_ORDER : REFERRAL, percent, flat: rupees(flat), cap: rupees(maxRupees) }
  const { payable } = quote([line], key === 'profitMarginPercent' ? null : offer)
  const sale = saleMoney({ ...line, discount: EXAMPLE_PRICE - payable, commissionPercent: profitMarginPercent })
  const sums: [ExampleLine, Money][] = [
    ['payable', sale.payable],
    ['commission', sale.commission],
    ['due', sale.due],
  ]
  return key === 'profitMarginPercent' ? [...sums, advised[0]!] : [['discount', EXAMPLE_PRICE - payable], ...sums]
}

import { FIRST_ORDER, quote, REFERRAL, type DiscountOffer } from '#src/cart/rules.ts'
import { saleMoney } from '#src/invoices/sale-money.ts'
import type { DiscountSetting, MarketSettings } from '#src/kit/settings.ts'
import { rupees, type Money } from '#src/kit/time-money/money.ts'
import { recommendedPrice } from '#src/selling/recommended-price.ts'
import type { FigureKey } from './settings-rules.ts'

/** The price of the example animal, and the price its seller types in the example of the recommended price. */
const EXAMPLE_PRICE = rupees(40_000)

export type ExampleLine = 'discount' | 'payable' | 'commission' | 'due' | 'recommended' | 'offer'

/**
 * Computes what a sale at the example price yields, by the rules of real orders. A setting without a case fails to
 * compile.
 */
export function exampleOf(settings: MarketSettings, key: FigureKey): [ExampleLine, Money][] {
  const advice = recommendedPrice(EXAMPLE_PRICE, settings)
  switch (key) {
    case 'recommendedOfferPercent':
      return [
        ['recommended', advice.original],
        ['offer', advice.offer ?? advice.original],
      ]
    case 'profitMarginPercent':
      return [...saleOf(settings, EXAMPLE_PRICE), ['recommended', advice.original]]
    case 'firstOrderDiscount':
      return discountedBy(settings, FIRST_ORDER, settings.firstOrderDiscount)
    case 'referralDiscount':
      return discountedBy(settings, REFERRAL, settings.referralDiscount)
  }
}

const line = { count: 1, unitPrice: EXAMPLE_PRICE, originalPrice: EXAMPLE_PRICE }

function discountedBy(settings: MarketSettings, typeId: DiscountOffer['typeId'], discount: DiscountSetting): [ExampleLine, Money][] {
  const { percent, rupees: flat, maxRupees } = discount
  const { payable } = quote([line], { typeId, percent, flat: rupees(flat), cap: rupees(maxRupees) })
  return [['discount', EXAMPLE_PRICE - payable], ...saleOf(settings, payable)]
}

function saleOf({ profitMarginPercent }: MarketSettings, payable: Money): [ExampleLine, Money][] {
  const sale = saleMoney({ ...line, discount: EXAMPLE_PRICE - payable, commissionPercent: profitMarginPercent })
  return [
    ['payable', sale.payable],
    ['commission', sale.commission],
    ['due', sale.due],
  ]
}

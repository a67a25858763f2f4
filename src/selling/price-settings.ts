/**
 * What the price recommendation and the commission reckon with, in percent. The offer is 0: a struck-through price that nobody
 * ever asked is a lie (decisions.md §4).
 */
export interface PriceSettings {
  profitMarginPercent: number
  recommendedOfferPercent: number
}

export const priceSettings: PriceSettings = { profitMarginPercent: 5, recommendedOfferPercent: 0 }

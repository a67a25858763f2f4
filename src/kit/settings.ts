/** A discount: a percentage when there is one, else a flat amount, and never more than the cap. Whole percent, whole rupees. */
export interface DiscountSetting {
  percent: number
  rupees: number
  maxRupees: number
}

/** What admins may change while the market runs; until then it is as decisions.md §4 seeds it. */
export interface MarketSettings {
  /** What Sandhai keeps of a sale, and what the recommended price reckons with. */
  profitMarginPercent: number
  /** 0: a struck-through price that nobody ever asked is a lie. */
  recommendedOfferPercent: number
  firstOrderDiscount: DiscountSetting
  referralDiscount: DiscountSetting
}

export const defaultSettings: MarketSettings = {
  profitMarginPercent: 5,
  recommendedOfferPercent: 0,
  firstOrderDiscount: { percent: 2, rupees: 0, maxRupees: 500 },
  referralDiscount: { percent: 0, rupees: 500, maxRupees: 5000 },
}
export type SettingKey = keyof MarketSettings

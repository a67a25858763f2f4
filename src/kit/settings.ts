/** A discount: a percentage when there is one, else a flat amount, and never more than the cap. Whole percent, whole rupees. */
export interface DiscountSetting {
  percent: number
  rupees: number
  maxRupees: number
}

/** The contact details of Sandhai: in the footer of every page, on Support, and in messages to people. */
export interface ContactSetting {
  /** E.164. */
  phone: string
  mail: string
  /** E.164. */
  whatsapp: string
  /** Where post comes to, as it is written in either language. */
  addressTa: string
  addressEn: string
  /** Who answers for complaints and for questions of privacy (safety.md §4.6). */
  grievanceTa: string
  grievanceEn: string
  grievanceMail: string
  /** Our pages elsewhere, each with https; empty: none. */
  facebook: string
  instagram: string
  youtube: string
}

/** Within how many hours each desk means to answer. What waits longer is marked late. */
export interface DeskTargets {
  listings: number
  secondLooks: number
  orders: number
  enquiries: number
  reports: number
  forum: number
  tickets: number
  people: number
  money: number
}

/** Settings that admins may change while the market runs. Until then the seeded values hold (decisions.md §4). */
export interface MarketSettings {
  /** What Sandhai keeps of a sale, and what the recommended price reckons with. */
  profitMarginPercent: number
  /** 0: a struck-through price that nobody ever asked is a lie. */
  recommendedOfferPercent: number
  firstOrderDiscount: DiscountSetting
  referralDiscount: DiscountSetting
  contact: ContactSetting
  deskTargets: DeskTargets
  /** What the contract with the SMS provider asks for one part of an SMS, in paise. */
  smsPaise: number
}

/** Obviously samples, as the foot of the page says while they hold. */
const sampleContact: ContactSetting = {
  phone: '+919000000000',
  mail: 'help@sandhai.example',
  whatsapp: '+919000000000',
  addressTa: 'மாதிரி முகவரி: 1 சந்தைத் தெரு, ஈரோடு 638001, தமிழ்நாடு',
  addressEn: 'Sample address: 1 Market Street, Erode 638001, Tamil Nadu',
  grievanceTa: 'மாதிரி: குறைதீர் அலுவலர், சந்தை',
  grievanceEn: 'Sample: Grievance officer, Sandhai',
  grievanceMail: 'grievance@sandhai.example',
  facebook: 'https://facebook.example/sandhai-sample',
  instagram: 'https://instagram.example/sandhai-sample',
  youtube: 'https://youtube.example/@sandhai-sample',
}

export const defaultSettings: MarketSettings = {
  profitMarginPercent: 5,
  recommendedOfferPercent: 0,
  firstOrderDiscount: { percent: 2, rupees: 0, maxRupees: 500 },
  referralDiscount: { percent: 0, rupees: 500, maxRupees: 5000 },
  contact: sampleContact,
  deskTargets: { listings: 24, secondLooks: 48, orders: 24, enquiries: 24, reports: 24, forum: 12, tickets: 48, people: 48, money: 72 },
  smsPaise: 20,
}
export type SettingKey = keyof MarketSettings

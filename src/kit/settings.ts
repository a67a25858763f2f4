/** A discount: the percentage if it is above 0, else the flat amount, at most the cap. Whole percent, whole rupees. */
export interface DiscountSetting {
  percent: number
  rupees: number
  maxRupees: number
}

/** Sandhai's contact details, shown in the footer of every page, on Support, and in messages to people. */
export interface ContactSetting {
  /** E.164. */
  phone: string
  mail: string
  /** E.164. */
  whatsapp: string
  /** The postal address in each language. */
  addressTa: string
  addressEn: string
  /** The officer for complaints and privacy questions (safety.md §4.6). */
  grievanceTa: string
  grievanceEn: string
  grievanceMail: string
  /** Our pages on other sites, with https; empty when there is none. */
  facebook: string
  instagram: string
  youtube: string
}

/** The target answer time of each desk in hours. Cases that wait longer are marked late. */
export interface DeskTargets {
  listings: number
  secondLooks: number
  proofs: number
  orders: number
  enquiries: number
  reports: number
  forum: number
  tickets: number
  people: number
  money: number
}

/** How many animals one vet may hold at once, so that no vet reserves a whole district, and take and check in 24 hours (decisions §8.5). */
export interface VetDaySetting {
  holds: number
  checks: number
}

/** Settings that admins may change at run time. Until then the seeded values apply (decisions.md §4). */
export interface MarketSettings {
  /** Sandhai's share of a sale, which the recommended price includes. */
  profitMarginPercent: number
  /** 0, because a struck-through price that nobody ever asked would be a lie. */
  recommendedOfferPercent: number
  firstOrderDiscount: DiscountSetting
  referralDiscount: DiscountSetting
  contact: ContactSetting
  deskTargets: DeskTargets
  /** The price of one SMS part in the provider's contract, in paise. */
  smsPaise: number
  vetDay: VetDaySetting
}

/** Clearly sample data; the footer says so while it is in use. */
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
  deskTargets: {
    listings: 24,
    secondLooks: 48,
    proofs: 24,
    orders: 24,
    enquiries: 24,
    reports: 24,
    forum: 12,
    tickets: 48,
    people: 48,
    money: 72,
  },
  smsPaise: 20,
  vetDay: { holds: 20, checks: 60 },
}
export type SettingKey = keyof MarketSettings

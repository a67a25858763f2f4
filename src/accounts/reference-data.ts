import tamilDistricts from './districts.json' with { type: 'json' }
import tamilStates from './states.json' with { type: 'json' }

/**
 * Fixed lists for people and their addresses. Ids are on the wire and in the database: never renumber one. Tamil and English are side by
 * side because every list is shown in both.
 */

export interface Named {
  id: number
  en: string
  ta: string
}

interface UserType extends Named {
  /** Not offered at sign-up; the server refuses it, too. */
  hidden: boolean
}

/** A place is identified by its English name, as in addresses and in `reference/pincodes.tsv`. */
export interface Place {
  en: string
  ta: string
}

export const userTypes: UserType[] = [
  { id: 0, en: 'Guest', ta: 'விருந்தினர்', hidden: true },
  { id: 1, en: 'Buyer', ta: 'வாங்குபவர்', hidden: false },
  { id: 2, en: 'Seller', ta: 'விற்பனையாளர்', hidden: false },
  { id: 3, en: 'Buyer and seller', ta: 'வாங்குபவர் மற்றும் விற்பனையாளர்', hidden: false },
  { id: 4, en: 'Seller / agent', ta: 'விற்பனை முகவர்', hidden: false },
  { id: 5, en: 'Veterinarian', ta: 'கால்நடை மருத்துவர்', hidden: false },
  { id: 9, en: 'Admin / staff', ta: 'நிர்வாகி', hidden: true },
]

/** Roles inside the company. A person without one is an "external user". */
export const internalTypes: Named[] = [
  { id: 1, en: 'Staff', ta: 'பணியாளர்' },
  { id: 2, en: 'Admin', ta: 'நிர்வாகி' },
  { id: 3, en: 'Super admin', ta: 'தலைமை நிர்வாகி' },
]

export const userTitles: Named[] = [
  { id: 1, en: 'Mr', ta: 'திரு.' },
  { id: 2, en: 'Mrs', ta: 'திருமதி' },
  { id: 3, en: 'Ms', ta: 'செல்வி' },
  { id: 4, en: 'Dr', ta: 'டாக்டர்' },
  { id: 5, en: 'M/s (firm)', ta: 'திருவாளர்கள்' },
]

export const addressTypes: Named[] = [
  { id: 1, en: 'Home', ta: 'வீடு' },
  { id: 2, en: 'Farm', ta: 'பண்ணை' },
  { id: 3, en: 'Shop or market', ta: 'கடை, சந்தை' },
  { id: 4, en: 'Office', ta: 'அலுவலகம்' },
  { id: 5, en: 'Goshala', ta: 'கோசாலை' },
  { id: 6, en: 'Other', ta: 'மற்றவை' },
]

const placesIn = (tamil: Record<string, string>): Place[] => Object.entries(tamil).map(([en, ta]) => ({ en, ta }))

/** Tamil Nadu as it has been since 2020. The PIN code sources are older; scripts/build-pincodes.ts corrects them. */
export const districts: Place[] = placesIn(tamilDistricts)

/** All 28 states and 8 union territories: home and its neighbours first, then by name. */
export const states: Place[] = placesIn(tamilStates)

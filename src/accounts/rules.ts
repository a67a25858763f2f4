/** User types whose rights differ (policy.ts). */
export const SELLER_TYPES: readonly number[] = [2, 3, 4]
export const BUYER_TYPE = 1
export const VET_TYPE = 5
export const ADMIN_TYPE = 9

/** Types that one can choose when registering; 0 and 9 are refused, not only hidden. */
export const REGISTRABLE_TYPES: readonly number[] = [1, 2, 3, 4, 5]

/** Of the specification: staff, admin, super admin; 0 is none, an "external user". */
export type InternalType = 0 | 1 | 2 | 3
export const internalTypeOf = (user: { isStaff: boolean; isAdmin: boolean; superAdmin: boolean }): InternalType =>
  user.superAdmin ? 3 : user.isAdmin ? 2 : user.isStaff ? 1 : 0

/** Types that a person requests and an admin decides; the other types take effect at once. */
export const REQUESTED_TYPES: readonly number[] = [4, 5]

/** ABCDE1234F as its owner and admins see it: XXXXX1234X. */
export const maskPan = (pan: string) => `XXXXX${pan.slice(5, 9)}X`

/** +91 98xxxxx210: enough to recognise a number one knows, not enough to call it. */
export const maskPhone = (phone: string) => `${phone.slice(0, 3)} ${phone.slice(3, 5)}xxxxx${phone.slice(-3)}`

/** How many different sellers' numbers one person is shown in a day: plenty to buy a herd, too few to harvest the market. */
export const CONTACTS_PER_DAY = 50

/** Rupees for each person who registered with one's code. */
const BONUS_PER_PERSON = 25
/** Rupees for each delivered order that was placed with it. */
const BONUS_PER_ORDER = 150
const MAX_BONUS = 5000

/** Specification B §9, capped (decisions.md §4). */
export const bonusFor = ({ referred, deliveredOrders }: { referred: number; deliveredOrders: number }): number =>
  Math.min(MAX_BONUS, BONUS_PER_PERSON * referred + BONUS_PER_ORDER * deliveredOrders)

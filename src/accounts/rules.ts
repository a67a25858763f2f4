/** User types with different rights (policy.ts). */
export const SELLER_TYPES: readonly number[] = [2, 3, 4]
export const BUYER_TYPE = 1
export const AGENT_TYPE = 4
export const VET_TYPE = 5
export const ADMIN_TYPE = 9

/** Types that a person can choose at registration; the server refuses 0 and 9. */
export const REGISTRABLE_TYPES: readonly number[] = [1, 2, 3, 4, 5]

/** From the specification: staff, admin, super admin; 0 is an "external user". */
export type InternalType = 0 | 1 | 2 | 3
export const internalTypeOf = (user: { isStaff: boolean; isAdmin: boolean; superAdmin: boolean }): InternalType =>
  user.superAdmin ? 3 : user.isAdmin ? 2 : user.isStaff ? 1 : 0

/** Types that a person requests and an admin decides; the others take effect at once. */
export const REQUESTED_TYPES: readonly number[] = [4, 5]

/** ABCDE1234F becomes XXXXX1234X, for its owner and admins. */
export const maskPan = (pan: string) => `XXXXX${pan.slice(5, 9)}X`

/** +91 98xxxxx210: recognisable for people who know the number, useless for calling. A masked number stays as it is. */
export const maskPhone = (phone: string) => (isMasked(phone) ? phone : `${phone.slice(0, 3)} ${phone.slice(3, 5)}xxxxx${phone.slice(-3)}`)
export const isMasked = (phone: string) => phone.includes('x')

/** Shown in place of a street. */
export const HIDDEN_STREET = 'xxxxx'

/** How many sellers' numbers one person can see in a day: enough to buy a herd, too few to harvest the market. */
export const CONTACTS_PER_DAY = 50

/** Rupees for each person who registered with the code. */
const BONUS_PER_PERSON = 25
/** Rupees for each cart with the code that had an order delivered. */
const BONUS_PER_CART = 150
const MAX_BONUS = 5000

/** The bonus in rupees (specification B §9), capped (decisions.md §4); once for each cart, whichever of its orders is delivered (§7.3). */
export const bonusFor = ({ referred, deliveredCarts }: { referred: number; deliveredCarts: number }): number =>
  Math.min(MAX_BONUS, BONUS_PER_PERSON * referred + BONUS_PER_CART * deliveredCarts)

import type { Viewer } from '#src/kit/context.ts'
import { Problem } from '#src/kit/problem.ts'

/** What a person may do, by user type (decisions.md §2). Pages, calls and menus all use this. */
export type Capability = 'buy' | 'sell' | 'vet' | 'operate'

export const SELLER_TYPES: readonly number[] = [2, 3, 4]
export const VET_TYPE = 5
export const ADMIN_TYPE = 9

const typesFor: Record<Capability, readonly number[]> = {
  buy: [1, 3, 5],
  sell: [...SELLER_TYPES, ADMIN_TYPE],
  vet: [VET_TYPE],
  operate: [ADMIN_TYPE],
}

export function can(viewer: Viewer | null, capability: Capability): boolean {
  if (!viewer || !typesFor[capability].includes(viewer.typeId)) return false
  return capability !== 'vet' || viewer.vetApproved
}

/** The refusal for a logged-in person without the capability: a vet may wait for approval, a buyer may become a seller. */
export function mayNot(viewer: Viewer | null, capability: Capability): Problem {
  if (capability === 'vet' && viewer?.typeId === VET_TYPE) return new Problem('VET_NOT_APPROVED')
  return new Problem('ROLE_FORBIDDEN', capability === 'sell' ? { reason: 'SELLERS_ONLY' } : {})
}

/** AUTH_REQUIRED for an anonymous visitor. */
export function requireLoggedIn({ viewer }: { viewer: Viewer | null }): Viewer {
  if (!viewer) throw new Problem('AUTH_REQUIRED')
  return viewer
}

/** AUTH_REQUIRED, ROLE_FORBIDDEN. */
export function requireAdmin(ctx: { viewer: Viewer | null }): Viewer {
  const viewer = requireLoggedIn(ctx)
  if (!can(viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
  return viewer
}

/** Super admins appoint and remove admins. */
export const isSuperAdmin = (viewer: Viewer | null): boolean => can(viewer, 'operate') && viewer!.superAdmin

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

/**
 * A person's number as an admin sees it: whole for admins with powers, and one's own; else masked (decisions.md §7.12). Whether others may
 * see it at all is checked before.
 */
export const phoneFor = (viewer: Viewer | null, phone: string, ownerId: number | null = null): string =>
  !can(viewer, 'operate') || viewer!.hasPowers || viewer!.id === ownerId ? phone : maskPhone(phone)

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

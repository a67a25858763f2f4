import { can } from '#src/accounts/policy.ts'
import { DAY } from '#src/kit/time-money/dates.ts'
import type { Viewer } from '#src/kit/context.ts'

/** A listing that its seller has not touched for this long is shown as 'Sale Closed', because the animal may be gone. */
export const CLOSED_AFTER_DAYS = 100
export const VET_CHECK_VALID_DAYS = 30
/** 'HURRY! Only N item(s) left' up to this stock (B §9) … */
const HURRY_UP_TO = 10
/** … 'Currently Instock: Only N item(s)' below this one … */
const FEW_BELOW = 10
/** … and 'Hurry! Only N left' below this one (A §9). */
export const LAST_BELOW = 5
/** Anonymous views before the login prompt appears. */
export const VIEWS_BEFORE_PROMPT = 5
export const RELATED_SHOWN = 5
/** The number of reviews on a product page; the seller's own page has all. */
export const REVIEWS_SHOWN = 3

/** The last day in India on which a finding of that day (YYYY-MM-DD) is valid. */
export const checkHoldsUntil = (checkedOn: string): string =>
  new Date(Date.parse(checkedOn) + VET_CHECK_VALID_DAYS * DAY).toISOString().slice(0, 10)

/** Valid for thirty days, or until the seller changes the animal's description. */
export const isCheckValid = (check: { checkedOn: string; revision: number }, listing: { revision: number }, today: string): boolean =>
  today <= checkHoldsUntil(check.checkedOn) && check.revision === listing.revision

export const isClosed = (listing: { touchedAt: Date }, now: Date) => now.getTime() - listing.touchedAt.getTime() > CLOSED_AFTER_DAYS * DAY
export const isSold = (listing: { isSold: boolean; stock: number }) => listing.isSold || listing.stock === 0

export type Availability = 'available' | 'sold' | 'closed'

export function availabilityOf(listing: { isSold: boolean; stock: number; touchedAt: Date }, now: Date): Availability {
  if (isSold(listing)) return 'sold'
  return isClosed(listing, now) ? 'closed' : 'available'
}

/** The notices about a small stock; also for a single animal (decisions.md §8.4). */
export const stockNotices = (stock: number) => ({
  isHurried: stock >= 1 && stock <= HURRY_UP_TO,
  areFew: stock >= 1 && stock < FEW_BELOW,
  areLast: stock >= 1 && stock < LAST_BELOW,
})

/** The four tabs of the product page, in the specification's order and numbering. */
export const tabs = ['variant', 'vaccination', 'vet', 'verification'] as const
export type Tab = (typeof tabs)[number]

/** The first tab: for vets their checks, for admins the verification, for everybody else the animal (A §6). */
export function defaultTabFor(viewer: Viewer | null): Tab {
  if (can(viewer, 'operate')) return 'verification'
  return can(viewer, 'be-vet') ? 'vet' : 'variant'
}

export const tabsFor = (viewer: Viewer | null): Tab[] => tabs.filter((tab) => tab !== 'verification' || can(viewer, 'operate'))

/** COW-00042: the number that people read out over the phone. */
export const listingCode = (categoryShortEn: string, id: number) =>
  `${categoryShortEn
    .replace(/[^A-Za-z]/g, '')
    .slice(0, 3)
    .toUpperCase()}-${String(id).padStart(5, '0')}`

import type { Viewer } from '#src/kit/context.ts'

/** What a person may do, by user type (decisions.md §2). Pages, calls and menus all ask here. */
export type Capability = 'buy' | 'sell' | 'vet' | 'operate'

export const ADMIN_TYPE = 9

const typesFor: Record<Capability, readonly number[]> = {
  buy: [1, 3, 5],
  sell: [2, 3, 4, ADMIN_TYPE],
  vet: [5],
  operate: [ADMIN_TYPE],
}

export function can(viewer: Viewer | null, capability: Capability): boolean {
  if (!viewer || !typesFor[capability].includes(viewer.typeId)) return false
  return capability !== 'vet' || viewer.vetApproved
}

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

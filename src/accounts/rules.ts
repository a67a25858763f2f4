import type { Viewer } from '#src/kit/context.ts'

/** What a person may do, by user type (decisions.md §2). Pages, calls and menus all ask here. */
export type Capability = 'buy' | 'sell' | 'vet' | 'operate'

const typesFor: Record<Capability, readonly number[]> = {
  buy: [1, 3, 5],
  sell: [2, 3, 4, 9],
  vet: [5],
  operate: [9],
}

export function can(viewer: Viewer | null, capability: Capability): boolean {
  if (!viewer || !typesFor[capability].includes(viewer.typeId)) return false
  return capability !== 'vet' || viewer.vetApproved
}

/** How many different sellers' numbers one person is shown in a day: plenty to buy a herd, too few to harvest the market. */
export const CONTACTS_PER_DAY = 50

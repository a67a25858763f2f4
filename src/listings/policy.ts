import { accountRules, policyOf } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'
import { life, lifeStateOf, type Lived, type Step } from '#src/listings/life/life.ts'

type Makers = Pick<Lived, 'sellerId' | 'createdById' | 'editorId'>

/** Four eyes: nobody decides about a listing that they sell, typed in or edited. */
export const isOwnListing = (viewer: Viewer | null, { sellerId, createdById, editorId }: Makers) =>
  viewer !== null && [sellerId, createdById, editorId].includes(viewer.id)

const { operate, sell } = accountRules

const listingRules = {
  ...accountRules,
  'judge-listing': (viewer: Viewer | null, listing: Makers) => operate(viewer) && !isOwnListing(viewer, listing),
  /** Whether the viewer may take this step from the listing's current state (life.ts). */
  'take-listing-step': (viewer: Viewer | null, { step, listing }: { step: Step; listing: Lived }) => {
    const { by, from } = life[step]
    if (!from.includes(lifeStateOf(listing))) return false
    const isSeller = viewer?.id === listing.sellerId && sell(viewer)
    if (by.includes('owner')) return isSeller || operate(viewer)
    return by.includes('admin') && listingRules['judge-listing'](viewer, listing)
  },
}

export const can = policyOf(listingRules)

import { eq } from 'drizzle-orm'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { heldBack, isMaterialChange, lifeStateOf, stateAfter, type ListingState, type Step } from '#src/listings/life/life.ts'
import { listings } from '#src/listings/tables.ts'
import { askAgainFor } from '#src/selling/owners/consents.server.ts'
import { animalColumns, editColumns, ensureStep, lockOwnListing, verdictHolds, type ListingRow } from '../own-listings-lock.server.ts'
import type { QuickEdit } from './quick-edit-schemas.ts'

/**
 * Changes stock, weight and prices of an own listing and returns its new state. A weight far from the old one sends it back to
 * verification, any change resubmits a failed listing, and a sold one is relisted. NOT_FOUND, LISTING_STEP, VERSION.
 */
export async function quickEdit(ctx: Ctx, id: number, input: QuickEdit): Promise<ListingState> {
  return inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, id)
    const isOther = isMaterialChange(factsOf(listing, listing.describedWeightKg), factsOf(listing, input.weightKg))
    const step = stepOf(listing, isOther)
    ensureStep(ctx, step, listing)
    if (input.version !== undefined && input.version !== listing.version) throw new Problem('VERSION')
    const holds = step === 'relist' && !isOther && (await verdictHolds(ctx, listing))
    const { stock, weightKg, originalPrice, offerPrice } = input
    const newConsent = await askAgainFor(ctx, listing, { prices: input, isSameAgain: step === 'relist' })
    const state = heldBack(stateAfter(step, listing.state, holds), newConsent ?? listing)
    const wanted = { stock, weightKg, originalPrice, offerPrice }
    const changed = Object.entries(wanted).filter(([fact, value]) => value !== listing[fact as 'stock'])
    await ctx.db
      .update(listings)
      .set({
        ...wanted,
        state,
        ...(newConsent && { ownerAgreed: false }),
        ...editColumns(ctx, listing),
        ...(step === 'relist' && { isSold: false, soldThroughSandhai: null }),
        ...(isOther && animalColumns(ctx, listing, weightKg)),
        ...(state === 'pending' && listing.state !== 'pending' && { submittedAt: ctx.now }),
      })
      .where(eq(listings.id, id))
    await newConsent?.ask()
    await audit(ctx, 'listing_edited', `listing:${id}`, {
      from: listing.state,
      to: state,
      changed: changed.map(([fact]) => fact).join(' '),
    })
    return state
  })
}

function stepOf(listing: ListingRow, isOther: boolean): Step {
  const at = lifeStateOf(listing)
  if (at === 'sold') return 'relist'
  // Any change resubmits a failed listing; a draft was never submitted.
  return at === 'failed' || (isOther && at !== 'draft') ? 'edit-animal' : 'edit'
}

const factsOf = ({ categoryId, breedId, genderId, ageId, tagMac }: ListingRow, weightKg: number) => ({
  categoryId,
  breedId,
  genderId,
  ageId,
  weightKg,
  tag: tagMac?.toString('hex') ?? null,
  // Photos do not change here.
  photos: [],
})

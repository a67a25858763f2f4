import { eq } from 'drizzle-orm'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { stateAfter, type ListingState } from '#src/listings/life.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { editColumns, ensureStep, lockOwnListing, verdictHolds } from './own-listings-lock.server.ts'

/**
 * 'Tell us about the sale': sold, to somebody found through Sandhai or to others. The remaining stock stays in the row, for a later
 * relisting. A second answer replaces the first and changes nothing else. NOT_FOUND, LISTING_STEP.
 */
export async function markSold(ctx: Ctx, id: number, throughSandhai: boolean): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, id)
    ensureStep(ctx, 'sell', listing)
    if (listing.isSold && listing.soldThroughSandhai === throughSandhai) return
    await ctx.db
      .update(listings)
      .set({ isSold: true, soldThroughSandhai: throughSandhai, version: listing.version + 1 })
      .where(eq(listings.id, id))
    await audit(ctx, 'listing_sold', `listing:${id}`, { throughSandhai })
  })
}

/** Out of the market until its seller lists it again. */
export async function withdraw(ctx: Ctx, id: number): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, id)
    ensureStep(ctx, 'withdraw', listing)
    await ctx.db
      .update(listings)
      .set({ state: stateAfter('withdraw', listing.state), version: listing.version + 1 })
      .where(eq(listings.id, id))
    await audit(ctx, 'listing_withdrawn', `listing:${id}`, { from: listing.state })
  })
}

/**
 * Brings back a withdrawn or sold listing, with the given stock; answers its new state. It passes again at once when the last verdict still
 * holds. VALIDATION when none are left and no number is given.
 */
export async function relist(ctx: Ctx, id: number, stock?: number): Promise<ListingState> {
  return inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, id)
    ensureStep(ctx, 'relist', listing)
    const left = stock ?? listing.stock
    if (left === 0) throw new Problem('VALIDATION', { fields: [{ field: 'stock', message: 'field_listing_stock' }] })
    const pictures = await ctx.db.$count(listingPhotos, eq(listingPhotos.listingId, id))
    // Withdrawn before its pictures were in: it is a draft again.
    const state = pictures === 0 ? 'draft' : stateAfter('relist', listing.state, await verdictHolds(ctx, listing))
    await ctx.db
      .update(listings)
      .set({
        state,
        stock: left,
        firstStock: left,
        isSold: false,
        soldThroughSandhai: null,
        ...editColumns(ctx, listing),
        ...(state === 'pending' && { submittedAt: ctx.now }),
      })
      .where(eq(listings.id, id))
    await audit(ctx, 'listing_relisted', `listing:${id}`, { from: listing.state, to: state })
    return state
  })
}

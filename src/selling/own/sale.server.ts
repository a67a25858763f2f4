import { eq } from 'drizzle-orm'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { stateAfter, type ListingState } from '#src/listings/life.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { editColumns, ensureStep, lockOwnListing, verdictHolds } from './own-listings-lock.server.ts'

/**
 * 'Tell us about the sale': sold, to somebody found through Sandhai or to others. What is left in stock is kept, for whoever
 * lists it again. Said twice, the second answer counts and nothing else happens. NOT_FOUND, LISTING_STEP.
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
 * Brings back what was withdrawn or sold, with as many as there are now; answers the state it has then. It passes again at once
 * when the last verdict still holds. VALIDATION when none are left and nobody says how many there are.
 */
export async function relist(ctx: Ctx, id: number, stock?: number): Promise<ListingState> {
  return inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, id)
    ensureStep(ctx, 'relist', listing)
    const left = stock ?? listing.stock
    if (left === 0) throw new Problem('VALIDATION', { fields: [{ field: 'stock', message: 'field_listing_stock' }] })
    const pictures = await ctx.db.$count(listingPhotos, eq(listingPhotos.listingId, id))
    // Withdrawn before its pictures were in: it goes on where it stopped.
    const state = pictures === 0 ? 'draft' : stateAfter('relist', listing.state, await verdictHolds(ctx, listing))
    await ctx.db
      .update(listings)
      .set({
        state,
        stock: left,
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

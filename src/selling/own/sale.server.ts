import { eq } from 'drizzle-orm'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { heldBack, stateAfter, type ListingState } from '#src/listings/life/life.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { askAgainFor } from '#src/selling/owners/consents.server.ts'
import { editColumns, ensureStep, lockOwnListing, verdictHolds } from '../own-listings-lock.server.ts'

/**
 * 'Tell us about the sale': marks it sold, through Sandhai or elsewhere. The stock stays in the row for a later relisting. A second answer
 * replaces the first and changes nothing else. NOT_FOUND, LISTING_STEP.
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

/** Takes the listing off the market until its seller relists it. */
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
 * Relists a withdrawn or sold listing with the given stock and returns its new state: passed at once when the latest verdict still holds.
 * VALIDATION when the stock is 0 and no number is given.
 */
export async function relist(ctx: Ctx, id: number, stock?: number): Promise<ListingState> {
  return inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, id)
    ensureStep(ctx, 'relist', listing)
    const newStock = stock ?? listing.stock
    if (newStock === 0) throw invalidField('stock', 'field_listing_stock')
    const pictures = await ctx.db.$count(listingPhotos, eq(listingPhotos.listingId, id))
    const newConsent = await askAgainFor(ctx, listing, { isSameAgain: true })
    // Without pictures it was withdrawn as a draft, so it becomes one again.
    const state =
      pictures === 0 ? 'draft' : heldBack(stateAfter('relist', listing.state, await verdictHolds(ctx, listing)), newConsent ?? listing)
    await ctx.db
      .update(listings)
      .set({
        state,
        stock: newStock,
        isSold: false,
        soldThroughSandhai: null,
        ...(newConsent && { ownerAgreed: false }),
        ...editColumns(ctx, listing),
        ...(state === 'pending' && { submittedAt: ctx.now }),
      })
      .where(eq(listings.id, id))
    await newConsent?.ask()
    await audit(ctx, 'listing_relisted', `listing:${id}`, { from: listing.state, to: state })
    return state
  })
}

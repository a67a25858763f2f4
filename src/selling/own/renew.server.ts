import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { listings } from '#src/listings/tables.ts'
import { ensureStep, lockOwnListing } from '../own-listings-lock.server.ts'

/** "Still for sale": restarts the hundred days, also for a closed sale. NOT_FOUND, LISTING_STEP. */
export async function renew(ctx: Ctx, id: number): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, id)
    ensureStep(ctx, 'renew', listing)
    await ctx.db.update(listings).set({ touchedAt: ctx.now }).where(eq(listings.id, id))
  })
}

import type { Ctx } from '#src/kit/context.ts'
import { purchases, sellerReviews } from './tables.ts'

/** The row that a delivery writes: this buyer has bought from this seller. */
export async function makePurchase(ctx: Ctx, purchase: typeof purchases.$inferInsert): Promise<void> {
  await ctx.db.insert(purchases).values(purchase).onConflictDoNothing()
}

export async function makeReview(ctx: Ctx, review: typeof sellerReviews.$inferInsert): Promise<void> {
  await ctx.db.insert(sellerReviews).values(review)
}

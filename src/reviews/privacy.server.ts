import { asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import { reviewNetworks, sellerReviews } from './tables.ts'

/** The data of this domain in a person's export: reviews that they wrote, and reviews of them without their authors. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  return {
    reviewsWritten: await exportWritten(ctx, userId),
    reviewsReceived: await ctx.db
      .select(columnsOf(sellerReviews, 'stars', 'comment', 'createdAt', 'answer'))
      .from(sellerReviews)
      .where(eq(sellerReviews.sellerId, userId))
      .orderBy(asc(sellerReviews.id)),
  }
}

const exportWritten = ({ db }: Ctx, reviewerId: number) =>
  db
    .select({
      ...columnsOf(sellerReviews, 'id', 'sellerId', 'stars', 'comment', 'createdAt', 'updatedAt', 'answer'),
      ...columnsOf(sellerReviews, 'answeredAt', 'isHidden', 'hiddenReason', 'decidedAt'),
      /** Null once the network is deleted. The network itself is a keyed hash. */
      networkNotedAt: reviewNetworks.writtenAt,
    })
    .from(sellerReviews)
    .leftJoin(reviewNetworks, eq(reviewNetworks.reviewId, sellerReviews.id))
    .where(eq(sellerReviews.reviewerId, reviewerId))
    .orderBy(asc(sellerReviews.id))

/**
 * Deletes the reviews of this person. Reviews by this person stay without an author and without their network. Call it in the erasure's
 * transaction.
 */
export async function forgetPerson({ db }: Ctx, userId: number): Promise<string[]> {
  await db.delete(sellerReviews).where(eq(sellerReviews.sellerId, userId))
  const written = db.select({ id: sellerReviews.id }).from(sellerReviews).where(eq(sellerReviews.reviewerId, userId))
  await db.delete(reviewNetworks).where(inArray(reviewNetworks.reviewId, written))
  return []
}

/** Call it in the erasure's transaction when the person chose to remove their reviews of sellers. */
export async function removeReviews({ db }: Ctx, userId: number): Promise<void> {
  await db.delete(sellerReviews).where(eq(sellerReviews.reviewerId, userId))
}

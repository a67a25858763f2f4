import { and, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { requireSeller } from '#src/accounts/people/sellers.server.ts'
import { addressKey } from '#src/accounts/identity/otp-limits.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { reviewNetworks, sellerReviews } from './tables.ts'
import type { ReviewInput } from './reviews-schemas.ts'

/**
 * Saves the viewer's one review of a seller. Every logged-in person may write one (A §6); a purchase or a contact here is a mark beside it
 * (decisions §8.3). OWN_SELLER for oneself, NOT_FOUND for a person who does not sell or was deactivated. `address` is the asker's address bucket;
 * its keyed hash shows the office reviews of many names from one network (clusters.server.ts).
 */
export async function reviewSeller(ctx: Ctx, sellerId: number, { stars, comment }: ReviewInput, address: string): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  if (viewer.id === sellerId) throw new Problem('OWN_SELLER')
  await inTransaction(ctx, async (ctx) => {
    await requireSeller(ctx, sellerId)
    const [review] = await ctx.db
      .insert(sellerReviews)
      .values({ sellerId, reviewerId: viewer.id, stars, comment, createdAt: ctx.now, updatedAt: ctx.now })
      .onConflictDoUpdate({
        target: [sellerReviews.sellerId, sellerReviews.reviewerId],
        set: { stars, comment, updatedAt: whenWritten(ctx.now) },
      })
      .returning({ id: sellerReviews.id })
    const written = { network: addressKey(ctx, address), writtenAt: ctx.now }
    await ctx.db
      .insert(reviewNetworks)
      .values({ reviewId: review!.id, ...written })
      .onConflictDoUpdate({ target: reviewNetworks.reviewId, set: written })
    await audit(ctx, 'seller_reviewed', `user:${sellerId}`, { stars })
  })
}

/**
 * Saving the same text keeps the time, so the seller's answer still belongs to it. A changed review is later than any existing answer, even
 * one that was stored after this request began.
 */
const whenWritten = (now: Date) => sql`case
  when (${sellerReviews.stars}, ${sellerReviews.comment}) is not distinct from (excluded.stars, excluded.comment) then ${sellerReviews.updatedAt}
  else greatest(${now.toISOString()}::timestamptz, ${sellerReviews.answeredAt} + interval '1 millisecond') end`

/** The seller answers once, and once more after the review was changed. NOT_FOUND for another seller's review and for a hidden one. */
export async function answerReview(ctx: Ctx, reviewId: number, answer: string): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  await inTransaction(ctx, async (ctx) => {
    const [review] = await ctx.db
      .select({ isAnswered: sql<boolean>`coalesce(${sellerReviews.answeredAt} >= ${sellerReviews.updatedAt}, false)` })
      .from(sellerReviews)
      .where(and(eq(sellerReviews.id, reviewId), eq(sellerReviews.sellerId, viewer.id), eq(sellerReviews.isHidden, false)))
      .for('no key update')
    if (!review) throw notFound()
    if (review.isAnswered) throw invalidField('answer', 'field_answer_twice')
    // Never before the text that it answers.
    const answeredAt = sql`greatest(${ctx.now.toISOString()}::timestamptz, ${sellerReviews.updatedAt})`
    await ctx.db.update(sellerReviews).set({ answer, answeredAt }).where(eq(sellerReviews.id, reviewId))
    await audit(ctx, 'review_answered', `user:${viewer.id}`)
  })
}

/** The viewer's own review of a seller, for editing, with the reason if the office has hidden it. */
export type OwnReview = ReviewInput & { hiddenReason: string | null }

/** Null without one. */
export const findOwnReview = (ctx: Ctx, sellerId: number): Promise<OwnReview | null> => readOwn(ctx, sql`${sellerId}::bigint`)

/** The same by one of the seller's listings: the product page runs it before it has read the listing. */
export const findOwnReviewOf = (ctx: Ctx, listingId: number): Promise<OwnReview | null> =>
  readOwn(ctx, sql`(select l.seller_id from listings l where l.id = ${listingId}::bigint)`)

const ownReviewRow = z.object({
  stars: z.literal([1, 2, 3, 4, 5]).nullable(),
  comment: z.string(),
  hiddenReason: z.string().nullable(),
})

async function readOwn(ctx: Ctx, sellerId: SQL): Promise<OwnReview | null> {
  if (!ctx.viewer) return null
  const [row] = await rowsOf(
    ctx,
    sql`
    select r.stars, r.comment, r.hidden_reason as "hiddenReason" from seller_reviews r
    where r.seller_id = ${sellerId} and r.reviewer_id = ${ctx.viewer.id}::bigint`,
    ownReviewRow,
  )
  return row ?? null
}

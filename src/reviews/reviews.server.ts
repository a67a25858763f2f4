import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { requireSeller } from '#src/accounts/sellers.server.ts'
import { sellerReviews } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import type { ReviewInput } from './reviews-schemas.ts'

/**
 * A person's review of a seller: one for each person, which they may change. OWN_SELLER for oneself, NOT_FOUND for a person who sells
 * nothing or was deactivated.
 */
export async function reviewSeller(ctx: Ctx, sellerId: number, { stars, comment }: ReviewInput): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  if (viewer.id === sellerId) throw new Problem('OWN_SELLER')
  await inTransaction(ctx, async (ctx) => {
    await requireSeller(ctx, sellerId)
    await ctx.db
      .insert(sellerReviews)
      .values({ sellerId, reviewerId: viewer.id, stars, comment, createdAt: ctx.now, updatedAt: ctx.now })
      .onConflictDoUpdate({
        target: [sellerReviews.sellerId, sellerReviews.reviewerId],
        set: { stars, comment, updatedAt: whenWritten(ctx.now) },
      })
    await audit(ctx, 'seller_reviewed', `user:${sellerId}`, { stars })
  })
}

/**
 * Saved again word for word it is the same review, and the seller's answer still answers it. A changed review is later than any existing
 * answer, also than one that was given after this request began.
 */
const whenWritten = (now: Date) => sql`case
  when (${sellerReviews.stars}, ${sellerReviews.comment}) is not distinct from (excluded.stars, excluded.comment) then ${sellerReviews.updatedAt}
  else greatest(${now.toISOString()}::timestamptz, ${sellerReviews.answeredAt} + interval '1 millisecond') end`

/** The seller answers once, and once more after the review was rewritten. Another seller's review is NOT_FOUND. */
export async function answerReview(ctx: Ctx, reviewId: number, answer: string): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  await inTransaction(ctx, async (ctx) => {
    const [review] = await ctx.db
      .select({ isAnswered: sql<boolean>`coalesce(${sellerReviews.answeredAt} >= ${sellerReviews.updatedAt}, false)` })
      .from(sellerReviews)
      .where(and(eq(sellerReviews.id, reviewId), eq(sellerReviews.sellerId, viewer.id)))
      .for('no key update')
    if (!review) throw notFound()
    if (review.isAnswered) throw new Problem('VALIDATION', { fields: [{ field: 'answer', message: 'field_answer_twice' }] })
    // Never before the text that it answers.
    const answeredAt = sql`greatest(${ctx.now.toISOString()}::timestamptz, ${sellerReviews.updatedAt})`
    await ctx.db.update(sellerReviews).set({ answer, answeredAt }).where(eq(sellerReviews.id, reviewId))
    await audit(ctx, 'review_answered', `user:${viewer.id}`)
  })
}

/** The viewer's own review of a seller, to be changed. */
export async function findOwnReview(ctx: Ctx, sellerId: number): Promise<ReviewInput | null> {
  if (!ctx.viewer) return null
  const [review] = await ctx.db
    .select({ stars: sellerReviews.stars, comment: sellerReviews.comment })
    .from(sellerReviews)
    .where(and(eq(sellerReviews.sellerId, sellerId), eq(sellerReviews.reviewerId, ctx.viewer.id)))
  return review ? { stars: review.stars as ReviewInput['stars'], comment: review.comment } : null
}

const ownReviewRow = z.object({ stars: z.literal([1, 2, 3, 4, 5]).nullable(), comment: z.string() })

/** The same by one of the seller's listings: that is what the product page knows before it has read the listing. */
export async function findOwnReviewOf(ctx: Ctx, listingId: number): Promise<ReviewInput | null> {
  if (!ctx.viewer) return null
  const rows = await rowsOf(
    ctx,
    sql`
    select r.stars, r.comment from listings l join seller_reviews r on r.seller_id = l.seller_id
    where l.id = ${listingId}::bigint and r.reviewer_id = ${ctx.viewer.id}::bigint`,
    ownReviewRow,
  )
  return rows[0] ?? null
}

import { and, eq, sql } from 'drizzle-orm'
import { requireLoggedIn } from '#src/accounts/rules.ts'
import { requireSeller } from '#src/accounts/sellers.server.ts'
import { sellerReviews } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import type { ReviewInput } from './reviews-schemas.ts'

/**
 * What one thinks of a seller: one review of each person, which he may change. OWN_SELLER of oneself, NOT_FOUND of whoever sells
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
 * Saved again word for word it is the same review, and the seller's answer still answers it. Another one is later than any answer
 * there is, also than one that was given after this request had begun.
 */
const whenWritten = (now: Date) => sql`case
  when (${sellerReviews.stars}, ${sellerReviews.comment}) is not distinct from (excluded.stars, excluded.comment) then ${sellerReviews.updatedAt}
  else greatest(${now.toISOString()}::timestamptz, ${sellerReviews.answeredAt} + interval '1 millisecond') end`

/** The seller answers, once, and once more what was written anew since. Another seller's review is NOT_FOUND. */
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

/** One's own review of a seller, to be changed. */
export async function findOwnReview(ctx: Ctx, sellerId: number): Promise<ReviewInput | null> {
  if (!ctx.viewer) return null
  const [review] = await ctx.db
    .select({ stars: sellerReviews.stars, comment: sellerReviews.comment })
    .from(sellerReviews)
    .where(and(eq(sellerReviews.sellerId, sellerId), eq(sellerReviews.reviewerId, ctx.viewer.id)))
  return review ? { stars: review.stars as ReviewInput['stars'], comment: review.comment } : null
}

/** The same by one of the seller's listings: what the product page knows before it has read the listing. */
export async function findOwnReviewOf(ctx: Ctx, listingId: number): Promise<ReviewInput | null> {
  if (!ctx.viewer) return null
  const { rows } = (await ctx.db.execute(sql`
    select r.stars, r.comment from listings l join seller_reviews r on r.seller_id = l.seller_id
    where l.id = ${listingId}::bigint and r.reviewer_id = ${ctx.viewer.id}::bigint`)) as unknown as { rows: ReviewInput[] }
  return rows[0] ?? null
}

import { and, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { requireSeller } from '#src/accounts/sellers.server.ts'
import { sellerReviews } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/problem.ts'
import { problemText } from '#src/kit/problem-text.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import type { ReviewInput } from './reviews-schemas.ts'

/**
 * Saves the viewer's one review of a seller. OWN_SELLER for oneself, NOT_FOUND for a person who does not sell or was deactivated,
 * NOT_A_CUSTOMER for a viewer who has neither bought from them nor contacted them (decisions.md §7.8).
 */
export async function reviewSeller(ctx: Ctx, sellerId: number, { stars, comment }: ReviewInput): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  if (viewer.id === sellerId) throw new Problem('OWN_SELLER')
  await inTransaction(ctx, async (ctx) => {
    await requireSeller(ctx, sellerId)
    if ((await findOwnReview(ctx, sellerId)).whyNot !== null) throw new Problem('NOT_A_CUSTOMER')
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
 * Saving the same text keeps the time, so the seller's answer still belongs to it. A changed review is later than any existing answer, even
 * one that was stored after this request began.
 */
const whenWritten = (now: Date) => sql`case
  when (${sellerReviews.stars}, ${sellerReviews.comment}) is not distinct from (excluded.stars, excluded.comment) then ${sellerReviews.updatedAt}
  else greatest(${now.toISOString()}::timestamptz, ${sellerReviews.answeredAt} + interval '1 millisecond') end`

/** The seller answers once, and once more after the review was changed. NOT_FOUND for another seller's review. */
export async function answerReview(ctx: Ctx, reviewId: number, answer: string): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  await inTransaction(ctx, async (ctx) => {
    const [review] = await ctx.db
      .select({ isAnswered: sql<boolean>`coalesce(${sellerReviews.answeredAt} >= ${sellerReviews.updatedAt}, false)` })
      .from(sellerReviews)
      .where(and(eq(sellerReviews.id, reviewId), eq(sellerReviews.sellerId, viewer.id)))
      .for('no key update')
    if (!review) throw notFound()
    if (review.isAnswered) throw invalidField('answer', 'field_answer_twice')
    // Never before the text that it answers.
    const answeredAt = sql`greatest(${ctx.now.toISOString()}::timestamptz, ${sellerReviews.updatedAt})`
    await ctx.db.update(sellerReviews).set({ answer, answeredAt }).where(eq(sellerReviews.id, reviewId))
    await audit(ctx, 'review_answered', `user:${viewer.id}`)
  })
}

/** The viewer's review of a seller for editing, and the reason in their language why they may not write one; null: they may. */
export interface OwnReview {
  review: ReviewInput | null
  whyNot: string | null
}

/** The viewer's own review of a seller. */
export const findOwnReview = (ctx: Ctx, sellerId: number): Promise<OwnReview> => readOwn(ctx, sql`select ${sellerId}::bigint as seller_id`)

/** The same by one of the seller's listings: the product page runs it before it has read the listing. */
export const findOwnReviewOf = (ctx: Ctx, listingId: number): Promise<OwnReview> =>
  readOwn(ctx, sql`select l.seller_id from listings l where l.id = ${listingId}::bigint`)

const ownReviewRow = z.object({
  is_written: z.boolean(),
  stars: z.literal([1, 2, 3, 4, 5]).nullable(),
  comment: z.string().nullable(),
  is_customer: z.boolean(),
})

/**
 * Requires a purchase here, or a tap on Call or WhatsApp at least a day ago, which makes invented reviews harder (decisions.md §7.8). An
 * existing review may always be changed.
 */
async function readOwn(ctx: Ctx, seller: SQL): Promise<OwnReview> {
  const whyNot = problemText('NOT_A_CUSTOMER', ctx.locale)
  if (!ctx.viewer) return { review: null, whyNot }
  const viewerId = sql`${ctx.viewer.id}::bigint`
  const [row] = await rowsOf(
    ctx,
    sql`
    select r.id is not null as is_written, r.stars, r.comment,
      exists (select 1 from purchases p where p.seller_id = s.seller_id and p.buyer_id = ${viewerId})
      or exists (
        select 1 from contact_taps t join listings tl on tl.id = t.listing_id
        where t.person_id = ${viewerId} and tl.seller_id = s.seller_id and t.tapped_at <= ${ctx.now.toISOString()}::timestamptz - interval '1 day'
      ) as is_customer
    from (${seller}) s left join seller_reviews r on r.seller_id = s.seller_id and r.reviewer_id = ${viewerId}`,
    ownReviewRow,
  )
  if (!row) return { review: null, whyNot }
  return {
    review: row.is_written ? { stars: row.stars, comment: row.comment ?? '' } : null,
    whyNot: row.is_written || row.is_customer ? null : whyNot,
  }
}

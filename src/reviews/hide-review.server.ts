import { eq } from 'drizzle-orm'
import { decidedBy } from '#src/accounts/decided-meanwhile.server.ts'
import { notify, SMS_NAME } from '#src/accounts/notifications/receivers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { heldIn, takeBackAct, undoably, undoLate } from '#src/accounts/undo.server.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit, type AuditDetails } from '#src/kit/records/audit.server.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { sellerReviews } from './tables.ts'
import { seenReview } from './seen-review.ts'

type ReviewRow = typeof sellerReviews.$inferSelect

interface Decision {
  /** The state that the admin saw (`seenReview`). */
  seen: string
  /** The reason why the review is hidden; null shows it again. */
  reason: string | null
}

/**
 * Hides a review from all lists and averages, or shows it again. The author of a hidden one is notified of the reason
 * once it cannot be undone any more. For admins. Raises OWN_ROW for a review by or about the admin, and VERSION when the
 * review was changed or decided since the admin saw it (decision 0112). The same decision by the same admin again changes
 * nothing.
 */
export async function decideReview(ctx: Ctx, id: number, { seen, reason }: Decision): Promise<void> {
  await setReason(ctx, id, reason, async (ctx, review, adminId) => {
    if (review.reviewerId === adminId || review.sellerId === adminId) throw new Problem('OWN_ROW')
    if (review.hiddenReason === reason && review.decidedById === adminId) return null
    if (seen !== seenReview(review)) throw await changedMeanwhile(ctx, review, seen)
    if (reason === null) return {}
    await notifyAuthor(ctx, review, reason)
    return heldIn(ctx)
  })
}

/**
 * Undoes the admin's own hiding within seconds: everybody sees the review again, and its author is not notified. The same
 * undo again succeeds. Raises NOT_FOUND, and VERSION when it is too late or another admin decided since.
 */
export async function undoHideReview(ctx: Ctx, id: number): Promise<void> {
  await setReason(ctx, id, null, async (ctx, review) => {
    const act = await takeBackAct(ctx, {
      object: `user:${review.sellerId}`,
      about: { review: id },
      events: ['review_hidden', 'review_shown'],
      undone: 'review_shown',
      isUndo: (details) => details.isUndo === true,
      stale: () => changedMeanwhile(ctx, review, ''),
      late: undoLate('VERSION'),
    })
    return act && { isUndo: true }
  })
}

/** Null shows the review. `check` runs under its lock and returns details for the trail, or null to change nothing. */
async function setReason(
  ctx: Ctx,
  id: number,
  reason: string | null,
  check: (ctx: Ctx, review: ReviewRow, adminId: number) => Promise<AuditDetails | null>,
): Promise<void> {
  await undoably(ctx, async (ctx) => {
    const { id: adminId } = await holdAdmin(ctx)
    const [review] = await ctx.db.select().from(sellerReviews).where(eq(sellerReviews.id, id)).for('no key update')
    if (!review) throw notFound()
    const details = await check(ctx, review, adminId)
    if (details === null) return
    await ctx.db
      .update(sellerReviews)
      .set({ isHidden: reason !== null, hiddenReason: reason, decidedById: adminId, decidedAt: ctx.now })
      .where(eq(sellerReviews.id, id))
    const event = reason === null ? 'review_shown' : 'review_hidden'
    await audit(ctx, event, `user:${review.sellerId}`, { review: id, reviewer: review.reviewerId, ...details })
  })
}

async function changedMeanwhile(ctx: Ctx, { decidedAt, decidedById, isHidden }: ReviewRow, seen: string): Promise<Problem> {
  const [, seenDecision] = seen.split('.').map(Number)
  if (!decidedAt || decidedById === null || decidedAt.getTime() === seenDecision) return new Problem('VERSION')
  return decidedBy(ctx, {
    what: (locale) => (isHidden ? m.review_desk_hidden : m.review_desk_shown)({}, { locale }),
    byId: decidedById,
    at: decidedAt,
  })
}

/** Keeps the SMS short; the review's form has the full reason. */
const SMS_REASON = 200

async function notifyAuthor(ctx: Ctx, { reviewerId, sellerId }: ReviewRow, reason: string): Promise<void> {
  const [seller] = await ctx.db.select({ name: users.name }).from(users).where(eq(users.id, sellerId))
  await notify(ctx, reviewerId, 'review-hidden', m.sms_review_hidden, (locale) => ({
    name: shorten(seller?.name ?? '', SMS_NAME),
    reason: shorten(reason, SMS_REASON),
    link: ctx.publicOrigin + localized(`/review/${sellerId}`, locale),
  }))
}

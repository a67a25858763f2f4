import { and, desc, eq } from 'drizzle-orm'
import { mayNot, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { can } from '#src/listings/policy.ts'
import { type Step } from '#src/listings/life/life.ts'
import { listings } from '#src/listings/tables.ts'
import { verifications } from '#src/verification/tables.ts'

export type ListingRow = typeof listings.$inferSelect

/**
 * Locks the viewer's own listing, or any listing for an admin, until the transaction ends, so that concurrent acts on it queue. NOT_FOUND
 * for another person's and an unknown one. ROLE_FORBIDDEN when the seller's type no longer sells.
 */
export async function lockOwnListing(ctx: Ctx, id: number): Promise<ListingRow> {
  const viewer = requireLoggedIn(ctx)
  const whose = can(viewer, 'operate') ? undefined : eq(listings.sellerId, viewer.id)
  // Not `for update`: inserts that only reference the listing, such as a tap on its phone number, need not wait.
  const [row] = await ctx.db
    .select()
    .from(listings)
    .where(and(eq(listings.id, id), whose))
    .for('no key update')
  if (!row) throw notFound()
  if (!can(viewer, 'sell')) throw mayNot(viewer, 'sell')
  return row
}

/** LISTING_STEP unless the listing's life cycle (listings/life/life.ts) allows this person the step from its state. */
export function ensureStep(ctx: Ctx, step: Step, listing: ListingRow): void {
  if (!can(ctx.viewer, 'take-listing-step', { step, listing })) throw new Problem('LISTING_STEP')
}

/** Whether the latest verdict was "passed" and covers the current revision, so that no new verification is needed. */
export async function verdictHolds(ctx: Ctx, { id, revision }: ListingRow): Promise<boolean> {
  const [last] = await ctx.db
    .select({ passed: verifications.passed, revision: verifications.revision })
    .from(verifications)
    .where(eq(verifications.listingId, id))
    .orderBy(desc(verifications.id))
    .limit(1)
  return last !== undefined && last.passed && last.revision === revision
}

/** The columns that every edit changes. */
export const editColumns = (ctx: Ctx, listing: ListingRow) => ({
  version: listing.version + 1,
  touchedAt: ctx.now,
  // An admin who edits the listing for the seller may give no verdict on it.
  ...(requireLoggedIn(ctx).id !== listing.sellerId && { editorId: requireLoggedIn(ctx).id }),
})

/** The columns that a new description changes: earlier verdicts and findings become invalid. */
export const animalColumns = (ctx: Ctx, listing: ListingRow, weightKg: number) => ({
  changedAt: ctx.now,
  revision: listing.revision + 1,
  describedWeightKg: weightKg,
})

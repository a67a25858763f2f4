import { and, desc, eq } from 'drizzle-orm'
import { can, mayNot, requireLoggedIn } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { canTake, type Step } from '#src/listings/life.ts'
import { listings, verifications } from '#src/listings/tables.ts'

export type ListingRow = typeof listings.$inferSelect

/**
 * One's own listing, or anybody's for an admin, locked until the transaction ends: two who act on it at once stand in a row.
 * Another's and a missing one are the same: NOT_FOUND. ROLE_FORBIDDEN for its seller when his type sells nothing any more.
 */
export async function lockOwnListing(ctx: Ctx, id: number): Promise<ListingRow> {
  const viewer = requireLoggedIn(ctx)
  const whose = can(viewer, 'operate') ? undefined : eq(listings.sellerId, viewer.id)
  // Not `for update`: what only refers to the listing, such as a tap on its telephone number, need not wait.
  const [row] = await ctx.db
    .select()
    .from(listings)
    .where(and(eq(listings.id, id), whose))
    .for('no key update')
  if (!row) throw notFound()
  if (!can(viewer, 'sell')) throw mayNot(viewer, 'sell')
  return row
}

/** LISTING_STEP unless the table of the listing's life (listings/life.ts) has this step for this person from where it stands. */
export function ensureStep(ctx: Ctx, step: Step, listing: ListingRow): void {
  if (!canTake(ctx.viewer, step, listing)) throw new Problem('LISTING_STEP')
}

/** Was the last verdict "passed", and the animal not described anew since? Then it need not be looked at again. */
export async function verdictHolds(ctx: Ctx, { id, revision }: ListingRow): Promise<boolean> {
  const [last] = await ctx.db
    .select({ passed: verifications.passed, revision: verifications.revision })
    .from(verifications)
    .where(eq(verifications.listingId, id))
    .orderBy(desc(verifications.id))
    .limit(1)
  return last !== undefined && last.passed && last.revision === revision
}

/** What every edit leaves in the row. */
export const editColumns = (ctx: Ctx, listing: ListingRow) => ({
  version: listing.version + 1,
  touchedAt: ctx.now,
  // An admin who edits it for the seller gives no verdict on it.
  ...(ctx.viewer!.id !== listing.sellerId && { editorId: ctx.viewer!.id }),
})

/** What describing the animal anew leaves: earlier verdicts and findings say nothing of it. */
export const animalColumns = (ctx: Ctx, listing: ListingRow, weightKg: number) => ({
  changedAt: ctx.now,
  revision: listing.revision + 1,
  describedWeightKg: weightKg,
})

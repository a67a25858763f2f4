import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { can, mayNot, requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { isSellerActive } from '#src/listings/browse/browse.server.ts'
import { isOwnListing } from '#src/listings/policy.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { categories } from '#src/listings/reference/reference-data.ts'
import { isSold, VET_CHECK_VALID_DAYS } from '#src/listings/life/rules.ts'
import { listings } from '#src/listings/tables.ts'

export type ListingRow = typeof listings.$inferSelect

/** Vets check animals only, no goods. */
export const checkedCategories: readonly number[] = categories.filter(({ typeId }) => isAnimalType(typeId)).map(({ id }) => id)
export const isCheckedKind = sql`l.category_id in (${sql.raw(checkedCategories.join(', '))})`

/** Whether listing `l` has a valid last finding (isCheckValid of listings/life/rules.ts). */
export const hasValidCheck = (now: Date) =>
  sql`coalesce((select v.checked_on >= ${indianDay(daysBefore(now, VET_CHECK_VALID_DAYS))}::date and v.revision = l.revision
    from vet_checks v where v.listing_id = l.id order by v.id desc limit 1), false)`

/** Whether finding `v` is the last one of listing `l` and valid: the same condition from the finding's side. */
export const isLastAndValid = (now: Date) =>
  sql`v.checked_on >= ${indianDay(daysBefore(now, VET_CHECK_VALID_DAYS))}::date and v.revision = l.revision
    and not exists (select 1 from vet_checks w where w.listing_id = v.listing_id and w.id > v.id)`

/** Ensures that the viewer is an approved vet now, and locks their row, so that their actions run one after another. */
export async function lockVet(ctx: Ctx): Promise<number> {
  requireCan(ctx, 'vet')
  const vetId = requireLoggedIn(ctx).id
  const [vet] = await ctx.db.select().from(users).where(eq(users.id, vetId)).for('no key update')
  const viewer = vet?.isActive ? { ...requireLoggedIn(ctx), typeId: vet.typeId, vetApproved: vet.vetApproved } : null
  if (!can(viewer, 'vet')) throw mayNot(viewer, 'vet')
  return vetId
}

const lockAnimalRow = z.object({ active: z.boolean() })

/**
 * Locks the row of an animal that this vet may check. Throws NOT_FOUND for hidden listings and goods, OWN_LISTING for the vet's own, LISTING_STEP for
 * a sold one.
 */
export async function lockAnimal(ctx: Ctx, listingId: number): Promise<ListingRow> {
  const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, listingId)).for('no key update')
  if (!listing || listing.state !== 'passed' || !checkedCategories.includes(listing.categoryId)) throw notFound()
  const rows = await rowsOf(ctx, sql`select ${isSellerActive} as active from listings l where l.id = ${listingId}::bigint`, lockAnimalRow)
  if (!rows[0]?.active) throw notFound()
  if (isOwnListing(ctx.viewer, listing)) throw new Problem('OWN_LISTING')
  if (isSold(listing)) throw new Problem('LISTING_STEP')
  return listing
}

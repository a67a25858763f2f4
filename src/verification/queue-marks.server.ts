import { eq, sql } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/db.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { listings } from '#src/listings/tables.ts'
import { verificationSkips } from './tables.ts'

/** Puts a listing off: for a day it comes last for this admin. NOT_FOUND for an unknown one. */
export async function skipListing(ctx: Ctx, listingId: number): Promise<void> {
  requireCan(ctx, 'operate')
  const [there] = await ctx.db.select({ id: listings.id }).from(listings).where(eq(listings.id, listingId))
  if (!there) throw notFound()
  await ctx.db
    .insert(verificationSkips)
    .values({ adminId: ctx.viewer!.id, listingId, skippedAt: ctx.now })
    .onConflictDoUpdate({ target: [verificationSkips.adminId, verificationSkips.listingId], set: { skippedAt: ctx.now } })
}

/** Deletes expired claims and skips, and verdict backups that can no longer be undone. */
export async function sweepQueueMarks(db: Db): Promise<void> {
  await db.execute(sql`delete from verification_claims where claimed_at < now() - interval '1 day'`)
  await db.execute(sql`delete from verification_skips where skipped_at < now() - interval '2 days'`)
  await db.execute(sql`delete from fresh_verdicts where created_at < now() - interval '1 hour'`)
}

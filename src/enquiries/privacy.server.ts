import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf } from '#src/kit/time-money/money.ts'
import { listings } from '#src/listings/tables.ts'
import { enquiries, enquiryMatches, enquiryOffers } from './tables.ts'

export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const { db } = ctx
  const own = await db.select().from(enquiries).where(eq(enquiries.posterId, userId)).orderBy(asc(enquiries.id))
  return {
    enquiries: own.map((enquiry) => {
      const { location: _, verifiedById: __, closedById: ___, acceptablePrice, ...known } = enquiry
      return { ...known, acceptablePrice: decimalOf(acceptablePrice) }
    }),
    enquiriesAnswered: await db
      .select({ enquiryId: enquiryOffers.enquiryId, listingId: enquiryOffers.listingId, at: enquiryOffers.createdAt })
      .from(enquiryOffers)
      .innerJoin(listings, eq(listings.id, enquiryOffers.listingId))
      .where(eq(listings.sellerId, userId))
      .orderBy(asc(enquiryOffers.id)),
    enquiriesNotifiedOf: await db
      .select({ enquiryId: enquiryMatches.enquiryId, at: enquiryMatches.toldAt })
      .from(enquiryMatches)
      .where(eq(enquiryMatches.sellerId, userId))
      .orderBy(asc(enquiryMatches.enquiryId)),
  }
}

/**
 * Runs in the erasure's transaction. Deletes the person's enquiries with the answers to them: without a poster they are useless, and the
 * offered animals stay listed. Deletes the answers of the person, too; their animals are no longer for sale.
 */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const { db } = ctx
  await db.delete(enquiries).where(eq(enquiries.posterId, userId))
  const own = db
    .select({ id: listings.id })
    .from(listings)
    .where(sql`${listings.sellerId} = ${userId}::bigint`)
  await db.delete(enquiryOffers).where(inArray(enquiryOffers.listingId, own))
  await db.delete(enquiryMatches).where(eq(enquiryMatches.sellerId, userId))
  return []
}

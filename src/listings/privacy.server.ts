import { asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf } from '#src/kit/money.ts'
import { contactTaps, listingPhotos, listings, reports, vetChecks } from './tables.ts'

/** What this domain knows of a person, for himself. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const rows = await ctx.db.select().from(listings).where(eq(listings.sellerId, userId)).orderBy(asc(listings.id))
  return {
    listings: rows.map(({ originalPrice, offerPrice, price, tagSealed, tagMac: _mac, ...listing }) => ({
      ...listing,
      searchKeys: undefined,
      earTag: tagSealed && ctx.vault.open('ear-tag', tagSealed),
      originalPrice: decimalOf(originalPrice),
      offerPrice: offerPrice === null ? null : decimalOf(offerPrice),
      price: decimalOf(price),
    })),
    vetChecks: await ctx.db.select().from(vetChecks).where(eq(vetChecks.vetId, userId)).orderBy(asc(vetChecks.id)),
    sellersAsked: await ctx.db
      .select({ listingId: contactTaps.listingId, way: contactTaps.way, tappedAt: contactTaps.tappedAt })
      .from(contactTaps)
      .where(eq(contactTaps.personId, userId)),
    // Not who reported him: that is the others'.
    reportsMade: await ctx.db
      .select({
        listingId: reports.listingId,
        sellerId: reports.sellerId,
        reason: reports.reason,
        comment: reports.comment,
        createdAt: reports.createdAt,
      })
      .from(reports)
      .where(eq(reports.reporterId, userId))
      .orderBy(asc(reports.id)),
  }
}

/**
 * In the transaction of the erasure: every listing is withdrawn and says nothing any more. What orders need of one stands in the
 * order. What a vet found stays with the animal, by nobody. Answers the pictures to remove after the commit.
 */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const { db } = ctx
  const own = db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId))
  const photos = await db.delete(listingPhotos).where(inArray(listingPhotos.listingId, own)).returning({ key: listingPhotos.mediaKey })
  await db.delete(contactTaps).where(eq(contactTaps.personId, userId))
  // What was said against him goes with him; what he said of others stays, by nobody.
  await db.delete(reports).where(eq(reports.sellerId, userId))
  await db
    .update(listings)
    .set({
      state: 'withdrawn',
      name: '',
      description: '',
      nameEn: null,
      descriptionEn: null,
      verificationComment: null,
      tagSealed: null,
      tagMac: null,
      location: null,
      searchKeys: '',
    })
    .where(eq(listings.sellerId, userId))
  return photos.map(({ key }) => key)
}

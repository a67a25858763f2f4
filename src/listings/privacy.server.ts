import { asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf } from '#src/kit/time-money/money.ts'
import { contactTaps, listingClips, listingPhotos, listings, reports, vetCheckPhotos, vetChecks } from './tables.ts'

/** What this domain exports to a person about themselves. */
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
    clips: await ctx.db
      .select({
        listingId: listingClips.listingId,
        kind: listingClips.kind,
        caption: listingClips.caption,
        bytes: listingClips.bytes,
        millis: listingClips.millis,
        createdAt: listingClips.createdAt,
      })
      .from(listingClips)
      .innerJoin(listings, eq(listings.id, listingClips.listingId))
      .where(eq(listings.sellerId, userId))
      .orderBy(asc(listingClips.id)),
    vetChecks: await ctx.db.select().from(vetChecks).where(eq(vetChecks.vetId, userId)).orderBy(asc(vetChecks.id)),
    sellersAsked: await ctx.db
      .select({ listingId: contactTaps.listingId, way: contactTaps.way, tappedAt: contactTaps.tappedAt })
      .from(contactTaps)
      .where(eq(contactTaps.personId, userId)),
    // Not who reported them: that belongs to the reporters.
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

/** In the transaction of the erasure, when the person wants their reports erased with them. */
export async function removeReports(ctx: Ctx, userId: number): Promise<void> {
  await ctx.db.delete(reports).where(eq(reports.reporterId, userId))
}

/**
 * In the transaction of the erasure: withdraws every listing and empties its texts. What orders need of a listing stands in the order. A
 * vet's findings stay with the animal, without a name. Answers the pictures to remove after the commit.
 */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const { db } = ctx
  const own = db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId))
  const photos = await db.delete(listingPhotos).where(inArray(listingPhotos.listingId, own)).returning({ key: listingPhotos.mediaKey })
  const clips = await db
    .delete(listingClips)
    .where(inArray(listingClips.listingId, own))
    .returning({ key: listingClips.mediaKey, still: listingClips.stillKey })
  const checks = db.select({ id: vetChecks.id }).from(vetChecks).where(inArray(vetChecks.listingId, own))
  const checkPhotos = await db
    .delete(vetCheckPhotos)
    .where(inArray(vetCheckPhotos.checkId, checks))
    .returning({ key: vetCheckPhotos.mediaKey })
  await db.delete(contactTaps).where(eq(contactTaps.personId, userId))
  // Reports against them are erased with them; their reports about others stay, without a name.
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
  return [...[...photos, ...checkPhotos].map(({ key }) => key), ...clips.flatMap(({ key, still }) => (still ? [key, still] : [key]))]
}

import { asc, eq, inArray, or } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf } from '#src/kit/time-money/money.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import { dayPhotos, milkings } from './proofs/tables.ts'
import { contactReveals, contactTaps, listingClips, listingPhotos, listings } from './tables.ts'

/** The data of this domain in a person's export about themselves. */
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
      .select(columnsOf(listingClips, 'listingId', 'kind', 'caption', 'bytes', 'millis', 'createdAt'))
      .from(listingClips)
      .innerJoin(listings, eq(listings.id, listingClips.listingId))
      .where(eq(listings.sellerId, userId))
      .orderBy(asc(listingClips.id)),
    ...(await exportProofs(ctx, userId)),
    sellersAsked: await ctx.db
      .select({ listingId: contactTaps.listingId, way: contactTaps.way, tappedAt: contactTaps.tappedAt })
      .from(contactTaps)
      .where(eq(contactTaps.personId, userId)),
    sellersWhoseNumberWasShown: await ctx.db
      .select({ day: contactReveals.day, sellerId: contactReveals.sellerId })
      .from(contactReveals)
      .where(eq(contactReveals.viewerId, userId)),
  }
}

/** Milkings and day photos. */
async function exportProofs(ctx: Ctx, userId: number): Promise<object> {
  return {
    milkings: await ctx.db
      .select({
        ...columnsOf(milkings, 'listingId', 'milkedOn', 'time', 'litres', 'isRefused', 'createdAt'),
        clipBytes: milkings.bytes,
      })
      .from(milkings)
      .innerJoin(listings, eq(listings.id, milkings.listingId))
      .where(eq(listings.sellerId, userId))
      .orderBy(asc(milkings.id)),
  }
}

/**
 * Withdraws every listing of the person and empties its texts. Orders keep their own copy of a listing's facts. Call it in the erasure's
 * transaction. Returns the pictures to remove after the commit.
 */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const { db } = ctx
  const own = db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId))
  const photos = await db.delete(listingPhotos).where(inArray(listingPhotos.listingId, own)).returning({ key: listingPhotos.mediaKey })
  const clips = await db
    .delete(listingClips)
    .where(inArray(listingClips.listingId, own))
    .returning({ key: listingClips.mediaKey, still: listingClips.stillKey })
  const milked = await db
    .delete(milkings)
    .where(inArray(milkings.listingId, own))
    .returning({ key: milkings.mediaKey, still: milkings.stillKey })
  await db.delete(dayPhotos).where(inArray(dayPhotos.listingId, own))
  await db.delete(contactTaps).where(eq(contactTaps.personId, userId))
  await db.delete(contactReveals).where(or(eq(contactReveals.viewerId, userId), eq(contactReveals.sellerId, userId)))
  await db
    .update(listings)
    .set({
      state: 'withdrawn',
      name: '',
      description: '',
      nameEn: null,
      descriptionEn: null,
      verificationComment: null,
      photoName: null,
      ownerName: null,
      ownerAgreed: null,
      tagSealed: null,
      tagMac: null,
      location: null,
      searchKeys: '',
    })
    .where(eq(listings.sellerId, userId))
  return [
    ...photos.map(({ key }) => key),
    ...[...clips, ...milked].flatMap(({ key, still }) => [key, still].filter((each) => each !== null)),
  ]
}

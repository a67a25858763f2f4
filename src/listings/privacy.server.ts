import { asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { listingPhotos, listings, vetChecks } from './tables.ts'

/** What this domain knows of a person, for himself. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const rows = await ctx.db.select().from(listings).where(eq(listings.sellerId, userId)).orderBy(asc(listings.id))
  return {
    listings: rows.map(({ originalPrice, offerPrice, price, ...listing }) => ({
      ...listing,
      searchKeys: undefined,
      // In 1/10,000 rupee.
      originalPrice: String(originalPrice),
      offerPrice: offerPrice === null ? null : String(offerPrice),
      price: String(price),
    })),
    vetChecks: await ctx.db.select().from(vetChecks).where(eq(vetChecks.vetId, userId)).orderBy(asc(vetChecks.id)),
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
  await db
    .update(listings)
    .set({
      state: 'withdrawn',
      name: '',
      description: '',
      nameEn: null,
      descriptionEn: null,
      verificationComment: null,
      location: null,
      searchKeys: '',
    })
    .where(eq(listings.sellerId, userId))
  return photos.map(({ key }) => key)
}

import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { dropPictures, withPictures } from '#src/kit/uploads/take-picture.server.ts'
import { notFound, invalidField } from '#src/kit/base/problem.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { dayWord } from '#src/listings/proofs/day-word.server.ts'
import { wordDays } from '#src/listings/proofs/proof-rules.ts'
import { dayPhotos } from '#src/listings/proofs/tables.ts'
import { lockOwnListing, type ListingRow } from '../own-listings-lock.server.ts'
import { requireStep } from '#src/selling/photos/photos.server.ts'

function ensureMaySend(ctx: Ctx, listing: ListingRow): void {
  requireStep(ctx, listing, 'edit', 'edit-animal')
  if (!isAnimalType(lookups.category(listing.categoryId).typeId)) throw invalidField('image', 'field_day_photo_animal')
}

/**
 * Stores a photo of the animal with the word of `day` on paper; replaces an earlier photo, and is public once an admin has seen it.
 * VALIDATION unless `day` is today or yesterday, because a word is valid for its day. NOT_FOUND, LISTING_STEP, and the Problem of an
 * invalid picture.
 */
export async function addDayPhoto(
  ctx: Ctx,
  media: MediaStore,
  listingId: number,
  { day, file }: { day: string; file: Buffer },
): Promise<void> {
  // Check before re-encoding the picture, and again under the lock.
  await inTransaction(ctx, async (ctx) => ensureMaySend(ctx, await lockOwnListing(ctx, listingId)))
  if (!wordDays(indianDay(ctx.now)).includes(day)) throw invalidField('image', 'field_day_photo_old')
  const gone = await withPictures(ctx, media, [file], 'image', ([picture]) =>
    inTransaction(ctx, async (ctx) => {
      ensureMaySend(ctx, await lockOwnListing(ctx, listingId))
      const before = await ctx.db.delete(dayPhotos).where(eq(dayPhotos.listingId, listingId)).returning({ key: dayPhotos.mediaKey })
      await ctx.db.insert(dayPhotos).values({
        listingId,
        day,
        ...dayWord(ctx.vault, listingId, day),
        ...picture!,
        addedById: ctx.viewer!.id,
        createdAt: ctx.now,
      })
      await audit(ctx, 'upload_stored', `listing:${listingId}`, { dayPhotos: 1 })
      return before.map(({ key }) => key)
    }),
  )
  await dropPictures(ctx, media, gone)
}

/** Removes the photo. NOT_FOUND, LISTING_STEP. */
export async function removeDayPhoto(ctx: Ctx, media: MediaStore, listingId: number): Promise<void> {
  const key = await inTransaction(ctx, async (ctx) => {
    requireStep(ctx, await lockOwnListing(ctx, listingId), 'edit', 'edit-animal')
    const [row] = await ctx.db.delete(dayPhotos).where(eq(dayPhotos.listingId, listingId)).returning({ key: dayPhotos.mediaKey })
    if (!row) throw notFound()
    await audit(ctx, 'upload_deleted', `listing:${listingId}`, { dayPhotos: 1 })
    return row.key
  })
  await dropPictures(ctx, media, [key])
}

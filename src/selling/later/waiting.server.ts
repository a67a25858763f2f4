import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import { requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { findAnswer } from '#src/kit/records/idempotency.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { dropPictures, withPictures, type StoredPicture } from '#src/kit/uploads/take-picture.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import type { PlacedPhoto } from '#src/selling/unsent/queue.ts'
import { findDraft, lockDraft, sendingOwner, storedPicture, takeDraft } from '#src/selling/unsent/drafts.server.ts'
import { readSale } from '#src/selling/listing/read-sale.server.ts'
import { sendOnce } from '#src/selling/listing/sell.server.ts'
import { draftPhotos, listingDrafts, waitingPhotos } from '../tables.ts'

/** Server side of a listing made offline: it arrives in parts, the pictures one by one, then the fields (decision 0070). */

/** The retention of a draft: a phone may stay off for weeks with half of its listing sent. */
const KEEP_DAYS = 60
/** The pictures of twenty listings. */
const MAX_WAITING = 60

/**
 * Stores the picture of one position. Idempotent, also after the listing was made. TOO_MANY_IMAGES, and the Problem of an invalid picture.
 */
export async function addWaitingPhoto(
  ctx: Ctx,
  media: MediaStore,
  { key, at, file }: { key: string; at: number; file: Buffer },
): Promise<void> {
  const viewer = requireCan(ctx, 'sell')
  const unused = await withPictures(ctx, media, [file], 'image', ([picture]) =>
    inTransaction(ctx, async (ctx) => {
      await lockDraft(ctx)
      if ((await findAnswer(ctx, { owner: sendingOwner(ctx), key })) !== null) return [picture!.mediaKey]
      const mine = and(eq(waitingPhotos.ownerId, viewer.id), eq(waitingPhotos.key, key), eq(waitingPhotos.position, at))
      const [there] = await ctx.db.select().from(waitingPhotos).where(mine)
      if (there?.sha256 === picture!.sha256) return [picture!.mediaKey]
      if (there) await ctx.db.delete(waitingPhotos).where(mine)
      if ((await ctx.db.$count(waitingPhotos, eq(waitingPhotos.ownerId, viewer.id))) >= MAX_WAITING) throw new Problem('TOO_MANY_IMAGES')
      await ctx.db.insert(waitingPhotos).values({ ...picture!, ownerId: viewer.id, key, position: at, createdAt: ctx.now })
      return there ? [there.mediaKey] : []
    }),
  )
  await dropPictures(ctx, media, unused)
}

/**
 * Makes the listing once per key. The form has the same key, so a page submit whose response was lost makes the same listing. VALIDATION
 * with the invalid fields; `waiting` means that a picture must be sent (again) first.
 */
export async function sendWaiting(ctx: Ctx, { typed, photos }: { typed: Typed; photos: readonly PlacedPhoto[] }): Promise<number> {
  const { key, sale, captions } = readSale(ctx, typed)
  return sendOnce(ctx, key, sale, { enquiryId: typed.enquiryId, captions, takePhotos: (ctx) => takePlaced(ctx, key, photos) })
}

async function takePlaced(ctx: Ctx, key: string, photos: readonly PlacedPhoto[]): Promise<StoredPicture[]> {
  const ownerId = requireLoggedIn(ctx).id
  const ids = photos.flatMap((photo) => ('stored' in photo ? [photo.stored] : []))
  const own = ctx.db.select({ id: listingDrafts.id }).from(listingDrafts).where(eq(listingDrafts.ownerId, ownerId))
  const inDraft = ids.length
    ? await ctx.db
        .select()
        .from(draftPhotos)
        .where(and(inArray(draftPhotos.id, ids), inArray(draftPhotos.draftId, own)))
    : []
  const ofKey = and(eq(waitingPhotos.ownerId, ownerId), eq(waitingPhotos.key, key))
  const waiting = await ctx.db.select().from(waitingPhotos).where(ofKey).orderBy(asc(waitingPhotos.position))
  const found = photos.map((photo) =>
    'stored' in photo ? inDraft.find(({ id }) => id === photo.stored) : waiting.find(({ position }) => position === photo.at),
  )
  for (const [n, photo] of photos.entries()) {
    if (found[n]) continue
    const field = 'stored' in photo ? 'image' : 'waiting'
    throw invalidField(field, 'field_listing_photo')
  }
  await ctx.db.delete(waitingPhotos).where(ofKey)
  // Includes a picture whose upload response was lost; it would otherwise appear in the form of the next animal.
  const hashes = found.map((row) => row!.sha256)
  await ctx.db.delete(draftPhotos).where(and(inArray(draftPhotos.draftId, own), inArray(draftPhotos.sha256, hashes)))
  // Delete the draft only if it still holds this animal.
  if ((await findDraft(ctx))?.typed.key === key) await takeDraft(ctx)
  return found.map((row) => storedPicture(row!))
}

/** Deletes pictures of listings that never arrived; the sweep of the store deletes their files. */
export async function sweepWaitingPhotos(db: Db): Promise<void> {
  await db.delete(waitingPhotos).where(lt(waitingPhotos.createdAt, sql`now() - make_interval(days => ${KEEP_DAYS})`))
}

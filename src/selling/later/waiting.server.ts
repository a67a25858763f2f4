import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction, type Db } from '#src/kit/db/database.server.ts'
import { findAnswer } from '#src/kit/db/idempotency.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { dropPictures, withPictures, type StoredPicture } from '#src/kit/media/take-picture.server.ts'
import { Problem } from '#src/kit/problem.ts'
import type { Typed } from '#src/selling/form/draft-fields.ts'
import { findDraft, lockDraft, sendingOwner, takeDraft } from '#src/selling/form/drafts.server.ts'
import { readSale } from '#src/selling/form/read-sale.server.ts'
import { sendOnce } from '#src/selling/form/sell.server.ts'
import { draftPhotos, listingDrafts, waitingPhotos } from '#src/selling/tables.ts'

/** A listing that was made without a line comes in parts: its pictures one by one, then what was typed (decision 0070). */

/** As long as a draft: a phone may lie in a drawer with half of its listing sent. */
const KEEP_DAYS = 60
/** Twenty listings' pictures at a time. */
const MAX_WAITING = 60

/** Where a picture of the listing is: in the draft of the form, where it came with a line, or at its place among those that waited. */
export type PlacedPhoto = { stored: number } | { at: number }

/**
 * Takes the picture of one place. The same once more, or after the listing has come, changes nothing. TOO_MANY_IMAGES, and what is wrong
 * with a picture.
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
 * Makes the listing, once for its key: the key is also that of the form, so a submit of the page whose answer was lost is the same listing.
 * VALIDATION with what is wrong; field `waiting` where a picture has to be sent (again) first.
 */
export async function sendWaiting(ctx: Ctx, { typed, photos }: { typed: Typed; photos: readonly PlacedPhoto[] }): Promise<number> {
  const { key, sale, captions } = readSale(ctx, typed)
  return sendOnce(ctx, key, sale, { enquiryId: typed.enquiryId, captions, takePhotos: (ctx) => takePlaced(ctx, key, photos) })
}

async function takePlaced(ctx: Ctx, key: string, photos: readonly PlacedPhoto[]): Promise<StoredPicture[]> {
  const ownerId = ctx.viewer!.id
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
    throw new Problem('VALIDATION', { fields: [{ field, message: 'field_listing_photo' }] })
  }
  await ctx.db.delete(waitingPhotos).where(ofKey)
  // Also one whose upload to the draft nobody heard of: it would stand on the form of the next animal.
  const hashes = found.map((row) => row!.sha256)
  await ctx.db.delete(draftPhotos).where(and(inArray(draftPhotos.draftId, own), inArray(draftPhotos.sha256, hashes)))
  // The form went on to another animal, or it is this one still.
  if ((await findDraft(ctx))?.typed.key === key) await takeDraft(ctx)
  return found.map((row) => storedPicture(row!))
}

const storedPicture = ({ mediaKey, width, height, thumbhash, averageColor, dhash, sha256 }: StoredPicture): StoredPicture => ({
  mediaKey,
  width,
  height,
  thumbhash,
  averageColor,
  dhash,
  sha256,
})

/** Of listings that never came; the files go with the next sweep of the store. */
export async function sweepWaitingPhotos(db: Db): Promise<void> {
  await db.delete(waitingPhotos).where(lt(waitingPhotos.createdAt, sql`now() - make_interval(days => ${KEEP_DAYS})`))
}

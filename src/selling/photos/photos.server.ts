import { and, asc, eq, sql } from 'drizzle-orm'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { withPictures, type StoredPicture } from '#src/kit/uploads/take-picture.server.ts'
import { can } from '#src/listings/policy.ts'
import { heldBack, stateAfter, type Step } from '#src/listings/life/life.ts'
import { MAX_PHOTOS } from '#src/listings/fields/listing-questions.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { animalColumns, editColumns, lockOwnListing, type ListingRow } from '../own-listings-lock.server.ts'
import { dropUnusedPictures } from '#src/kit/uploads/used-pictures.server.ts'
import { usedByListings } from '../media.server.ts'

/** Pictures of one seller that are on show or wait for it: more is somebody's album. */
const MAX_STORED = 500

const shownPhoto = { id: listingPhotos.id, key: listingPhotos.mediaKey, width: listingPhotos.width, height: listingPhotos.height }

export const listPhotos = (ctx: Ctx, listingId: number) =>
  ctx.db.select(shownPhoto).from(listingPhotos).where(eq(listingPhotos.listingId, listingId)).orderBy(asc(listingPhotos.position))
export type ListingPhoto = Awaited<ReturnType<typeof listPhotos>>[number]

/** The first of these steps that the viewer may take with it now; LISTING_STEP when none. */
export function requireStep(ctx: Ctx, listing: ListingRow, ...steps: Step[]): Step {
  const step = steps.find((each) => can(ctx.viewer, 'take-listing-step', { step: each, listing }))
  if (!step) throw new Problem('LISTING_STEP')
  return step
}

/** The columns that a step of the seller changes; `weightKg` as it is after the step. */
export const stepColumns = (ctx: Ctx, listing: ListingRow, step: Step, weightKg = listing.weightKg) => {
  const isNew = step === 'submit' || step === 'edit-animal'
  return {
    state: heldBack(stateAfter(step, listing.state), listing),
    ...editColumns(ctx, listing),
    ...(isNew && { submittedAt: ctx.now, ...animalColumns(ctx, listing, weightKg) }),
  }
}

export const saveStep = (ctx: Ctx, listing: ListingRow, step: Step) =>
  ctx.db
    .update(listings)
    .set(stepColumns(ctx, listing, step))
    .where(eq(listings.id, listing.id))

/**
 * Adds pictures to a listing, all or none; three in all, counted under lock. The first ones submit a draft for verification; any new one
 * sends a verified listing back to the queue. NOT_FOUND, TOO_MANY_IMAGES, LISTING_STEP, and what is wrong with a picture.
 */
export async function addPhotos(ctx: Ctx, media: MediaStore, listingId: number, files: Buffer[]): Promise<ListingPhoto[]> {
  // Two checks before the pictures are re-encoded, which takes a second: may the viewer do it, and is there room? Both are repeated under
  // lock.
  const [found] = await ctx.db
    .select({ sellerId: listings.sellerId })
    .from(listings)
    .where(and(eq(listings.id, listingId), can(ctx.viewer, 'operate') ? sql`true` : eq(listings.sellerId, ctx.viewer?.id ?? 0)))
  if (!found) throw notFound()
  if (files.length + (await ctx.db.$count(listingPhotos, eq(listingPhotos.listingId, listingId))) > MAX_PHOTOS)
    throw new Problem('TOO_MANY_IMAGES')
  return withPictures(ctx, media, files, 'images', (pictures) =>
    inTransaction(ctx, async (ctx) => {
      const listing = await lockOwnListing(ctx, listingId)
      const step = requireStep(ctx, listing, 'submit', 'edit-animal')
      const ids = (await listPhotos(ctx, listingId)).map(({ id }) => id)
      const count = ids.length
      if (count + pictures.length > MAX_PHOTOS || (await countStored(ctx, listing.sellerId)) + pictures.length > MAX_STORED)
        throw new Problem('TOO_MANY_IMAGES')
      // Closes the gaps, so that there is room after the last one.
      await orderPhotos(ctx, listingId, ids)
      await insertPhotos(ctx, listingId, pictures, count)
      await saveStep(ctx, listing, step)
      await audit(ctx, 'upload_stored', `listing:${listingId}`, { count: pictures.length })
      return listPhotos(ctx, listingId)
    }),
  )
}

export async function insertPhotos(ctx: Ctx, listingId: number, pictures: StoredPicture[], from: number): Promise<void> {
  if (pictures.length === 0) return
  await ctx.db.insert(listingPhotos).values(pictures.map((picture, n) => ({ ...picture, listingId, position: from + n })))
}

const countStored = (ctx: Ctx, sellerId: number): Promise<number> =>
  ctx.db.$count(
    listingPhotos,
    sql`listing_id in (select id from listings where seller_id = ${sellerId}::bigint and not is_sold and state <> 'withdrawn')`,
  )

/** The last picture of a listing that is, or was, on show stays: nobody can judge an animal that they cannot see. VALIDATION then. */
export async function removePhoto(ctx: Ctx, media: MediaStore, photoId: number): Promise<void> {
  const [photo] = await ctx.db.select({ listingId: listingPhotos.listingId }).from(listingPhotos).where(eq(listingPhotos.id, photoId))
  if (!photo) throw notFound()
  const { listingId } = photo
  const key = await inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, listingId)
    const photos = await listPhotos(ctx, listingId)
    const found = photos.find(({ id }) => id === photoId)
    if (!found) throw notFound()
    const step = requireStep(ctx, listing, 'edit', 'edit-animal')
    if (photos.length === 1) throw invalidField('image', 'field_listing_photo')
    await ctx.db.delete(listingPhotos).where(eq(listingPhotos.id, photoId))
    await orderPhotos(
      ctx,
      listingId,
      photos.filter(({ id }) => id !== photoId).map(({ id }) => id),
    )
    await saveStep(ctx, listing, step)
    await audit(ctx, 'upload_deleted', `listing:${listingId}`, { photoId })
    return found.key
  })
  await dropUnusedPictures(ctx, media, usedByListings, [key])
}

/**
 * Gives the pictures these places. Two rows may never share a place, not even for a moment, and the database knows only three places. So
 * each picture that moves is deleted and inserted again.
 */
export async function orderPhotos(ctx: Ctx, listingId: number, ids: number[]): Promise<void> {
  const rows = await ctx.db.select().from(listingPhotos).where(eq(listingPhotos.listingId, listingId)).orderBy(asc(listingPhotos.position))
  const moving = rows.filter((row) => ids.indexOf(row.id) !== row.position)
  for (const { id } of moving) await ctx.db.delete(listingPhotos).where(eq(listingPhotos.id, id))
  for (const { id, ...row } of moving) {
    const position = ids.indexOf(id)
    if (position >= 0)
      await ctx.db
        .insert(listingPhotos)
        .overridingSystemValue()
        .values({ ...row, id, position })
  }
}

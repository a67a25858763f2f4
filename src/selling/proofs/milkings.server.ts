import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { takeClip } from '#src/kit/uploads/take-clip.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { dropPictures, takePicture } from '#src/kit/uploads/take-picture.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { earliestMilking, isInMilk, MAX_MILKINGS } from '#src/listings/proofs/proof-rules.ts'
import { milkings } from '#src/listings/proofs/tables.ts'
import { readUpload, removeUpload } from '#src/selling/clips/clip-uploads.server.ts'
import { filesOf } from '#src/selling/unsent/waiting-clips.server.ts'
import { lockOwnListing, type ListingRow } from '../own-listings-lock.server.ts'
import { requireStep } from '#src/selling/photos/photos.server.ts'
import type { MilkingInput } from './milking-schema.ts'

export interface SentMilkingClip {
  /** The clip, or the id of its finished upload (selling/clips). */
  file: Buffer | { upload: string }
  still: Buffer | null
}

/** Checks that the animal is in milk, the day is recent enough, and the maximum is not reached. */
async function ensureMayAdd(ctx: Ctx, listing: ListingRow, { milkedOn, time }: MilkingInput): Promise<void> {
  requireStep(ctx, listing, 'edit', 'edit-animal')
  if (!isInMilk(listing, lookups.category(listing.categoryId).variantType)) throw invalidField('milkedOn', 'field_milking_dry')
  const today = indianDay(ctx.now)
  if (milkedOn > today || milkedOn < earliestMilking(today)) throw invalidField('milkedOn', 'field_milking_day')
  const existing = await ctx.db
    .select({ milkedOn: milkings.milkedOn, time: milkings.time })
    .from(milkings)
    .where(eq(milkings.listingId, listing.id))
  if (existing.some((each) => each.milkedOn === milkedOn && each.time === time)) throw invalidField('milkedOn', 'field_milking_twice')
  if (existing.length >= MAX_MILKINGS) throw invalidField('milkedOn', 'field_milkings_three')
}

/**
 * Records a milking of an own animal in milk, or of any for an admin. The seller's statement is public at once, its clip after an admin has
 * seen it. NOT_FOUND, LISTING_STEP, VALIDATION, and the Problem of an invalid clip. Returns its id.
 */
export async function addMilking(
  ctx: Ctx,
  media: MediaStore,
  listingId: number,
  { clip, ...milking }: MilkingInput & { clip: SentMilkingClip | null },
): Promise<number> {
  // Check before reading the clip, and again under the lock.
  await inTransaction(ctx, async (ctx) => ensureMayAdd(ctx, await lockOwnListing(ctx, listingId), milking))
  return withMilkingClip(ctx, media, clip, (stored) =>
    inTransaction(ctx, async (ctx) => {
      await ensureMayAdd(ctx, await lockOwnListing(ctx, listingId), milking)
      const [row] = await ctx.db
        .insert(milkings)
        .values({ listingId, ...milking, ...stored, addedById: ctx.viewer!.id, createdAt: ctx.now })
        .returning({ id: milkings.id })
      await audit(ctx, 'upload_stored', `listing:${listingId}`, { milkings: 1 })
      return row!.id
    }),
  )
}

type ClipColumns = Pick<typeof milkings.$inferInsert, 'mediaKey' | 'format' | 'bytes' | 'millis' | 'width' | 'height' | 'stillKey'>

/** Stores the clip and its still before `use`, and removes both when that throws. */
async function withMilkingClip<T>(
  ctx: Ctx,
  media: MediaStore,
  clip: SentMilkingClip | null,
  use: (stored: ClipColumns) => Promise<T>,
): Promise<T> {
  if (!clip) return use({})
  const { file, still } = clip
  const bytes = Buffer.isBuffer(file) ? file : await readUpload(ctx, file.upload)
  const files: string[] = []
  let isWriting = false
  try {
    const { kind: _, ...stored } = await takeClip(ctx, media, { kind: 'video', bytes, field: 'clip' })
    files.push(stored.mediaKey)
    const picture = still ? await takePicture(ctx, media, still, 'still') : null
    if (picture) files.push(picture.mediaKey)
    isWriting = true
    const done = await use({ ...stored, stillKey: picture?.mediaKey ?? null })
    // When this fails, the sweep removes the upload within a day.
    if (!Buffer.isBuffer(file)) await removeUpload(ctx, file.upload).catch(() => {})
    return done
  } catch (error) {
    if (!isWriting || error instanceof Problem) await dropPictures(ctx, media, files)
    throw error
  }
}

/** Removes a milking. NOT_FOUND, LISTING_STEP. */
export async function removeMilking(ctx: Ctx, media: MediaStore, milkingId: number): Promise<void> {
  const [found] = await ctx.db.select({ listingId: milkings.listingId }).from(milkings).where(eq(milkings.id, milkingId))
  if (!found) throw notFound()
  const { listingId } = found
  const gone = await inTransaction(ctx, async (ctx) => {
    requireStep(ctx, await lockOwnListing(ctx, listingId), 'edit', 'edit-animal')
    const [row] = await ctx.db
      .delete(milkings)
      .where(and(eq(milkings.id, milkingId), eq(milkings.listingId, listingId)))
      .returning()
    if (!row) throw notFound()
    await audit(ctx, 'upload_deleted', `listing:${listingId}`, { milkingId })
    return row.mediaKey ? filesOf([{ key: row.mediaKey, still: row.stillKey }]) : []
  })
  await dropPictures(ctx, media, gone)
}

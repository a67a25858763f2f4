import { and, eq, sql } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { takeClip } from '#src/kit/media/clips/take-clip.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { dropPictures, takePicture } from '#src/kit/media/take-picture.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import type { Clip } from '#src/listings/product-rows.server.ts'
import { listingClips, listings } from '#src/listings/tables.ts'
import { lockDraft } from '#src/selling/form/drafts.server.ts'
import { lockOwnListing } from '#src/selling/own/own-listings-lock.server.ts'
import { requireStep, stepColumns } from '#src/selling/photos/photos.server.ts'
import { listingDrafts } from '#src/selling/tables.ts'
import { readUpload, removeUpload } from './clip-uploads.server.ts'
import { filesOf, listClips, listWaitingClips, takeWaitingClip, tooManyClips } from './waiting-clips.server.ts'

export interface SentClip {
  kind: ClipKind
  /** The clip itself, or the upload that it was. */
  file: Buffer | { upload: string }
  still: Buffer | null
}

type NewClip = Omit<typeof listingClips.$inferInsert, 'id' | 'position'>

const fieldOf = (kind: ClipKind) => (kind === 'video' ? 'clip' : 'voice')

/** In the form of a new listing under its key, or of this listing. Answers all of the form. What is wrong with the clip; NOT_FOUND. */
export async function addWaitingClip(ctx: Ctx, media: MediaStore, form: string, sent: SentClip): Promise<Clip[]> {
  const viewer = requireCan(ctx, 'sell')
  const editedId = Number(/^edit-(\d{1,15})$/.exec(form)?.[1] ?? 0)
  const there = await listWaitingClips(ctx, form)
  return withClip(ctx, media, sent, there, (clip) =>
    inTransaction(ctx, async (ctx) => {
      await lockDraft(ctx)
      if (editedId) await lockOwnListing(ctx, editedId)
      else await keepForm(ctx, viewer.id, form)
      const position = freePlace(
        await listPlaces(ctx, and(eq(listingClips.ownerId, viewer.id), eq(listingClips.form, form))!, sent.kind),
        sent.kind,
      )
      await ctx.db.insert(listingClips).values({ ...clip, form, position })
      return listWaitingClips(ctx, form)
    }),
  )
}

/** The form keeps its key when the page is opened anew, even if nothing was typed yet. */
async function keepForm(ctx: Ctx, ownerId: number, form: string): Promise<void> {
  const key = JSON.stringify({ key: form })
  await ctx.db
    .insert(listingDrafts)
    .values({ ownerId, typed: { key: form }, savedAt: ctx.now, createdAt: ctx.now })
    .onConflictDoUpdate({
      target: [listingDrafts.ownerId, listingDrafts.listingId],
      set: { typed: sql`${key}::jsonb || ${listingDrafts.typed}`, savedAt: ctx.now },
    })
}

export async function removeWaitingClip(ctx: Ctx, media: MediaStore, clipId: number): Promise<void> {
  await dropPictures(ctx, media, await takeWaitingClip(ctx, clipId))
}

/** Of a listing, at once, as a call does it: it goes back to the queue. NOT_FOUND, LISTING_STEP, and what is wrong with the clip. */
export async function addListingClip(
  ctx: Ctx,
  media: MediaStore,
  listingId: number,
  { caption, ...sent }: SentClip & { caption: string },
): Promise<Clip[]> {
  requireCan(ctx, 'sell')
  // Before the clip is looked at, and again under lock.
  requireStep(ctx, await lockOwnListing(ctx, listingId), 'edit-animal')
  return withClip(ctx, media, sent, await listClips(ctx, listingId), (clip) =>
    inTransaction(ctx, async (ctx) => {
      const listing = await lockOwnListing(ctx, listingId)
      const step = requireStep(ctx, listing, 'edit-animal')
      const position = freePlace(await listPlaces(ctx, eq(listingClips.listingId, listingId), sent.kind), sent.kind)
      await ctx.db.insert(listingClips).values({ ...clip, listingId, position, caption })
      await ctx.db
        .update(listings)
        .set(stepColumns(ctx, listing, step))
        .where(eq(listings.id, listingId))
      await audit(ctx, 'upload_stored', `listing:${listingId}`, { clips: 1 })
      return listClips(ctx, listingId)
    }),
  )
}

/** NOT_FOUND, LISTING_STEP. */
export async function removeListingClip(ctx: Ctx, media: MediaStore, clipId: number): Promise<void> {
  const [found] = await ctx.db.select({ listingId: listingClips.listingId }).from(listingClips).where(eq(listingClips.id, clipId))
  if (!found?.listingId) throw notFound()
  const { listingId } = found
  const gone = await inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, listingId)
    const step = requireStep(ctx, listing, 'edit', 'edit-animal')
    const [row] = await ctx.db.delete(listingClips).where(eq(listingClips.id, clipId)).returning()
    if (!row) throw notFound()
    await ctx.db
      .update(listings)
      .set(stepColumns(ctx, listing, step))
      .where(eq(listings.id, listingId))
    await audit(ctx, 'upload_deleted', `listing:${listingId}`, { clipId })
    return filesOf([{ key: row.mediaKey, still: row.stillKey }])
  })
  await dropPictures(ctx, media, gone)
}

const listPlaces = async (ctx: Ctx, where: ReturnType<typeof eq>, kind: ClipKind): Promise<number[]> =>
  (
    await ctx.db
      .select({ position: listingClips.position })
      .from(listingClips)
      .where(and(where, eq(listingClips.kind, kind)))
  ).map(({ position }) => position)

function freePlace(taken: number[], kind: ClipKind): number {
  for (let place = 0; place < clipLimits[kind].perListing; place++) if (!taken.includes(place)) return place
  throw tooManyClips(kind)
}

/** Stores the clip and its still before `use`; when that refuses, no file stays behind. The same upload once more changes nothing. */
async function withClip(
  ctx: Ctx,
  media: MediaStore,
  { kind, file, still }: SentClip,
  there: Clip[],
  use: (clip: NewClip) => Promise<Clip[]>,
): Promise<Clip[]> {
  const viewer = requireCan(ctx, 'sell')
  const uploadId = Buffer.isBuffer(file) ? null : file.upload
  if (uploadId !== null && (await isTaken(ctx, viewer.id, uploadId))) return there
  if (there.filter((clip) => clip.kind === kind).length >= clipLimits[kind].perListing) throw tooManyClips(kind)
  const bytes = Buffer.isBuffer(file) ? file : await readUpload(ctx, file.upload)
  const stored: string[] = []
  let isWriting = false
  try {
    const clip = await takeClip(ctx, media, { kind, bytes, field: fieldOf(kind) })
    stored.push(clip.mediaKey)
    const picture = still && kind === 'video' ? await takePicture(ctx, media, still, 'still') : null
    if (picture) stored.push(picture.mediaKey)
    isWriting = true
    const all = await use({ ...clip, ownerId: viewer.id, stillKey: picture?.mediaKey ?? null, uploadId, createdAt: ctx.now })
    if (uploadId !== null) await removeUpload(ctx, uploadId).catch(ignoreMissing)
    return all
  } catch (error) {
    if (!isWriting || error instanceof Problem) await dropPictures(ctx, media, stored)
    throw error
  }
}

const isTaken = async (ctx: Ctx, ownerId: number, uploadId: string): Promise<boolean> =>
  (await ctx.db.$count(listingClips, and(eq(listingClips.uploadId, uploadId), eq(listingClips.ownerId, ownerId)))) > 0

/** Swept meanwhile. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

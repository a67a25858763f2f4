import { and, eq, sql } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { findAnswer } from '#src/kit/records/idempotency.server.ts'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { takeClip } from '#src/kit/uploads/take-clip.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { dropPictures, takePicture } from '#src/kit/uploads/take-picture.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import type { Clip } from '#src/listings/product-rows.server.ts'
import { listingClips } from '#src/listings/tables.ts'
import { lockDraft, sendingOwner } from '#src/selling/unsent/drafts.server.ts'
import { lockOwnListing } from '../own-listings-lock.server.ts'
import { requireStep, saveStep } from '#src/selling/photos/photos.server.ts'
import { listingDrafts } from '../tables.ts'
import { filesOf, listClips, listWaitingClips, takeWaitingClip, tooManyClips } from '#src/selling/unsent/waiting-clips.server.ts'
import { readUpload, removeUpload } from './clip-uploads.server.ts'

export interface SentClip {
  kind: ClipKind
  /** The clip, or the id of its finished upload. */
  file: Buffer | { upload: string }
  still: Buffer | null
}

/** The values that a clip brings that waited on a phone: its form may have been sent before it. */
interface AfterItsForm {
  caption?: string
  /** The version of the listing that the edit form showed. */
  version?: number | undefined
}

type NewClip = Omit<typeof listingClips.$inferInsert, 'id' | 'position'>

const fieldOf = (kind: ClipKind) => (kind === 'video' ? 'clip' : 'voice')

/**
 * Adds a clip to a form: that of a new listing under its key, or that of this listing. When the form has been sent meanwhile, the clip
 * becomes its listing's at once, with its caption. Returns all clips that wait for the form. NOT_FOUND, LISTING_STEP, and the Problem of an
 * invalid clip.
 */
export async function addWaitingClip(
  ctx: Ctx,
  media: MediaStore,
  form: string,
  { caption = '', version, ...sent }: SentClip & AfterItsForm,
): Promise<Clip[]> {
  const viewer = requireCan(ctx, 'sell')
  const editedId = Number(/^edit-(\d{1,15})$/.exec(form)?.[1] ?? 0)
  return withClip(
    ctx,
    media,
    sent,
    () => listWaitingClips(ctx, form),
    (clip) =>
      inTransaction(ctx, async (ctx) => {
        await lockDraft(ctx)
        const savedId = editedId ? await findChanged(ctx, editedId, version) : await findMade(ctx, form)
        if (savedId !== null) return putOnListing(ctx, savedId, { ...clip, caption })
        if (!editedId) await keepForm(ctx, viewer.id, form)
        return insertClip(ctx, { ...clip, form }, and(eq(listingClips.ownerId, viewer.id), eq(listingClips.form, form))!)
      }),
  )
}

/** The listing that was made of the sell form with this key. */
const findMade = async (ctx: Ctx, form: string) => (await findAnswer(ctx, { owner: sendingOwner(ctx), key: form })) as number | null

/** The listing, if it was saved since its edit form showed this version: nobody saves that form again. */
async function findChanged(ctx: Ctx, listingId: number, version: number | undefined): Promise<number | null> {
  const listing = await lockOwnListing(ctx, listingId)
  return version !== undefined && listing.version > version ? listingId : null
}

/** Creates the draft if needed, so that the form keeps its key after a reload, even if nothing was typed yet. */
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

/**
 * Adds a clip to a listing at once, for the API: the listing goes back to the verification queue. NOT_FOUND, LISTING_STEP, and the Problem
 * of an invalid clip.
 */
export async function addListingClip(
  ctx: Ctx,
  media: MediaStore,
  listingId: number,
  { caption, ...sent }: SentClip & { caption: string },
): Promise<Clip[]> {
  requireCan(ctx, 'sell')
  // Check before reading the clip, and again under the lock.
  requireStep(ctx, await lockOwnListing(ctx, listingId), 'edit-animal')
  return withClip(
    ctx,
    media,
    sent,
    () => listClips(ctx, listingId),
    (clip) => inTransaction(ctx, (ctx) => putOnListing(ctx, listingId, { ...clip, caption })),
  )
}

/** Call it in a transaction. The listing goes back to the verification queue. False: its upload is a clip already. */
async function putOnListing(ctx: Ctx, listingId: number, clip: NewClip): Promise<boolean> {
  const listing = await lockOwnListing(ctx, listingId)
  const step = requireStep(ctx, listing, 'edit-animal')
  if (!(await insertClip(ctx, { ...clip, listingId }, eq(listingClips.listingId, listingId)))) return false
  await saveStep(ctx, listing, step)
  await audit(ctx, 'upload_stored', `listing:${listingId}`, { clips: 1 })
  return true
}

/** The caller holds the lock of the form or listing. False: another request has made a clip of the same upload. */
async function insertClip(ctx: Ctx, clip: NewClip, neighbours: ReturnType<typeof eq>): Promise<boolean> {
  if (clip.uploadId && (await isTaken(ctx, clip.ownerId, clip.uploadId))) return false
  const position = freePlace(await listPlaces(ctx, neighbours, clip.kind), clip.kind)
  const added = await ctx.db
    .insert(listingClips)
    .values({ ...clip, position })
    // The other request may hold the lock of another form.
    .onConflictDoNothing({ target: listingClips.uploadId })
    .returning({ id: listingClips.id })
  return added.length > 0
}

/** Removes a clip of a listing. NOT_FOUND, LISTING_STEP. */
export async function removeListingClip(ctx: Ctx, media: MediaStore, clipId: number): Promise<void> {
  const [found] = await ctx.db.select({ listingId: listingClips.listingId }).from(listingClips).where(eq(listingClips.id, clipId))
  if (!found?.listingId) throw notFound()
  const { listingId } = found
  const gone = await inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, listingId)
    const step = requireStep(ctx, listing, 'edit', 'edit-animal')
    const [row] = await ctx.db.delete(listingClips).where(eq(listingClips.id, clipId)).returning()
    if (!row) throw notFound()
    await saveStep(ctx, listing, step)
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

/**
 * Stores the clip and its still before `add`, and removes both when that refuses or adds nothing. Idempotent per upload, also for concurrent
 * requests.
 */
async function withClip(
  ctx: Ctx,
  media: MediaStore,
  { kind, file, still }: SentClip,
  list: () => Promise<Clip[]>,
  add: (clip: NewClip) => Promise<boolean>,
): Promise<Clip[]> {
  const viewer = requireCan(ctx, 'sell')
  const uploadId = Buffer.isBuffer(file) ? null : file.upload
  const bytes = Buffer.isBuffer(file) ? file : await readUntaken(ctx, viewer.id, file.upload)
  const existing = await list()
  if (bytes === null) return existing
  if (existing.filter((clip) => clip.kind === kind).length >= clipLimits[kind].perListing) throw tooManyClips(kind)
  const stored: string[] = []
  let isWriting = false
  try {
    const clip = await takeClip(ctx, media, { kind, bytes, field: fieldOf(kind) })
    stored.push(clip.mediaKey)
    const picture = still && kind === 'video' ? await takePicture(ctx, media, still, 'still') : null
    if (picture) stored.push(picture.mediaKey)
    isWriting = true
    const isAdded = await add({ ...clip, ownerId: viewer.id, stillKey: picture?.mediaKey ?? null, uploadId, createdAt: ctx.now })
    if (uploadId !== null) await removeUpload(ctx, uploadId).catch(ignoreMissing)
    if (!isAdded) await dropPictures(ctx, media, stored)
    return list()
  } catch (error) {
    if (!isWriting || error instanceof Problem) await dropPictures(ctx, media, stored)
    throw error
  }
}

/** Null: a clip was made of the upload, whose parts may be gone. Reads first, because a concurrent request removes them after its clip. */
async function readUntaken(ctx: Ctx, ownerId: number, uploadId: string): Promise<Buffer | null> {
  const read = await readUpload(ctx, uploadId).catch((error: unknown) => error as Problem)
  if (await isTaken(ctx, ownerId, uploadId)) return null
  if (!Buffer.isBuffer(read)) throw read
  return read
}

const isTaken = async (ctx: Ctx, ownerId: number, uploadId: string): Promise<boolean> =>
  (await ctx.db.$count(listingClips, and(eq(listingClips.uploadId, uploadId), eq(listingClips.ownerId, ownerId)))) > 0

/** A sweep may have removed the upload. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

import { firstRow } from '#src/kit/db/rows.server.ts'
import { createHash } from 'node:crypto'
import { and, asc, eq, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { findAnswer } from '#src/kit/records/idempotency.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { dropPictures, withPictures, type StoredPicture } from '#src/kit/uploads/take-picture.server.ts'
import { MAX_PHOTOS } from '#src/listings/fields/listing-questions.ts'
import { lockOwnListing } from '../own-listings-lock.server.ts'
import { draftPhotos, listingDrafts } from '../tables.ts'
import { goneRefs, readRef } from './photo-refs.ts'
import { editFormOf, takeWaitingClips } from './waiting-clips.server.ts'
import type { Typed } from './draft-fields.ts'

/**
 * The answers that a person has typed into the sell form, or the edit form of a listing, so far. None of them is
 * checked or refused.
 */

/** A draft that was not touched for so long is about an animal that is sold or eaten. */
const KEEP_DAYS = 60

const shownPhoto = {
  id: draftPhotos.id,
  key: draftPhotos.mediaKey,
  width: draftPhotos.width,
  height: draftPhotos.height,
  color: draftPhotos.averageColor,
  hash: draftPhotos.thumbhash,
}

const listDraftPhotos = (ctx: Ctx, draftId: number) =>
  ctx.db.select(shownPhoto).from(draftPhotos).where(eq(draftPhotos.draftId, draftId)).orderBy(asc(draftPhotos.position))
export type DraftPhoto = Awaited<ReturnType<typeof listDraftPhotos>>[number]

const ownerOf = (ctx: Ctx): number => {
  if (!ctx.viewer) throw notFound()
  return ctx.viewer.id
}

/** The viewer's own draft, of the sell form or of this listing's edit form. */
const ownDraft = (ctx: Ctx, listingId: number | null): SQL =>
  and(
    eq(listingDrafts.ownerId, ownerOf(ctx)),
    listingId === null ? isNull(listingDrafts.listingId) : eq(listingDrafts.listingId, listingId),
  )!

/** Null when there is none. */
export async function findDraft(ctx: Ctx, listingId: number | null = null) {
  const [draft] = await ctx.db.select().from(listingDrafts).where(ownDraft(ctx, listingId))
  if (!draft) return null
  return { typed: openedTyped(ctx, draft.typed), version: draft.version, photos: await listDraftPhotos(ctx, draft.id) }
}

/** No table holds the digits of an ear tag in clear. A value that cannot be opened (another PEPPER) is left out. */
function sealedTyped(ctx: Ctx, { tag, ...typed }: Typed): Typed {
  return tag ? { ...typed, tag: ctx.vault.seal('ear-tag', tag).toString('base64') } : typed
}

export function openedTyped(ctx: Ctx, { tag, ...typed }: Typed): Typed {
  if (!tag) return typed
  try {
    return { ...typed, tag: ctx.vault.open('ear-tag', Buffer.from(tag, 'base64')) }
  } catch {
    return typed
  }
}

const DRAFT_LOCK = 7_265_118

/** Locks this person's draft until the end of the transaction, also where there is none yet. */
export const lockDraft = (ctx: Ctx): Promise<unknown> =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(${DRAFT_LOCK}::int, ${ownerOf(ctx)}::int)`)

/** The key under which a submit of the form is remembered (kit/records/idempotency.server.ts). */
export const sendingOwner = (ctx: Ctx) => `user:${ownerOf(ctx)}|sell`

const isSent = async (ctx: Ctx, key: string | undefined): Promise<boolean> =>
  key !== undefined && key !== '' && (await findAnswer(ctx, { owner: sendingOwner(ctx), key })) !== null

interface SavedDraft {
  version: number
  /** False: a stale save. Nothing was changed. */
  isSaved: boolean
  /** A listing has been made of it meanwhile, or the listing that it changes has another version by now. Nothing was changed. */
  isSent: boolean
}

/**
 * Text typed over an older version of the listing is not stored: it may be a late save of what has become this version. A person who still
 * has it is asked on their device which one stays. The listing stays locked until the transaction ends.
 */
async function isStale(ctx: Ctx, listingId: number, typed: Typed): Promise<boolean> {
  const { version } = await lockOwnListing(ctx, listingId)
  return typed.version !== String(version)
}

/** Several devices can save without hearing of each other; a leap beyond this would shut out every honest save after it. */
const MAX_LEAP = 1000

/**
 * `version` null: overwrites the stored draft, as a form without scripts does. VALIDATION for a version far above the stored one; NOT_FOUND
 * for a listing that the viewer may not edit.
 */
export async function saveDraft(
  ctx: Ctx,
  { typed, version, listingId = null }: { typed: Typed; version: number | null; listingId?: number | null },
): Promise<SavedDraft> {
  return inTransaction(ctx, async (ctx) => {
    await lockDraft(ctx)
    const before = await findDraft(ctx, listingId)
    if (listingId === null ? await isSent(ctx, typed.key) : await isStale(ctx, listingId, typed))
      return { version: before?.version ?? 0, isSaved: false, isSent: true }
    if (version !== null && before && version <= before.version) return { version: before.version, isSaved: false, isSent: false }
    const stored = before?.version ?? 0
    if (version !== null && version > stored + MAX_LEAP) throw invalidField('version', `At most ${MAX_LEAP} above the stored one.`)
    const next = version ?? stored + 1
    const sealed = sealedTyped(ctx, typed)
    await ctx.db
      .insert(listingDrafts)
      .values({ ownerId: ownerOf(ctx), listingId, typed: sealed, version: next, savedAt: ctx.now, createdAt: ctx.now })
      .onConflictDoUpdate({
        target: [listingDrafts.ownerId, listingDrafts.listingId],
        set: { typed: sealed, version: next, savedAt: ctx.now },
      })
    return { version: next, isSaved: true, isSent: false }
  })
}

/** Deletes the draft for a fresh start. The files of its pictures and clips go after the commit. */
export async function removeDraft(ctx: Ctx, media: MediaStore, listingId: number | null = null): Promise<void> {
  const keys = await inTransaction(ctx, async (ctx) => {
    await lockDraft(ctx)
    const form = listingId === null ? (await findDraft(ctx))?.typed.key : editFormOf(listingId)
    const clips = form ? await takeWaitingClips(ctx, form) : []
    return [...(await takeDraftPhotos(ctx, listingId)).map(({ picture }) => picture.mediaKey), ...clips]
  })
  await dropPictures(ctx, media, keys)
}

interface TakenPhoto {
  id: number
  picture: StoredPicture
  /** The person removed it in the form; its file is no longer needed. */
  isGone: boolean
}

/** Picks the columns that follow a picture into a listing. */
export const storedPicture = ({ mediaKey, width, height, thumbhash, averageColor, dhash, sha256 }: StoredPicture): StoredPicture => ({
  mediaKey,
  width,
  height,
  thumbhash,
  averageColor,
  dhash,
  sha256,
})

/** Deletes the viewer's draft and returns its photos, the main photo first. The caller holds `lockDraft`. */
export async function takeDraftPhotos(ctx: Ctx, listingId: number | null = null): Promise<TakenPhoto[]> {
  const own = ownDraft(ctx, listingId)
  const rows = await ctx.db
    .select({ photo: draftPhotos, typed: listingDrafts.typed })
    .from(draftPhotos)
    .innerJoin(listingDrafts, eq(listingDrafts.id, draftPhotos.draftId))
    .where(own)
    .orderBy(sql`(${draftPhotos.id}::text = ${listingDrafts.typed}->>'mainPhoto') desc nulls last`, asc(draftPhotos.position))
  await ctx.db.delete(listingDrafts).where(own)
  const gone = goneRefs(rows[0]?.typed.gonePhotos)
  return rows.map(({ photo }) => ({ id: photo.id, picture: storedPicture(photo), isGone: gone.includes(String(photo.id)) }))
}

/** As `takeDraftPhotos`, for a listing to take over: without the removed photos, whose files the next sweep of the store deletes. */
export const takeDraft = async (ctx: Ctx, listingId: number | null = null): Promise<StoredPicture[]> =>
  (await takeDraftPhotos(ctx, listingId)).filter(({ isGone }) => !isGone).map(({ picture }) => picture)

/**
 * Puts pictures into the draft of the sell form, or of the edit form of a listing: all or none. A picture that is in it already is not added
 * twice: a phone that did not get our answer sends once more. TOO_MANY_IMAGES, NOT_FOUND for a listing that the viewer may not edit, and
 * what is wrong with a picture.
 */
export async function addDraftPhotos(ctx: Ctx, media: MediaStore, files: Buffer[], listingId: number | null = null): Promise<DraftPhoto[]> {
  if (files.length > MAX_PHOTOS) throw new Problem('TOO_MANY_IMAGES')
  const { photos, unused } = await withPictures(ctx, media, files, 'image', (pictures) =>
    inTransaction(ctx, async (ctx) => {
      await lockDraft(ctx)
      const ownerId = ownerOf(ctx)
      if (listingId !== null) await lockOwnListing(ctx, listingId)
      await ctx.db.insert(listingDrafts).values({ ownerId, listingId, savedAt: ctx.now, createdAt: ctx.now }).onConflictDoNothing()
      const draft = firstRow(await ctx.db.select().from(listingDrafts).where(ownDraft(ctx, listingId)))
      const draftId = draft.id
      const replaced = await dropGone(ctx, draftId, draft.typed)
      const there = await ctx.db.select().from(draftPhotos).where(eq(draftPhotos.draftId, draftId)).orderBy(asc(draftPhotos.position))
      const known = new Set(there.map(({ sha256 }) => sha256))
      const fresh = pictures.filter(({ sha256 }) => !known.has(sha256) && known.add(sha256))
      if (there.length + fresh.length > MAX_PHOTOS) throw new Problem('TOO_MANY_IMAGES')
      if (fresh.length > 0)
        await ctx.db.insert(draftPhotos).values(fresh.map((picture, n) => ({ ...picture, draftId, position: there.length + n })))
      await ctx.db.update(listingDrafts).set({ savedAt: ctx.now }).where(eq(listingDrafts.id, draftId))
      const photos = await listDraftPhotos(ctx, draftId)
      return { photos, unused: [...replaced, ...pictures.filter((picture) => !fresh.includes(picture)).map(({ mediaKey }) => mediaKey)] }
    }),
  )
  await dropPictures(ctx, media, unused)
  return photos
}

/** The ids of the photos of the viewer's draft that were made of these files. */
export async function draftPhotosOf(ctx: Ctx, files: Buffer[], listingId: number | null): Promise<number[]> {
  const hashes = files.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  const rows = await ctx.db
    .select({ id: draftPhotos.id })
    .from(draftPhotos)
    .innerJoin(listingDrafts, eq(listingDrafts.id, draftPhotos.draftId))
    .where(and(ownDraft(ctx, listingId), inArray(draftPhotos.sha256, hashes)))
    .orderBy(asc(draftPhotos.position))
  return rows.map(({ id }) => id)
}

/** A new photo takes the place of a removed one. Returns the names of the files. */
async function dropGone(ctx: Ctx, draftId: number, { gonePhotos }: Typed): Promise<string[]> {
  const ids = goneRefs(gonePhotos).flatMap((ref) => (readRef(ref)!.isListed ? [] : [Number(ref)]))
  if (ids.length === 0) return []
  const gone = await ctx.db
    .delete(draftPhotos)
    .where(and(eq(draftPhotos.draftId, draftId), inArray(draftPhotos.id, ids)))
    .returning({ key: draftPhotos.mediaKey })
  await closeRanks(ctx, draftId)
  return gone.map(({ key }) => key)
}

/** NOT_FOUND for a picture that is not in the viewer's draft. */
export async function removeDraftPhoto(ctx: Ctx, media: MediaStore, photoId: number): Promise<void> {
  const key = await inTransaction(ctx, async (ctx) => {
    await lockDraft(ctx)
    const [photo] = await ctx.db
      .select({ key: draftPhotos.mediaKey, draftId: draftPhotos.draftId })
      .from(draftPhotos)
      .innerJoin(listingDrafts, eq(listingDrafts.id, draftPhotos.draftId))
      .where(sql`${draftPhotos.id} = ${photoId}::bigint and ${listingDrafts.ownerId} = ${ownerOf(ctx)}::bigint`)
    if (!photo) throw notFound()
    await ctx.db.delete(draftPhotos).where(eq(draftPhotos.id, photoId))
    await closeRanks(ctx, photo.draftId)
    return photo.key
  })
  await dropPictures(ctx, media, [key])
}

/** Places 0, 1, 2 without a gap. One after the other: two rows may never have the same place, not even for a moment. */
async function closeRanks(ctx: Ctx, draftId: number): Promise<void> {
  const rows = await ctx.db
    .select({ id: draftPhotos.id, position: draftPhotos.position })
    .from(draftPhotos)
    .where(eq(draftPhotos.draftId, draftId))
    .orderBy(asc(draftPhotos.position))
  for (const [position, row] of rows.entries())
    if (row.position !== position) await ctx.db.update(draftPhotos).set({ position }).where(eq(draftPhotos.id, row.id))
}

/** Drafts that were not touched for long; their pictures go with the next sweep of the store. */
export async function sweepDrafts(db: Db): Promise<void> {
  await db.delete(listingDrafts).where(lt(listingDrafts.savedAt, sql`now() - make_interval(days => ${KEEP_DAYS})`))
}

import { asc, eq, lt, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction, type Db } from '#src/kit/database.server.ts'
import { findAnswer } from '#src/kit/idempotency.server.ts'
import type { MediaStore } from '#src/kit/media-store.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { dropPictures, withPictures, type StoredPicture } from '#src/kit/take-picture.server.ts'
import { MAX_PHOTOS } from '#src/listings/listing-questions.ts'
import type { Typed } from './draft-fields.ts'
import { draftPhotos, listingDrafts } from './tables.ts'

/** What a person has typed into the sell form so far. Nothing of it is checked, so nothing of it is refused. */

/** A draft that was not touched for so long is about an animal that is sold or eaten. */
const KEEP_DAYS = 60

export interface DraftPhoto {
  id: number
  key: string
  width: number
  height: number
  color: string
  hash: string
}

interface Draft {
  typed: Typed
  version: number
  savedAt: Date
  photos: DraftPhoto[]
}

const shownPhoto = {
  id: draftPhotos.id,
  key: draftPhotos.mediaKey,
  width: draftPhotos.width,
  height: draftPhotos.height,
  color: draftPhotos.averageColor,
  hash: draftPhotos.thumbhash,
}

const ownerOf = (ctx: Ctx): number => {
  if (!ctx.viewer) throw notFound()
  return ctx.viewer.id
}

/** The viewer's own; null when he has none. */
export async function findDraft(ctx: Ctx): Promise<Draft | null> {
  const [draft] = await ctx.db
    .select()
    .from(listingDrafts)
    .where(eq(listingDrafts.ownerId, ownerOf(ctx)))
  if (!draft) return null
  const photos = await ctx.db
    .select(shownPhoto)
    .from(draftPhotos)
    .where(eq(draftPhotos.draftId, draft.id))
    .orderBy(asc(draftPhotos.position))
  return { typed: openedTyped(ctx, draft.typed), version: draft.version, savedAt: draft.savedAt, photos }
}

/** The digits of an ear tag stand in no table as they are, in a draft neither. What cannot be opened (another PEPPER) is left out. */
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

/** Until the end of the transaction nobody else touches this person's draft, also where there is none yet. */
export const lockDraft = (ctx: Ctx): Promise<unknown> =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(${DRAFT_LOCK}::int, ${ownerOf(ctx)}::int)`)

/** Under which a sending of the form is remembered (kit/idempotency.server.ts). */
export const sendingOwner = (ctx: Ctx) => `user:${ownerOf(ctx)}|sell`

const isSent = async (ctx: Ctx, key: string | undefined): Promise<boolean> =>
  key !== undefined && key !== '' && (await findAnswer(ctx, { owner: sendingOwner(ctx), key })) !== null

interface SavedDraft {
  version: number
  /** False: an older one, come late. Nothing was changed. */
  isSaved: boolean
  /** A listing has been made of it meanwhile. Nothing was changed. */
  isSent: boolean
}

/** More than one device can have saved without hearing of the other's; a leap beyond it would shut out every honest save after it. */
const MAX_LEAP = 1000

/**
 * `version` null: whatever is there is overwritten, as by a form without scripts. VALIDATION for a version far above the stored one.
 */
export async function saveDraft(ctx: Ctx, { typed, version }: { typed: Typed; version: number | null }): Promise<SavedDraft> {
  return inTransaction(ctx, async (ctx) => {
    await lockDraft(ctx)
    const before = await findDraft(ctx)
    if (await isSent(ctx, typed.key)) return { version: before?.version ?? 0, isSaved: false, isSent: true }
    if (version !== null && before && version <= before.version) return { version: before.version, isSaved: false, isSent: false }
    const stored = before?.version ?? 0
    if (version !== null && version > stored + MAX_LEAP)
      throw new Problem('VALIDATION', { fields: [{ field: 'version', message: `At most ${MAX_LEAP} above the stored one.` }] })
    const next = version ?? stored + 1
    const sealed = sealedTyped(ctx, typed)
    await ctx.db
      .insert(listingDrafts)
      .values({ ownerId: ownerOf(ctx), typed: sealed, version: next, savedAt: ctx.now, createdAt: ctx.now })
      .onConflictDoUpdate({ target: listingDrafts.ownerId, set: { typed: sealed, version: next, savedAt: ctx.now } })
    return { version: next, isSaved: true, isSent: false }
  })
}

/** To begin anew. Its pictures' files go after the commit. */
export async function removeDraft(ctx: Ctx, media: MediaStore): Promise<void> {
  const photos = await inTransaction(ctx, async (ctx) => {
    await lockDraft(ctx)
    return takeDraft(ctx)
  })
  await dropPictures(
    ctx,
    media,
    photos.map(({ mediaKey }) => mediaKey),
  )
}

/** Removes the viewer's draft and answers its pictures in order, for a listing to take over. Under `lockDraft`. */
export async function takeDraft(ctx: Ctx): Promise<StoredPicture[]> {
  const own = eq(listingDrafts.ownerId, ownerOf(ctx))
  const photos = await ctx.db
    .select({
      mediaKey: draftPhotos.mediaKey,
      width: draftPhotos.width,
      height: draftPhotos.height,
      thumbhash: draftPhotos.thumbhash,
      averageColor: draftPhotos.averageColor,
      dhash: draftPhotos.dhash,
      sha256: draftPhotos.sha256,
    })
    .from(draftPhotos)
    .innerJoin(listingDrafts, eq(listingDrafts.id, draftPhotos.draftId))
    .where(own)
    .orderBy(asc(draftPhotos.position))
  await ctx.db.delete(listingDrafts).where(own)
  return photos
}

/**
 * Puts pictures into the draft, all or none. The same picture again is the one that is there: a phone that did not hear our answer
 * sends once more. TOO_MANY_IMAGES, and what is wrong with a picture.
 */
export async function addDraftPhotos(ctx: Ctx, media: MediaStore, files: Buffer[]): Promise<DraftPhoto[]> {
  if (files.length > MAX_PHOTOS) throw new Problem('TOO_MANY_IMAGES')
  const { photos, unused } = await withPictures(ctx, media, files, 'image', (pictures) =>
    inTransaction(ctx, async (ctx) => {
      await lockDraft(ctx)
      const ownerId = ownerOf(ctx)
      await ctx.db.insert(listingDrafts).values({ ownerId, savedAt: ctx.now, createdAt: ctx.now }).onConflictDoNothing()
      const [draft] = await ctx.db.select({ id: listingDrafts.id }).from(listingDrafts).where(eq(listingDrafts.ownerId, ownerId))
      const draftId = draft!.id
      const there = await ctx.db.select().from(draftPhotos).where(eq(draftPhotos.draftId, draftId)).orderBy(asc(draftPhotos.position))
      const known = new Set(there.map(({ sha256 }) => sha256))
      const fresh = pictures.filter(({ sha256 }) => !known.has(sha256) && known.add(sha256))
      if (there.length + fresh.length > MAX_PHOTOS) throw new Problem('TOO_MANY_IMAGES')
      if (fresh.length > 0)
        await ctx.db.insert(draftPhotos).values(fresh.map((picture, n) => ({ ...picture, draftId, position: there.length + n })))
      await ctx.db.update(listingDrafts).set({ savedAt: ctx.now }).where(eq(listingDrafts.id, draftId))
      const photos = await ctx.db
        .select(shownPhoto)
        .from(draftPhotos)
        .where(eq(draftPhotos.draftId, draftId))
        .orderBy(asc(draftPhotos.position))
      return { photos, unused: pictures.filter((picture) => !fresh.includes(picture)).map(({ mediaKey }) => mediaKey) }
    }),
  )
  await dropPictures(ctx, media, unused)
  return photos
}

/** NOT_FOUND for one that is not in the viewer's draft. */
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

/** Places 0, 1, 2 without a gap. One after the other: two rows may not have the same place for a moment. */
async function closeRanks(ctx: Ctx, draftId: number): Promise<void> {
  const rows = await ctx.db
    .select({ id: draftPhotos.id, position: draftPhotos.position })
    .from(draftPhotos)
    .where(eq(draftPhotos.draftId, draftId))
    .orderBy(asc(draftPhotos.position))
  for (const [position, row] of rows.entries())
    if (row.position !== position) await ctx.db.update(draftPhotos).set({ position }).where(eq(draftPhotos.id, row.id))
}

/** Drafts nobody came back to; their pictures go with the next sweep of the store. */
export async function sweepDrafts(db: Db): Promise<void> {
  await db.delete(listingDrafts).where(lt(listingDrafts.savedAt, sql`now() - make_interval(days => ${KEEP_DAYS})`))
}

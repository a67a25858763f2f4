import { and, asc, eq, inArray, isNotNull, lt, sql, type SQL } from 'drizzle-orm'
import { columnsOf } from '#src/kit/db/columns.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/db.ts'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { notFound, invalidField } from '#src/kit/base/problem.ts'
import type { Clip } from '#src/listings/product-rows.server.ts'
import { listingClips } from '#src/listings/tables.ts'

/** Clips that arrive before their listing wait under the key of the form and move to the listing when it is saved. */

/** The retention of a draft. */
const KEEP_DAYS = 60

/** Key of a listing's edit form; a sell form has its own (decision 0034). */
export const editFormOf = (listingId: number) => `edit-${listingId}`

const shownClip = {
  ...columnsOf(listingClips, 'id', 'kind', 'format', 'bytes', 'millis', 'width', 'height', 'stillKey', 'caption'),
  key: listingClips.mediaKey,
}
const keysOf = { key: listingClips.mediaKey, still: listingClips.stillKey }
/** The media keys of deleted clips. */
export const filesOf = (gone: { key: string; still: string | null }[]): string[] =>
  gone.flatMap(({ key, still }) => (still ? [key, still] : [key]))

const ownForm = (ctx: Ctx, form: string) => and(eq(listingClips.ownerId, ctx.viewer?.id ?? 0), eq(listingClips.form, form))

export const listClips = (ctx: Ctx, listingId: number): Promise<Clip[]> =>
  ctx.db
    .select(shownClip)
    .from(listingClips)
    .where(eq(listingClips.listingId, listingId))
    .orderBy(asc(listingClips.kind), asc(listingClips.position))

/** The waiting clips of the viewer's form, videos first. */
export const listWaitingClips = (ctx: Ctx, form: string): Promise<Clip[]> =>
  ctx.db.select(shownClip).from(listingClips).where(ownForm(ctx, form)).orderBy(asc(listingClips.kind), asc(listingClips.position))

/** Deletes the waiting clips of a form that starts over. Returns the files to remove after the commit. */
export const takeWaitingClips = async (ctx: Ctx, form: string): Promise<string[]> => take(ctx, ownForm(ctx, form))

/** Deletes one waiting clip. NOT_FOUND for another person's clip, and for a clip of a listing. */
export async function takeWaitingClip(ctx: Ctx, clipId: number): Promise<string[]> {
  const own = and(eq(listingClips.id, clipId), eq(listingClips.ownerId, ctx.viewer?.id ?? 0), isNotNull(listingClips.form))
  const files = await take(ctx, own)
  if (files.length === 0) throw notFound()
  return files
}

/** Selects before deleting, because even a delete of no rows invalidates all cached pages. */
async function take(ctx: Ctx, where: SQL | undefined): Promise<string[]> {
  const ids = (await ctx.db.select({ id: listingClips.id }).from(listingClips).where(where)).map(({ id }) => id)
  return ids.length === 0 ? [] : filesOf(await ctx.db.delete(listingClips).where(inArray(listingClips.id, ids)).returning(keysOf))
}

export interface ClipsChange {
  form: string
  /** Ids of the listing's clips to remove. */
  gone: readonly number[]
  /** The captions of the videos in the order of the form: the listing's, including removed ones, then the waiting ones. */
  captions: readonly string[]
}

/**
 * Call it in the transaction that saves the listing, with the listing locked. Moves the waiting clips to the listing; a new voice note
 * replaces the old one. VALIDATION of `clip` for more than two videos. Returns the files to remove after the commit, and whether the
 * listing has unverified content now.
 */
export async function settleClips(ctx: Ctx, listingId: number, change: ClipsChange): Promise<{ files: string[]; isNew: boolean }> {
  const own = await listClips(ctx, listingId)
  const waiting = await listWaitingClips(ctx, change.form)
  const hasNewVoice = waiting.some(({ kind }) => kind === 'voice')
  const isGone = ({ id, kind }: Clip) => change.gone.includes(id) || (kind === 'voice' && hasNewVoice)
  const [goes, stays] = [own.filter(isGone), own.filter((clip) => !isGone(clip))]
  const isVideo = ({ kind }: Clip) => kind === 'video'
  // The captions follow the form's order, which includes removed videos.
  const captionOf = new Map([...own, ...waiting].filter(isVideo).map(({ id }, n) => [id, change.captions[n] ?? '']))
  const videos = [...stays, ...waiting].filter(isVideo)
  if (videos.length > clipLimits.video.perListing) throw tooManyClips('video')
  const files =
    goes.length === 0
      ? []
      : await take(
          ctx,
          inArray(
            listingClips.id,
            goes.map(({ id }) => id),
          ),
        )
  // Kept videos come first, so each moves to a free position (unique index).
  for (const [position, clip] of videos.entries()) {
    const caption = captionOf.get(clip.id)!
    await ctx.db.update(listingClips).set({ listingId, form: null, position, caption }).where(eq(listingClips.id, clip.id))
  }
  const voices = waiting.filter(({ kind }) => kind === 'voice').map(({ id }) => id)
  if (voices.length) await ctx.db.update(listingClips).set({ listingId, form: null }).where(inArray(listingClips.id, voices))
  const isReworded = videos.some((clip) => clip.caption !== captionOf.get(clip.id))
  return { files, isNew: waiting.length > 0 || isReworded }
}

const tooMany: Record<ClipKind, string> = { video: 'field_clips_two', voice: 'field_voice_one' }
export const tooManyClips = (kind: ClipKind) => invalidField(kind === 'video' ? 'clip' : 'voice', tooMany[kind])

/** Deletes waiting clips of forms that were never sent; the sweep of the store deletes their files. */
export async function sweepWaitingClips(db: Db): Promise<void> {
  await db
    .delete(listingClips)
    .where(and(isNotNull(listingClips.form), lt(listingClips.createdAt, sql`now() - make_interval(days => ${KEEP_DAYS})`)))
}

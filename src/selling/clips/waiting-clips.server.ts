import { and, asc, eq, inArray, isNotNull, lt, sql, type SQL } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import type { Clip } from '#src/listings/product-rows.server.ts'
import { listingClips } from '#src/listings/tables.ts'

/** Clips that came before the listing: they wait under the key of the form, and become the listing's with it. */

/** As long as a draft. */
const KEEP_DAYS = 60

/** The key of a listing's edit form; a sell form has its own (decision 0034). */
export const editFormOf = (listingId: number) => `edit-${listingId}`

export const shownClip = {
  id: listingClips.id,
  kind: listingClips.kind,
  key: listingClips.mediaKey,
  format: listingClips.format,
  bytes: listingClips.bytes,
  millis: listingClips.millis,
  width: listingClips.width,
  height: listingClips.height,
  stillKey: listingClips.stillKey,
  caption: listingClips.caption,
}
const keysOf = { key: listingClips.mediaKey, still: listingClips.stillKey }
/** The files of clips that went. */
export const filesOf = (gone: { key: string; still: string | null }[]): string[] =>
  gone.flatMap(({ key, still }) => (still ? [key, still] : [key]))

const ownForm = (ctx: Ctx, form: string) => and(eq(listingClips.ownerId, ctx.viewer?.id ?? 0), eq(listingClips.form, form))

export const listClips = (ctx: Ctx, listingId: number): Promise<Clip[]> =>
  ctx.db
    .select(shownClip)
    .from(listingClips)
    .where(eq(listingClips.listingId, listingId))
    .orderBy(asc(listingClips.kind), asc(listingClips.position))

/** Those of the viewer's form, videos first. */
export const listWaitingClips = (ctx: Ctx, form: string): Promise<Clip[]> =>
  ctx.db.select(shownClip).from(listingClips).where(ownForm(ctx, form)).orderBy(asc(listingClips.kind), asc(listingClips.position))

/** Of a form that begins anew. Answers the files to remove after the commit. */
export const takeWaitingClips = async (ctx: Ctx, form: string): Promise<string[]> => take(ctx, ownForm(ctx, form))

/** One of them. NOT_FOUND for another's, or a listing's own. */
export async function takeWaitingClip(ctx: Ctx, clipId: number): Promise<string[]> {
  const own = and(eq(listingClips.id, clipId), eq(listingClips.ownerId, ctx.viewer?.id ?? 0), isNotNull(listingClips.form))
  const files = await take(ctx, own)
  if (files.length === 0) throw notFound()
  return files
}

/** Looks first: even a delete of nothing would have all cached pages rendered anew. */
async function take(ctx: Ctx, where: SQL | undefined): Promise<string[]> {
  const ids = (await ctx.db.select({ id: listingClips.id }).from(listingClips).where(where)).map(({ id }) => id)
  return ids.length === 0 ? [] : filesOf(await ctx.db.delete(listingClips).where(inArray(listingClips.id, ids)).returning(keysOf))
}

export interface ClipsChange {
  form: string
  /** The listing's own that go. */
  gone: readonly number[]
  /** What is said of the videos, in the order of the form: the listing's own, also those that go, then those that wait. */
  captions: readonly string[]
}

/**
 * In the transaction that saves the listing, which is locked: those that waited become its own, a new voice note in place of the old one.
 * VALIDATION of `clip` when there are more than two videos. Answers the files to remove after the commit, and whether anybody sees, hears or reads
 * something that was not verified.
 */
export async function settleClips(ctx: Ctx, listingId: number, change: ClipsChange): Promise<{ files: string[]; isNew: boolean }> {
  const own = await listClips(ctx, listingId)
  const waiting = await listWaitingClips(ctx, change.form)
  const hasNewVoice = waiting.some(({ kind }) => kind === 'voice')
  const isGone = ({ id, kind }: Clip) => change.gone.includes(id) || (kind === 'voice' && hasNewVoice)
  const [goes, stays] = [own.filter(isGone), own.filter((clip) => !isGone(clip))]
  const isVideo = ({ kind }: Clip) => kind === 'video'
  // As the form showed them, those that go too.
  const said = new Map([...own, ...waiting].filter(isVideo).map(({ id }, n) => [id, change.captions[n] ?? '']))
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
  // Those that stay come first and only ever move to a place that is free.
  for (const [position, clip] of videos.entries()) {
    const caption = said.get(clip.id)!
    await ctx.db.update(listingClips).set({ listingId, form: null, position, caption }).where(eq(listingClips.id, clip.id))
  }
  const voices = waiting.filter(({ kind }) => kind === 'voice').map(({ id }) => id)
  if (voices.length) await ctx.db.update(listingClips).set({ listingId, form: null }).where(inArray(listingClips.id, voices))
  const isReworded = videos.some((clip) => clip.caption !== said.get(clip.id))
  return { files, isNew: waiting.length > 0 || isReworded }
}

const tooMany: Record<ClipKind, string> = { video: 'field_clips_two', voice: 'field_voice_one' }
export const tooManyClips = (kind: ClipKind) =>
  new Problem('VALIDATION', { fields: [{ field: kind === 'video' ? 'clip' : 'voice', message: tooMany[kind] }] })

/** Of forms that were never sent; the files go with the next sweep of the store. */
export async function sweepWaitingClips(db: Db): Promise<void> {
  await db
    .delete(listingClips)
    .where(and(isNotNull(listingClips.form), lt(listingClips.createdAt, sql`now() - make_interval(days => ${KEEP_DAYS})`)))
}

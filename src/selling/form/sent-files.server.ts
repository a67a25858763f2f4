import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { textOf } from '#src/kit/http/page.server.ts'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { addWaitingClip } from '#src/selling/clips/add-clip.server.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import { addDraftPhotos, draftPhotosOf } from '#src/selling/unsent/drafts.server.ts'
import { photoAct } from '#src/selling/unsent/photo-refs.ts'
import { editFormOf, tooManyClips } from '#src/selling/unsent/waiting-clips.server.ts'

/** Photos and clips that travel with the sell form or the edit form, as they do without scripts. */

interface Sent {
  form: FormData
  site: Site
  visitor: Visitor
  /** The listing of the edit form; null in the sell form. */
  listingId: number | null
}

/**
 * Stores them for the form, so that other errors in it lose none. `photos`: the ids of these photos, also when an
 * earlier attempt has stored them. A file that is refused is a problem of its field and stops nothing else. Each file
 * counts as one upload.
 */
export async function keepSentFiles(ctx: Ctx, sent: Sent): Promise<{ photos: number[]; problems: FieldProblem[] }> {
  const { photos, problems } = await keepPhotos(ctx, sent)
  return { photos, problems: [...problems, ...(await keepClips(ctx, sent))] }
}

interface PlainAct {
  /** The answers that it changes. */
  answers: Typed
  /** The waiting clip that it removes. */
  clipId: number | null
  section: 'photos' | 'clips' | 'about'
}

/** A button of a photo, a clip or the species, which submits the form without scripts; null for any other act. MALFORMED without a valid id. */
export function plainAct(act: string, typed: Typed): PlainAct | null {
  const [, clipId] = /^unclip:([1-9]\d{0,14})$/.exec(act) ?? []
  if (clipId !== undefined) return { answers: {}, clipId: Number(clipId), section: 'clips' }
  if (act === 'species') return { answers: {}, clipId: null, section: 'about' }
  const answers = photoAct(act, typed)
  if (Object.keys(answers).length > 0) return { answers, clipId: null, section: 'photos' }
  if (act.includes(':')) throw new Problem('MALFORMED')
  return null
}

async function keepPhotos(ctx: Ctx, { form, site, visitor, listingId }: Sent): Promise<{ photos: number[]; problems: FieldProblem[] }> {
  const files = filesIn(form, 'image')
  await countUploads(ctx, { site, visitor }, files.length)
  if (files.length === 0) return { photos: [], problems: [] }
  try {
    const bytes = await Promise.all(files.map(bytesOf))
    await addDraftPhotos(ctx, site.media, bytes, listingId)
    return { photos: await draftPhotosOf(ctx, bytes, listingId), problems: [] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const message = error.code === 'TOO_MANY_IMAGES' ? 'field_listing_photos' : error.fields?.[0]?.message
    if (message === undefined) throw error
    return { photos: [], problems: [{ field: 'image', message }] }
  }
}

/** A sell form without a key has no place where its clips could wait. */
async function keepClips(ctx: Ctx, { form, site, visitor, listingId }: Sent): Promise<FieldProblem[]> {
  const key = listingId === null ? /^[\w-]{8,64}$/.exec(textOf(form, 'key'))?.[0] : editFormOf(listingId)
  if (key === undefined) return []
  const clips = [...clipsIn(form, 'clip', 'video'), ...clipsIn(form, 'voice', 'voice')]
  await countUploads(ctx, { site, visitor }, clips.length)
  const problems: FieldProblem[] = []
  for (const { kind, field, file } of clips) {
    try {
      if (file.size > clipLimits[kind].bytes) throw tooLarge(kind, field)
      await addWaitingClip(ctx, site.media, key, { kind, file: await bytesOf(file), still: null })
    } catch (error) {
      if (!(error instanceof Problem) || !error.fields) throw error
      problems.push(...error.fields.map(({ message }) => ({ field, message })))
    }
  }
  return problems
}

async function countUploads(ctx: Ctx, { site, visitor }: Pick<Sent, 'site' | 'visitor'>, count: number): Promise<void> {
  if (count === 0) return
  const who = { userId: ctx.viewer!.id, address: visitor.address }
  await site.limits.takeAll(ctx.db, ['uploadMinute', ...Array.from({ length: count }, () => 'uploadDay' as const)], who)
}

const filesIn = (form: FormData, field: string) => form.getAll(field).filter((file): file is File => file instanceof File && file.size > 0)
const bytesOf = async (file: File) => Buffer.from(await file.arrayBuffer())

function clipsIn(form: FormData, field: 'clip' | 'voice', kind: ClipKind) {
  const files = filesIn(form, field)
  if (files.length > clipLimits[kind].perListing) throw tooManyClips(kind)
  return files.map((file) => ({ kind, field, file }))
}

const tooLarge = (kind: ClipKind, field: string) =>
  new Problem('TOO_LARGE', { fields: [{ field, message: kind === 'video' ? 'field_clip_large' : 'field_voice_large' }] })

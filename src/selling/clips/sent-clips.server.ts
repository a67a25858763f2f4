import type { Ctx } from '#src/kit/context.ts'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { tooManyClips } from '#src/selling/unsent/waiting-clips.server.ts'
import { addWaitingClip } from './add-clip.server.ts'

/**
 * Stores clips that a form without scripts posted. They wait under the form's key, so that other errors in the form lose none. Returns the
 * clips' errors by field. `take` counts them against the rate limits.
 */
export async function keepSentClips(
  ctx: Ctx,
  media: MediaStore,
  key: string,
  form: FormData,
  take: (count: number) => Promise<void>,
): Promise<FieldProblem[]> {
  const sent = [...filesOf(form, 'clip', 'video'), ...filesOf(form, 'voice', 'voice')]
  if (sent.length === 0) return []
  await take(sent.length)
  const problems: FieldProblem[] = []
  for (const { kind, field, file } of sent) {
    try {
      if (file.size > clipLimits[kind].bytes) throw tooLarge(kind, field)
      await addWaitingClip(ctx, media, key, { kind, file: Buffer.from(await file.arrayBuffer()), still: null })
    } catch (error) {
      if (!(error instanceof Problem) || !error.fields) throw error
      problems.push(...error.fields.map(({ message }) => ({ field, message })))
    }
  }
  return problems
}

const tooLarge = (kind: ClipKind, field: string) =>
  new Problem('TOO_LARGE', { fields: [{ field, message: kind === 'video' ? 'field_clip_large' : 'field_voice_large' }] })

function filesOf(form: FormData, field: 'clip' | 'voice', kind: ClipKind) {
  const files = form.getAll(field).filter((file): file is File => file instanceof File && file.size > 0)
  if (files.length > clipLimits[kind].perListing) throw tooManyClips(kind)
  return files.map((file) => ({ kind, field, file }))
}

import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { tooManyClips } from '#src/selling/unsent/waiting-clips.server.ts'
import { addWaitingClip } from './add-clip.server.ts'

interface Sent {
  form: FormData
  site: Site
  visitor: Visitor
}

/**
 * Stores clips that travel with a form, as they do without scripts. They wait under the form's key, so that other
 * errors in the form lose none. Returns the clips' errors by field. Counts as one upload for each clip.
 */
export async function keepSentClips(ctx: Ctx, key: string, { form, site, visitor }: Sent): Promise<FieldProblem[]> {
  const sent = [...filesOf(form, 'clip', 'video'), ...filesOf(form, 'voice', 'voice')]
  if (sent.length === 0) return []
  const who = { userId: ctx.viewer!.id, address: visitor.address }
  await site.limits.takeAll(ctx.db, ['uploadMinute', ...sent.map(() => 'uploadDay' as const)], who)
  const problems: FieldProblem[] = []
  for (const { kind, field, file } of sent) {
    try {
      if (file.size > clipLimits[kind].bytes) throw tooLarge(kind, field)
      await addWaitingClip(ctx, site.media, key, { kind, file: Buffer.from(await file.arrayBuffer()), still: null })
    } catch (error) {
      if (!(error instanceof Problem) || !error.fields) throw error
      problems.push(...error.fields.map(({ message }) => ({ field, message })))
    }
  }
  return problems
}

/** The waiting clip that a button of the form removes without scripts; null for any other act. */
export function unclippedId(act: string): number | null {
  const [, id] = /^unclip:([1-9]\d{0,14})$/.exec(act) ?? []
  return id === undefined ? null : Number(id)
}

const tooLarge = (kind: ClipKind, field: string) =>
  new Problem('TOO_LARGE', { fields: [{ field, message: kind === 'video' ? 'field_clip_large' : 'field_voice_large' }] })

function filesOf(form: FormData, field: 'clip' | 'voice', kind: ClipKind) {
  const files = form.getAll(field).filter((file): file is File => file instanceof File && file.size > 0)
  if (files.length > clipLimits[kind].perListing) throw tooManyClips(kind)
  return files.map((file) => ({ kind, field, file }))
}

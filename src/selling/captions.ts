import { MAX_CAPTION, clipLimits } from '#src/kit/media/clips/clip-limits.ts'
import { singleLine } from '#src/kit/text/plain-text.ts'
import type { FieldProblem } from '#src/kit/base/problem.ts'

/** Field names of the videos' captions, by their position in the form. */
export const captionFields = Array.from({ length: clipLimits.video.perListing }, (_, n) => `clipCaption${n + 1}`)

export const isCaption = (text: string): boolean => text.length <= MAX_CAPTION

export function readCaptions(typed: Record<string, string>): { captions: string[]; problems: FieldProblem[] } {
  const captions = captionFields.map((name) => singleLine(typed[name] ?? ''))
  const problems = captionFields.filter((_, n) => !isCaption(captions[n]!)).map((field) => ({ field, message: 'field_clip_caption' }))
  return { captions, problems }
}

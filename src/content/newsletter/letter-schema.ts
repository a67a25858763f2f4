import { z } from 'zod'
import { oneLine, paragraphs } from '#src/kit/text/text.ts'
import { LONGEST_LETTER, LONGEST_SUBJECT } from './letter-limits.ts'

const subject = oneLine(LONGEST_SUBJECT, 'field_showcase_long', 'field_blank')
const body = paragraphs(LONGEST_LETTER, 'field_showcase_long', 'field_blank')

/** A letter in both languages: each subscriber gets the one they asked for. */
export const letterInput = z.object({ subjectTa: subject, subjectEn: subject, bodyTa: body, bodyEn: body })
export type LetterInput = z.infer<typeof letterInput>

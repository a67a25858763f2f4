import { z } from 'zod'

export const MAX_REVIEW = 1000
/** Far more than that in any script: what is longer is not looked at. */
const MAX_RAW = 5000

/** Some lines of text that may be left out, as they are kept: NFC, no control characters but line ends. */
export const optionalText = z
  .string('field_wrong')
  .max(MAX_RAW, { error: 'field_comment_long', abort: true })
  .overwrite((text) => text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').normalize('NFC').trim())
  .refine((text) => text.isWellFormed() && !/[^\P{Cc}\n]/u.test(text), { error: 'field_wrong', abort: true })
  .refine((text) => [...text].length <= MAX_REVIEW, 'field_comment_long')

/** A §5: stars, or a comment, or both. 0 is "no stars", which is not the same as bad ones. */
export const reviewInput = z
  .object({
    stars: z
      .union([z.literal([1, 2, 3, 4, 5]), z.literal([0, null]).transform(() => null)], 'field_review_stars')
      .nullish()
      .transform((stars) => stars ?? null),
    comment: optionalText.nullish().transform((text) => text ?? ''),
  })
  .refine(({ stars, comment }) => stars !== null || comment !== '', { path: ['stars'], message: 'field_review_empty' })
export type ReviewInput = z.infer<typeof reviewInput>

/** What a seller answers to a review: it cannot be empty, and there is one. */
export const answerInput = z.object({ answer: optionalText.refine((text) => text !== '', 'field_answer_blank') })

import { z } from 'zod'
import { paragraphs } from '#src/kit/text/text.ts'

const MAX_REVIEW = 1000

/** An optional text of a few lines. */
export const optionalText = paragraphs(MAX_REVIEW, 'field_comment_long')

/** A §5: stars, a comment, or both. 0 means "no stars", not a bad rating. */
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

/** The reason why an admin hides a review; its author reads it. */
export const hideInput = z.object({ reason: optionalText.refine((text) => text !== '', 'field_note_blank') })

/** The seller's answer to a review; it cannot be empty. */
export const answerInput = z.object({ answer: optionalText.refine((text) => text !== '', 'field_answer_blank') })

import { z } from 'zod'
import { paragraphs } from '#src/kit/text/text.ts'
import { optionalText } from '#src/reviews/reviews-schemas.ts'
import { MAX_CONTENT, MAX_REPLY } from './limits.ts'
import { FLAG_REASONS } from './tables.ts'

export const newThread = z.object({ content: paragraphs(MAX_CONTENT, 'field_forum_content_long', 'field_forum_content_blank') })
export const newReply = z.object({ reply: paragraphs(MAX_REPLY, 'field_forum_reply_long', 'field_forum_reply_blank') })

export type FlagReason = (typeof FLAG_REASONS)[number]

/** The reason why a post breaks the rules; "something else" needs a comment. */
export const flagInput = z
  .object({
    reason: z.enum(FLAG_REASONS, 'field_report_reason'),
    comment: optionalText.nullish().transform((text) => text ?? ''),
  })
  .refine(({ reason, comment }) => reason !== 'other' || comment !== '', { path: ['comment'], message: 'field_report_comment' })
export type FlagInput = z.infer<typeof flagInput>

/** The reason why an admin hides a post; its author reads it. */
export const hideReason = z.object({ reason: optionalText.refine((text) => text !== '', 'field_note_blank') })

import { z } from 'zod'
import { optionalText } from '#src/reviews/reviews-schemas.ts'
import { REPORT_REASONS } from './tables.ts'

export type ReportReason = (typeof REPORT_REASONS)[number]

/** The reason why a listing or a seller should not be here; the reason "something else" needs a comment. */
export const reportInput = z
  .object({
    reason: z.enum(REPORT_REASONS, 'field_report_reason'),
    comment: optionalText.nullish().transform((text) => text ?? ''),
  })
  .refine(({ reason, comment }) => reason !== 'other' || comment !== '', { path: ['comment'], message: 'field_report_comment' })
export type ReportInput = z.infer<typeof reportInput>

/** An admin's note on a decision. */
export const reportNote = z.object({ note: optionalText.refine((text) => text !== '', 'field_note_blank') })

import { z } from 'zod'
import { optionalText } from '../listings/reviews-schemas.ts'
import { MAX_CONTENT, MAX_REPLY } from './limits.ts'
import { FLAG_REASONS } from './tables.ts'

/** More than either in any script: what is longer is not looked at. */
const MAX_RAW = 20_000

/**
 * Signs that are not seen and turn, split or hide what stands around them: a link could be shown backwards with them. The two joiners
 * stay: Indian scripts and pictures in one line need them.
 */
const UNSEEN = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

const plain = (text: string) => text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(UNSEEN, '').normalize('NFC').trim()

/** Some paragraphs, as they are kept: there is something to see in them, and no control character but line ends. */
const postText = (max: number, blank: `field_${string}`, long: `field_${string}`) =>
  z
    .string(blank)
    .max(MAX_RAW, { error: long, abort: true })
    .overwrite(plain)
    .refine((text) => text.isWellFormed() && !/[^\P{Cc}\n]/u.test(text), { error: 'field_wrong', abort: true })
    .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text), { error: blank, abort: true })
    .refine((text) => [...text].length <= max, long)

export const newThread = z.object({ content: postText(MAX_CONTENT, 'field_forum_content_blank', 'field_forum_content_long') })
export const newReply = z.object({ reply: postText(MAX_REPLY, 'field_forum_reply_blank', 'field_forum_reply_long') })

export type FlagReason = (typeof FLAG_REASONS)[number]

/** Why a post should not be here; "something else" says what. */
export const flagInput = z
  .object({
    reason: z.enum(FLAG_REASONS, 'field_report_reason'),
    comment: optionalText.nullish().transform((text) => text ?? ''),
  })
  .refine(({ reason, comment }) => reason !== 'other' || comment !== '', { path: ['comment'], message: 'field_report_comment' })
export type FlagInput = z.infer<typeof flagInput>

/** Why an admin takes a post away; its author reads it. */
export const hideReason = z.object({ reason: optionalText.refine((text) => text !== '', 'field_note_blank') })

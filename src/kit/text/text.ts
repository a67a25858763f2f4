import { z } from 'zod'

/** Tabs and line ends count as control characters, too: this is for one line of text. */
const CONTROL = /\p{Cc}/u

/**
 * What people type on one line, as it is stored: NFC, without blanks around it. Control characters and halves of a character
 * are refused, because databases, mail headers and other people's screens take them for something else.
 */
export const textLine = (max: number, blank?: FieldText) =>
  z
    .string(blank)
    .max(max, `At most ${max} characters.`)
    .refine((text) => text.isWellFormed() && !CONTROL.test(text), 'No control characters and no broken ones.')
    .normalize('NFC')
    .trim()

/**
 * Nothing can be seen of it, or it turns the direction of the text around it, and so what people believe to read. The two joiners
 * (U+200C, U+200D) belong to how our scripts are written.
 */
export const INVISIBLE = /(?![\u200C\u200D])\p{Cf}|[\u034F\u115F\u1160\u3164\uFFA0]/u
const EVERY_INVISIBLE = new RegExp(INVISIBLE, 'gu')
/** Tamil needs two marks on a letter; a heap of them covers the lines above and below. */
export const HEAPED = /(?:\p{M}[\u200C\u200D]*){5}/u
/** The blank of Braille counts as a sign, and is none to see. What is broken is something: it is refused, not overlooked. */
const SEEN = /(?![\u2800\n])[\p{L}\p{N}\p{P}\p{S}\p{Cc}\p{Cs}]/u

/** Text as it is stored: without the invisible characters that pasting from a chat brings along. Empty if nothing visible is left. */
export function seenText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(EVERY_INVISIBLE, '').normalize('NFC').trim()
  return SEEN.test(plain) ? plain : ''
}

/** UTF-16 units allowed for each stored character: longer text is refused without being examined. */
const RAW_UNITS = 5

type FieldText = `field_${string}`

/**
 * Some lines of what people write, with at most `max` code points, and no control characters but line ends. Without `blank`, the
 * sentence for who writes nothing, they may be left out.
 */
export const paragraphs = (max: number, long: FieldText, blank?: FieldText) =>
  z
    .string(blank ?? 'field_wrong')
    .max(RAW_UNITS * max, { error: long, abort: true })
    .overwrite(seenText)
    .refine((text) => text.isWellFormed() && !/[^\P{Cc}\n]/u.test(text), { error: 'field_wrong', abort: true })
    .refine((text) => blank === undefined || text !== '', { error: blank ?? 'field_wrong', abort: true })
    .refine((text) => !HEAPED.test(text), { error: 'field_listing_letters', abort: true })
    .refine((text) => [...text].length <= max, long)

/** For LIKE: this text anywhere. What means "anything" to LIKE means itself here. */
export const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** RFC 5321: what a mail server must be able to take. */
const MAX_EMAIL = 254
/**
 * Letters of every script, because Tamil addresses exist (RFC 6531). No quotes, comments, brackets or lists: whatever has
 * another meaning in a mail header is not in this pattern.
 */
const EMAIL =
  /^(?=.{1,64}@)[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}(?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}])?$/u

/** An e-mail address in lower case. Whether it exists, only a letter to it can tell. */
export const emailAddress = textLine(MAX_EMAIL, 'field_blank').toLowerCase().regex(EMAIL, 'field_email_format')

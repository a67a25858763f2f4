import { z } from 'zod'

/** Includes tabs and line breaks, because this is for one line of text. */
const CONTROL = /\p{Cc}/u

/**
 * A single line of user text as it is stored: NFC, trimmed. Refuses control characters and unpaired surrogates, because databases, mail headers and
 * screens may misinterpret them.
 */
export const textLine = (max: number, blank?: FieldText) =>
  z
    .string(blank)
    .max(max, `At most ${max} characters.`)
    .refine((text) => text.isWellFormed() && !CONTROL.test(text), 'No control characters and no broken ones.')
    .normalize('NFC')
    .trim()

/**
 * Characters that are invisible or change the direction of the surrounding text and so mislead readers. The two joiners (U+200C, U+200D) are part of
 * Indian scripts.
 */
export const INVISIBLE = /(?![\u200C\u200D])\p{Cf}|[\u034F\u115F\u1160\u3164\uFFA0]/u
const EVERY_INVISIBLE = new RegExp(INVISIBLE, 'gu')
/** Tamil needs two marks on a letter; a stack of them covers the lines above and below. */
export const HEAPED = /(?:\p{M}[\u200C\u200D]*){5}/u
/**
 * A visible character. The Braille blank counts as a symbol but is invisible. Control characters and unpaired surrogates match too, so that they are
 * refused and not overlooked.
 */
const SEEN = /(?![\u2800\n])[\p{L}\p{N}\p{P}\p{S}\p{Cc}\p{Cs}]/u

/** The text as it is stored, without the invisible characters of pasted chat texts. Empty if nothing visible is left. */
export function seenText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(EVERY_INVISIBLE, '').normalize('NFC').trim()
  return SEEN.test(plain) ? plain : ''
}

/** The allowed UTF-16 units per stored character. Longer text is refused without further checks. */
const RAW_UNITS = 5

type FieldText = `field_${string}`

/**
 * User text of several lines with at most `max` code points and no control characters except line breaks. Without `blank`, the error for empty text,
 * the text is optional.
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

/** A LIKE pattern that matches this text anywhere. Escapes LIKE's wildcards. */
export const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** RFC 5321: the length that every mail server must accept. */
const MAX_EMAIL = 254
/**
 * Letters of every script, because Tamil addresses exist (RFC 6531). No quotes, comments, brackets or lists: the pattern excludes everything with
 * another meaning in a mail header.
 */
const EMAIL =
  /^(?=.{1,64}@)[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}(?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}])?$/u

/** An e-mail address in lower case. Only an e-mail to it proves that it exists. */
export const emailAddress = textLine(MAX_EMAIL, 'field_blank').toLowerCase().regex(EMAIL, 'field_email_format')

/** The first letter of a name as a reader sees it: a Tamil letter with its vowel sign is one. */
export const initialOf = (name: string) => [...new Intl.Segmenter('ta', { granularity: 'grapheme' }).segment(name)][0]?.segment ?? ''

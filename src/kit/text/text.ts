import { z } from 'zod'
import { multiLine, singleLine } from './plain-text.ts'

type FieldText = `field_${string}`

/** The allowed UTF-16 units per stored character. Longer text is refused without further checks. */
const RAW_UNITS = 5

/** A single line of user text with at most `max` UTF-16 units, as it is stored. */
export const textLine = (max: number, blank?: FieldText) => z.string(blank).overwrite(singleLine).max(max, `At most ${max} characters.`)

/** Texts that their schema takes as they were sent, and the function that reads them. */
export const sentTexts = z.registry<{ reader: string }>()
/** Leaves a text to its reader: a password as typed, a cursor, a field that a checker reads with others. */
export function leftTo<T extends z.ZodType>(reader: string, schema: T): T {
  sentTexts.add(schema, { reader })
  return schema
}

/** For `transform`: the value that `read` returns, and `message` when it returns null. */
export const readBy =
  <I, O>(read: (value: I) => O | null, message: string) =>
  (value: I, check: z.core.$RefinementCtx): O => {
    const found = read(value)
    if (found !== null) return found
    check.addIssue({ code: 'custom', message })
    return z.NEVER
  }

/** Checks for text of at most `max` code points. Without `blank`, the error for empty text, the text is optional. */
const readable = (plain: (text: string) => string, max: number, long: FieldText, blank?: FieldText) =>
  z
    .string(blank ?? 'field_wrong')
    .max(RAW_UNITS * max, { error: long, abort: true })
    .overwrite(plain)
    .refine((text) => blank === undefined || text !== '', { error: blank ?? 'field_wrong', abort: true })
    .refine((text) => [...text].length <= max, long)

/** User text of several lines. */
export const paragraphs = (max: number, long: FieldText, blank?: FieldText) => readable(multiLine, max, long, blank)

/** User text of one line. */
export const oneLine = (max: number, long: FieldText, blank?: FieldText) => readable(singleLine, max, long, blank)

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

/**
 * The address in pasted text: `mailto:` with a subject, "Email id - ", a name and `<...>` or `(...)`, quotes, a stop at
 * its end.
 */
const plainEmail = (text: string) =>
  singleLine(text)
    .toLowerCase()
    .replace(/^(?:e-?mail(?: ?id)?|மின்னஞ்சல்)\s*[:-]\s*/, '')
    .replace(/^mailto:(?:\/\/)?([^?]*).*$/, '$1')
    .replace(/^[^<>()@]*[<(](.*)[>)]$/, '$1')
    .replace(/^["'‘“]|["'’”]$|[.,;]$/g, '')

/** An e-mail address in lower case. Only an e-mail to it proves that it exists. */
export const emailAddress = z
  .string('field_blank')
  .overwrite(plainEmail)
  .max(MAX_EMAIL, `At most ${MAX_EMAIL} characters.`)
  .regex(EMAIL, 'field_email_format')

/** The first letter of a name as a reader sees it: a Tamil letter with its vowel sign is one. */
export const initialOf = (name: string) => [...new Intl.Segmenter('ta', { granularity: 'grapheme' }).segment(name)][0]?.segment ?? ''

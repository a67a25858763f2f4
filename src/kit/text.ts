import { z } from 'zod'

/** Tabs and line ends count as control characters, too: this is for one line of text. */
const CONTROL = /\p{Cc}/u

/**
 * What people type on one line, as it is kept: NFC, without blanks around it. Control characters and halves of a character
 * are refused, because databases, mail headers and other people's screens take them for something else.
 */
export const textLine = (max: number) =>
  z
    .string()
    .max(max, `At most ${max} characters.`)
    .refine((text) => text.isWellFormed() && !CONTROL.test(text), 'No control characters and no broken ones.')
    .normalize('NFC')
    .trim()

/** RFC 5321: what a mail server must be able to take. */
const MAX_EMAIL = 254
/**
 * Letters of every script, because Tamil addresses exist (RFC 6531). No quotes, comments, brackets or lists: whatever has
 * another meaning in a mail header is not in this pattern.
 */
const EMAIL =
  /^(?=.{1,64}@)[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}(?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}])?$/u

/** An e-mail address in lower case. Whether it exists, only a letter to it can tell. */
export const emailAddress = textLine(MAX_EMAIL).toLowerCase().regex(EMAIL, 'An e-mail address.')

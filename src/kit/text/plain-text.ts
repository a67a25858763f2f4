/**
 * Text as it enters the market. Every field of every form and call reads its text with `singleLine` or `multiLine`, and figures with `plainFigures`;
 * the field's own rule judges the result.
 */

/** Line ends in every writing, and the tab. */
const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g
/**
 * Invisible signs: control characters, lone surrogates, code points that are no characters, directions, fillers, and
 * marks that carry hidden text. Joiners and the variation selectors of emoji are decided by their neighbours (`JOINER`, `EMOJI_STYLE`).
 */
const INVISIBLE =
  /(?!\n|\p{Join_Control}|\uFE0E|\uFE0F)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]/gu

/** Scripts that write with joiners. */
const JOINING = 'Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Meetei_Mayek Arabic'
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('')
/** The sign that removes the vowel. A joiner after it forms the letter, also at the end of a word (ന്‍). */
const VIRAMA = '\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA'
/** Joiners with the neighbours that need them; the others are removed. */
const JOINER = new RegExp(
  `(?<=[${VIRAMA}])[\\u200C\\u200D]|(?<=[${JOINING}])[\\u200C\\u200D](?=[${JOINING}])|` +
    `(?<=[\\p{Extended_Pictographic}\\p{EMod}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})|([\\u200C\\u200D])`,
  'gu',
)
/** A variation selector behind an emoji, in a keycap, or alone. */
const EMOJI_STYLE = /(?<=(?![\d#*])\p{Emoji})[\uFE0E\uFE0F]|(?<=[\d#*])\uFE0F(?=\u20E3)|([\uFE0E\uFE0F])/gu

/** Letters that only look like others: bold and italic of the mathematical alphabets with their older relatives, and full width. */
const STYLED = /[\u{1D400}-\u{1D7FF}ℂℊ-ℓℕℙ-ℝℤℨℬℭℯ-ℱℳℴ\uFF01-\uFF5E]/gu

/** Tamil needs two marks on a letter; a taller stack covers the lines above and below. */
const STACKED = /((?:\p{M}[\u200C\u200D]?){4})(?:\p{M}[\u200C\u200D]?)+/gu
const unstacked = (text: string) => text.replace(STACKED, '$1')

/** A visible character. */
const SEEN = /[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u

function plainText(text: string): string {
  const seen = text
    .replace(LINE_END, '\n')
    // The Braille blank counts as a symbol, but nobody sees it.
    .replaceAll('\u2800', ' ')
    .replace(INVISIBLE, (sign) => (sign === '\t' ? ' ' : ''))
    .replace(STYLED, (letter) => letter.normalize('NFKC'))
    .replace(/(\p{Join_Control})\p{Join_Control}+/gu, '$1')
  const joined = unstacked(seen)
    .normalize('NFC')
    .replace(JOINER, (sign, superfluous?: string) => (superfluous ? '' : sign))
    .replace(EMOJI_STYLE, (sign, superfluous?: string) => (superfluous ? '' : sign))
  const plain = unstacked(joined).normalize('NFC')
  return SEEN.test(plain) ? plain : ''
}

/** A text of several lines: NFC, trimmed, without invisible signs. Empty if nothing visible is left. */
export const multiLine = (text: string): string => plainText(text).trim()

/** The same on one line: a line end becomes a blank. */
export const singleLine = (text: string): string =>
  plainText(text)
    .replace(/\s+/gu, (blanks) => (blanks.includes('\n') ? ' ' : blanks))
    .trim()

/** A typed search: one line with single blanks, cut to `max` code points. */
export const searchText = (text: string, max: number): string => [...singleLine(text).replace(/\s+/gu, ' ')].slice(0, max).join('').trim()

/** Digits in circles, by the character of their 1. */
const CIRCLED = ['①', '⑴', '⒈', '⓵', '❶', '➀', '➊'].map((one) => one.codePointAt(0)!)
const ZEROS = /[⓪⓿🄋🄌]/gu
const digitValues = new Map<string, string>()

/** The decimal digits of each script stand in a row of ten, and rows follow one another in whole. */
function digitOf(letter: string): string {
  const known = digitValues.get(letter)
  if (known !== undefined) return known
  const code = letter.codePointAt(0)!
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1
  const value = String(before % 10)
  digitValues.set(letter, value)
  return value
}

/** The same text with 0-9 for the digits of every script, in circles, raised, and on keycaps. */
export const plainDigits = (text: string): string =>
  text
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(/[⁰¹²³⁴-⁹₀-₉]/g, (digit) => digit.normalize('NFKC'))
    .replace(ZEROS, '0')
    .replace(/[①-⑨⑴-⑼⒈-⒐❶-❾➀-➈➊-➒⓵-⓽]/g, (digit) => {
      const code = digit.codePointAt(0)!
      return String(code - CIRCLED.findLast((one) => one <= code)! + 1)
    })
    .replace(/(\d)\uFE0F?\u20E3/g, '$1')

/** The commas of 85,000 and 1,25,000. Those of 12,5 and 85,00 stay, so that the field refuses them. */
const GROUPS = /^-?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/
/** A typed number without blanks, the commas between groups of digits and a rupee sign, in 0-9. */
export function plainFigures(text: string): string {
  const figures = plainDigits(singleLine(text)).replace(/[\s₹]/g, '')
  return GROUPS.test(figures) ? figures.replaceAll(',', '') : figures
}

const UNIT = /(?<=\d)\s*(?:k\.?gs?|kilos?|கிலோ(?: ?கிராம்)?|கி\.?கி|கேஜி|l|lit|ltrs?|litres?|லிட்டர்(?:கள்)?|லி|cms?|செ\.?மீ)\.?\s*$/iu
/** Reads a typed weight, amount of milk or length like `plainFigures`, without its unit. */
export const plainMeasure = (text: string): string => plainFigures(plainDigits(text).replace(UNIT, ''))

import { multiLine, plainDigits } from './plain-text.ts'
import { keyOf } from './sound-keys.ts'

/** A word or a number of a message, with its position. */
export interface Token {
  text: string
  /** Lower case, Tamil digits as 0-9. */
  plain: string
  /** The sound key in either script; '' for a number. */
  key: string
  /** The value of a number, including "1,32,000", "1.3" and "½". */
  value: number | null
  start: number
  end: number
  /** The text between the previous token and this one. */
  gap: string
}

/**
 * 85,000 and 85,000.50; with blanks, apostrophes or raised dots between the groups (85 000, 1'25'000); with dots (1.25.000); with a fraction (1½);
 * 85000, 85.5, .65 and 7:30.
 */
const NUMBER =
  /\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)(?:\.\d+)?|\d{1,3}(?:[ \u00A0\u2009\u202F'’·•]\d{2})?[ \u00A0\u2009\u202F'’·•]000(?!\d)|\d{1,2}\.\d{2}\.\d{3}(?!\d)|\d*[½¼¾]|(?<![\p{L}\p{M}\d.])\.\d{1,2}(?!\d|,\d)|\d+(?:[.:]\d+)?/u
const TOKEN = /* @__PURE__ */ new RegExp(String.raw`${NUMBER.source}|[\p{L}\p{M}]+`, 'gu')
const fractions: Record<string, number> = { '½': 0.5, '¼': 0.25, '¾': 0.75 }

/** Plain text with digits as 0-9 and without joiners. All token positions refer to this text. */
export const readable = (text: string): string => plainDigits(multiLine(text)).replace(/\p{Join_Control}/gu, '')

/** The words and numbers in order. "12லி" and "65k" are each a number and a word. */
export function tokensOf(text: string): Token[] {
  let last = 0
  return [...text.matchAll(TOKEN)].map(({ 0: found, index: start }) => {
    const end = start + found.length
    const gap = text.slice(last, start)
    last = end
    const plain = found.toLowerCase()
    const value = valueOf(plain)
    return { text: found, plain, key: value === null ? keyOf(plain) : '', value, start, end, gap }
  })
}

function valueOf(plain: string): number | null {
  if (!/^[\d½¼¾.]/u.test(plain)) return null
  const fraction = fractions[plain.at(-1)!]
  if (fraction !== undefined) return Number(plain.slice(0, -1)) + fraction
  const figures = plain.replace(/[^\d.:]/g, '').replace(':', '.')
  return Number(figures.split('.').length > 2 ? figures.replaceAll('.', '') : figures)
}

import { keyOf } from '#src/kit/text/sound-keys.ts'

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

const NUMBER = /\d{1,3}(?:,\d{2,3})+(?:\.\d+)?|\d+(?:[.:]\d+)?|[½¼¾]/u
const WORD = /[\p{L}\p{M}]+/u
const TOKEN = new RegExp(`${NUMBER.source}|${WORD.source}`, 'gu')
const halves: Record<string, number> = { '½': 0.5, '¼': 0.25, '¾': 0.75 }

/** NFC, Tamil digits as 0-9, without invisible characters. All token positions refer to this text. */
export const readable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[௦-௯]/g, (digit) => String(digit.charCodeAt(0) - 0x0be6))
    .replace(/[\u200B-\u200D\uFEFF\u2060]/g, '')
    .replace(/[\u{1D7CE}-\u{1D7FF}]/gu, (digit) => String((digit.codePointAt(0)! - 0x1d7ce) % 10))
    .replace(/\r\n?/g, '\n')

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
  if (halves[plain] !== undefined) return halves[plain]
  if (!/^\d/.test(plain)) return null
  // Some people write 65,000 as "65.000".
  if (/^\d{1,3}\.000$/.test(plain)) return Number(plain.replace('.', ''))
  return Number(plain.replaceAll(',', '').replace(':', '.'))
}

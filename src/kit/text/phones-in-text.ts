import { numberWord } from './number-words.ts'

/** A part of a text. */
interface Span {
  start: number
  end: number
}
/** Digits that stand together, or a word for one digit. */
interface Group extends Span {
  digits: string
  /** The text between the group before and this one; null where a phone number cannot go on. */
  gap: string | null
}

/** The prefix of an Indian mobile number, and the number. */
const MOBILE = /^(0091|091|91|0|)([6-9]\d{9})$/
const MOST_DIGITS = 14
const SEPARATORS = /^[^\S\n]*[-‐-―−./()_|*~:,'•·+]*[^\S\n]*\(?$/u
/** Groups that people write with different signs between them. */
const USUAL = new Set('10 5,5 3,3,4 4,3,3 3,4,3 4,6 6,4 5,2,3 5,3,2 2,4,4 4,4,2 2,3,5 2,2,2,2,2 3,7 7,3 2,8 8,2'.split(' '))
const PRICE = /^[1-9]\d*00$/
/** PIN codes of Tamil Nadu and Puducherry. */
const PINCODE = /^6[0-4]\d{4}$/
const TAG = /(?:tag|டேக்|காது|காதணி)[^\p{L}\d]{0,3}(?:no|number|எண்)?[^\p{L}\d]{0,3}$/iu

const digitWords: Record<string, string> = { zero: '0', oh: '0', பூஜ்யம்: '0', பூஜ்ஜியம்: '0', சைபர்: '0', சீரோ: '0', ஜீரோ: '0' }
const digitOf = (word: string): string | null => {
  const value = numberWord(word)
  return digitWords[word] ?? (value !== null && Number.isInteger(value) && value < 10 && word.length > 1 ? String(value) : null)
}

function groupsIn(text: string): Group[] {
  let last = 0
  let times = 1
  return [...text.matchAll(/\d+|[\p{L}\p{M}]+/gu)].flatMap(({ 0: found, index: start }) => {
    const word = found.toLowerCase()
    const between = text.slice(last, start)
    if (/^(double|டபுள்|triple)$/u.test(word)) {
      times = word === 'triple' ? 3 : 2
      return []
    }
    const digit = /^\d/.test(found) ? found : digitOf(word)
    const digits = digit?.length === 1 ? digit.repeat(times) : digit
    times = 1
    const gap = between.replace(/double|டபுள்|triple/iu, '')
    const end = start + found.length
    if (digits === null || digits === undefined) return []
    last = end
    return [{ start, end, digits, gap: SEPARATORS.test(gap) ? gap.trim() : null }]
  })
}

/** The sizes of the groups behind the prefix; null where the prefix ends within a group of another kind. */
function sizesOf(groups: Group[], prefix: number): string | null {
  const sizes: number[] = []
  let left = prefix
  let isAttached = false
  for (const { digits } of groups) {
    const size = Math.max(0, digits.length - left)
    isAttached ||= left > 0 && size > 0
    left = Math.max(0, left - digits.length)
    if (size > 0) sizes.push(size)
  }
  const text = sizes.join(',')
  return isAttached && text !== '10' && text !== '5,5' ? null : text
}

/** "65000-70000", "636001 9500": prices, and a price beside a PIN code. */
function arePrices(groups: Group[]): boolean {
  if (groups.length !== 2) return false
  const [first, second] = groups.map(({ digits }) => digits) as [string, string]
  if (PRICE.test(first) && PRICE.test(second)) return Math.max(+first, +second) <= 3 * Math.min(+first, +second)
  return (PRICE.test(first) && PINCODE.test(second)) || (PINCODE.test(first) && PRICE.test(second))
}

function isPhone(groups: Group[], before: string): boolean {
  const digits = groups.map((group) => group.digits).join('')
  const match = MOBILE.exec(digits)
  if (!match || arePrices(groups)) return false
  if (groups.length === 1 && digits.length === 12 && TAG.test(before)) return false
  const sizes = sizesOf(groups, match[1]!.length)
  if (sizes === null) return false
  const gaps = new Set(groups.slice(match[1] && groups[0]!.digits.length <= match[1].length ? 2 : 1).map(({ gap }) => gap))
  // "6, 7, 8, 9, 10, 11, 12" is a list.
  const isList = [...gaps].some((gap) => gap?.includes(',')) && !groups.every((group) => group.digits.length > 2)
  return !isList && (gaps.size <= 1 || USUAL.has(sizes))
}

/**
 * The phone numbers of people in a text, in the ways in which people write them, so that no price, weight, date or number of an animal is one.
 * Digits are 0-9 already (`plainDigits`).
 */
export function phonesIn(text: string): Span[] {
  const groups = groupsIn(text)
  const found: { from: number; to: number }[] = []
  for (const [from, { start }] of groups.entries()) {
    let count = 0
    for (let to = from; to < groups.length && count <= MOST_DIGITS; to += 1) {
      const group = groups[to]!
      if (to > from && group.gap === null) break
      count += group.digits.length
      if (count >= 10 && count <= MOST_DIGITS && isPhone(groups.slice(from, to + 1), text.slice(Math.max(0, start - 30), start)))
        found.push({ from, to })
    }
  }
  // "85000 98765 43210": the number does not begin with a price.
  const isDoubtful = ({ from, to }: { from: number; to: number }) => Number(to > from && PRICE.test(groups[from]!.digits))
  const chosen: { from: number; to: number }[] = []
  for (const each of found.toSorted((a, b) => isDoubtful(a) - isDoubtful(b) || a.from - b.from || b.to - a.to))
    if (!chosen.some(({ from, to }) => each.from <= to && each.to >= from)) chosen.push(each)
  return chosen
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to }) => {
      const { start } = groups[from]!
      const lead = /[(+\s]*\+[(\s]*$|\($/u.exec(text.slice(Math.max(0, start - 6), start))?.[0] ?? ''
      return { start: start - lead.trimStart().length, end: groups[to]!.end }
    })
}

/** The text with `instead` for each phone number. */
export function replacePhones(text: string, instead: string): string {
  let at = 0
  const parts = phonesIn(text).map(({ start, end }) => {
    const part = text.slice(at, start)
    at = end
    return part
  })
  return [...parts, text.slice(at)].join(instead)
}

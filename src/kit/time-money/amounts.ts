import { fieldRupees, MAX_AMOUNT_TEXT, parseRupees, TOTAL_DIGITS, type Money } from '#src/kit/time-money/money.ts'
import { bareUnit, heardAs, MONEY, joinedLakh, joinedThousand, numberWord, unitOf } from '#src/kit/text/number-words.ts'
import { singleLine } from '#src/kit/text/plain-text.ts'
import { readable, tokensOf, type Token } from '#src/kit/text/tokens.ts'

/** Amounts of rupees as people write them: one grammar for the forms, the price filter and the paste box (decision 0116). */

interface AmountSource {
  /** The token, unless another fact has it. */
  free: (at: number) => Token | undefined
  /** The number that begins at this token. */
  numberFrom: (at: number) => { value: number; to: number } | null
  /** Whether the letter "l" at `at` means lakh; `from` is the number before it. */
  isLakhLetter: (from: number, at: number) => boolean
}
export interface Amount {
  value: number
  /** The last token. */
  to: number
  /** A number and a word state its size: "2 thousand", "one lakh". */
  isUnit: boolean
}

/** Between the words of one number, "eighty-five", and between the parts of one amount, "1 lakh, 25 thousand". Any other sign begins another one. */
const BETWEEN_WORDS = /^[^\S\n]*[-‐]?[^\S\n]*$/u
const BETWEEN_PARTS = /^[^\S\n]*,?[^\S\n]*$/u

/** The number that begins at this token: "85", "இருபத்தி அஞ்சு" (twenty and five). */
export function numberAt(free: AmountSource['free'], at: number): { value: number; to: number } | null {
  const token = free(at)
  const value = token && (token.value ?? numberWord(token.plain))
  if (!token) return null
  const next = free(at + 1)
  const hasNext = next && BETWEEN_WORDS.test(next.gap)
  // ஒண்ணே முக்கால் in two words.
  const joined = token.value === null && hasNext ? numberWord(token.plain + next.plain) : null
  if (joined !== null && !Number.isInteger(joined)) return { value: joined, to: at + 1 }
  if (value === null || value === undefined) return null
  const isHalfMore = ['and', 'a', 'half'].every((word, n) => free(at + 1 + n)?.plain === word)
  if (isHalfMore && Number.isInteger(value)) return { value: value + 0.5, to: at + 3 }
  const isTens = token.value === null && value >= 20 && value <= 90
  const ones = isTens && hasNext ? numberWord(next.plain) : null
  return ones !== null && ones >= 1 && ones < 10 ? { value: value + ones, to: at + 1 } : { value, to: at }
}

/** Dots between groups of digits, as in 85.000 and 1.25.000. */
const DOTTED = /^[1-9]\d{0,2}(?:\.\d{2})?\.\d{3}$/
/** The figures of a number token as a decimal text. Exactly three digits behind one dot are a group: 85.000 is 85,000, and 85.50 is not. */
const decimalIn = (plain: string) => (DOTTED.test(plain) ? plain.replaceAll('.', '') : plain.replace(/[^\d.:]/g, ''))

interface Part {
  value: number
  factor: number
  to: number
  isBare?: boolean
}

/** A number with the word for its size: "1.3 lakh", "65k", "முப்பத்தி ஐந்தாயிரம்", "ஆயிரம்"; without a word its factor is 1. */
function partFrom(source: AmountSource, at: number): Part | null {
  const token = source.free(at)
  if (!token) return null
  const ten = token.value === null ? numberWord(token.plain) : null
  const small = joinedThousand(source.free(at + 1)?.plain ?? '')
  if (ten !== null && ten >= 20 && ten <= 90 && small !== null && small < 10_000)
    return { value: ten * 1000 + small, factor: 1000, to: at + 1 }
  const joined = joinedThousand(token.plain)
  if (joined !== null) return { value: joined, factor: 1000, to: at }
  const lakh = joinedLakh(token.plain)
  if (lakh !== null) return { value: lakh, factor: 100_000, to: at }
  const number = source.numberFrom(at)
  const bare = number === null && mayBeBare(source.free(at - 1)) ? bareUnit(token) : null
  if (bare !== null) return { value: bare, factor: bare, to: at, isBare: true }
  if (!number || isSplit(source, at)) return null
  const factor = source.isLakhLetter(at, number.to + 1) ? 100_000 : unitOf(source.free(number.to + 1))
  if (factor !== null) return { value: Math.round(number.value * factor * 10_000) / 10_000, factor, to: number.to + 1 }
  return { value: DOTTED.test(token.plain) ? Number(decimalIn(token.plain)) : number.value, factor: 1, to: number.to }
}

/**
 * A thousand or a lakh alone is an amount at the start and behind a word for money. Any other word before it may be a
 * number that we do not know.
 */
const mayBeBare = (before: Token | undefined) => before === undefined || announcesPrice(before)

/** "85,00" and "1,25 lakh": a comma where no group of three digits follows. Nobody can say which amount was meant. */
function isSplit(source: AmountSource, at: number): boolean {
  const [before, token, behind] = [source.free(at - 1), source.free(at), source.free(at + 1)]
  const isGroup = (each: Token | undefined) => /^\d{1,3}$/.test(each?.plain ?? '')
  if (!isGroup(token)) return false
  return (token?.gap === ',' && isGroup(before)) || (behind?.gap === ',' && isGroup(behind))
}

/** The amount that begins at this token, with its smaller parts: "1 லட்சத்து 30 ஆயிரம்", "two thousand five hundred". */
export function amountFrom(source: AmountSource, at: number): Amount | null {
  const first = partFrom(source, at)
  if (!first) return null
  let { value, factor, to } = first
  while (factor > 1) {
    const from = /^(and|மற்றும்)$/u.test(source.free(to + 1)?.plain ?? '') ? to + 2 : to + 1
    const next = source.free(from)
    const part = next && BETWEEN_PARTS.test(next.gap) ? partFrom(source, from) : null
    if (!part || part.value === 0 || part.value >= factor) break
    // "65 ஆயிரம் 2 பல்" states teeth.
    if (part.factor === 1 && part.value % 100 !== 0 && factor > 100) break
    value += part.value
    factor = part.factor
    to = part.to
  }
  return { value, to, isUnit: first.factor > 1 && !first.isBare }
}

const isMoneyWord = /* @__PURE__ */ heardAs(MONEY)
const BEFORE = /^(final|fixed|last|asking|offer|கடைசி|சொல்லும்)$/u
const BEHIND = /^(fixed|final|only|negotiable|மட்டும்|தான்|கேட்கிறோம்|சொல்கிறோம்)$/u

/** In a field for the price of one: "85000 each", "85000 per piece", "85000/piece". "2 piece" counts animals. */
const OF_ONE = /^(|each|neg|nego|last|approx|ஒன்றுக்கு|ஒன்னுக்கு|per (piece|pc|head|animal))$/u
const SLASHED = /\/\s*(?=(?:piece|pc|head|animal)\b)/giu

/** Words that mark the amount behind or before them as a price. */
export const announcesPrice = (token: Token | undefined) => isMoneyWord(token) || BEFORE.test(token?.plain ?? '')
export const endsPrice = (token: Token | undefined) => isMoneyWord(token) || BEHIND.test(token?.plain ?? '')

/** Signs and pictures around the figures. A minus directly before them is none. */
const SIGNS = /^[\s₹₨:.,=()/*_~–—→•!"“”\p{So}-]*$/u
const FIRST_SIGNS = /^(?:[\s:=(*_~→•"“”\p{So}]|[₹₨]\.?)*$/u

/** Behind the rupees, the paise of a bill: 65000-00. */
const NO_PAISE = /(?<=\d)[^\S\n]*[-–—/][^\S\n]*00(?=[^\S\n]*(?:\/[-=]?)?$)/u
const isAbout = (token: Token) => /^(about|around|approx|approximately|சுமார்|தோராயமாக)$/u.test(token.plain)

/** Groups of figures with blanks, commas, apostrophes or raised dots between them: 85 500, 1 25 500, 85, 000. In a field they are one number. */
const GROUPED = /(?<![\d.,])\d{1,3}(?:[\s,'’·•]{1,2}\d{2})*[\s,'’·•]{1,2}\d{3}(?!\d)/gu

/** An amount that fills a field: `85,000`, `Rs.85000/-`, `85k`, `1.2 lakh`, `85 ஆயிரம்`. Null for all other text and for a range. */
export function readRupees(typed: string): Money | null {
  if (typed.length > MAX_AMOUNT_TEXT) return null
  const text = readable(typed)
    .replaceAll('\uFE0F', '')
    .replace(SLASHED, ' per ')
    .replace(NO_PAISE, '')
    .replace(GROUPED, (figures) => figures.replace(/\D/g, ''))
  const tokens = tokensOf(text)
  const free = (at: number) => tokens[at]
  const from = tokens.findIndex((token) => !announcesPrice(token) && !isAbout(token))
  const amount =
    from < 0 ? null : amountFrom({ free, numberFrom: (at) => numberAt(free, at), isLakhLetter: (_, at) => tokens[at]?.plain === 'l' }, from)
  if (!amount) return null
  const behind = tokens.slice(amount.to + 1).filter((token) => !endsPrice(token))
  if (!OF_ONE.test(behind.map(({ plain }) => plain).join(' '))) return null
  const [first = '', ...gaps] = [...tokens.map(({ gap }) => gap), text.slice(tokens.at(-1)!.end)]
  if (!(from === 0 ? FIRST_SIGNS : SIGNS).test(first) || !gaps.every((gap) => SIGNS.test(gap))) return null
  const token = tokens[from]!
  if (token.value !== null && amount.to === from && !/[½¼¾]/u.test(token.plain)) return parseRupees(decimalIn(token.plain), TOTAL_DIGITS)
  // "a" and "two" alone are no prices.
  return amount.isUnit || token.value !== null || amount.value >= 100 ? parseRupees(String(amount.value), TOTAL_DIGITS) : null
}

/** The decimal text of a typed price, for the schemas that forms share with the API. They refuse "?", the answer to unreadable text. */
export function typedRupees(text: string): string {
  const money = readRupees(text)
  if (money !== null) return fieldRupees(money)
  return singleLine(text) === '' ? '' : '?'
}

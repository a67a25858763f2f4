import { numberAt } from '#src/kit/time-money/amounts.ts'
import { numberWord } from '#src/kit/text/number-words.ts'
import { tokensOf, type Token } from '#src/kit/text/tokens.ts'
import { FEMALE } from '#src/listings/fields/listing-questions.ts'
import { breedsCalled, sounds, spells, tradeIdsOf } from './lexicon.server.ts'

/** A fact that a message states, with the words that state it. */
export interface Understood<T> {
  value: T
  words: string
}

export type Kind = { at: number; category: number | null; sex: number | null; isYoung: boolean; isBuffalo: boolean; isAadu: boolean }
export type Young = { from: number; to: number; count: number; at: number; isCounted: boolean }
export type Breed = { id: number; categoryId: number; from: number; to: number }

export const categoryOf: Record<string, number> = {
  cattle: 1, cow: 1, pasu: 1, bull: 1, bullock: 1, calf: 1, heifer: 1, buffalo: 1,
  goat: 2, doe: 2, buck: 2,
  sheep: 3, ewe: 3, ram: 3,
  chicken: 4, hen: 4, rooster: 4, chick: 4,
  dog: 5, puppy: 5,
  horse: 6, mare: 6, stallion: 6, gelding: 6, foal: 6,
} // oxfmt-ignore
export const MALE = 1
export const CASTRATED = 2
export const BOTH = 3
const sexOf: Record<string, number> = {
  pasu: FEMALE, cow: FEMALE, heifer: FEMALE, doe: FEMALE, ewe: FEMALE, hen: FEMALE, mare: FEMALE, female: FEMALE,
  bull: MALE, buck: MALE, ram: MALE, rooster: MALE, stallion: MALE, kida: MALE, male: MALE,
  bullock: CASTRATED, gelding: CASTRATED,
} // oxfmt-ignore
export const youngIds = new Set(['calf', 'kid', 'lamb', 'kutti', 'chick', 'puppy', 'foal'])
const SEX_WORDS: [number, RegExp][] = [
  [FEMALE, /^(பொட்ட|பொட்டை|பொட்டு|பெட்டை|பெட்ட|pottai|potta|pettai|petta|petai|peta|female|பெண்|pen|penn|தாய்|thaai)$/u],
  [MALE, /^(ஆண்|aan|male|பொலி|poli)$/u],
  [CASTRATED, /^(காயடித்த|காயடிச்ச|kaayadicha|kaayaditha|castrated|castrate)$/u],
]
/** Words that mark a place, before or after its name. */
export const NEAR =
  /^(பக்கம்|பக்கத்தில்|அருகில்|அருகே|மாவட்டம்|மாவட்ட|வட்டம்|ஊர்|இடம்|தாலுகா|near|district|dist|dt|taluk|tk|place|location|loc|at|from|idam|oor|pakkam|maavattam|area|village)$/u
export const ORDINAL = /^(வது|ஆவது|ம்|ஆம்|ாவது|nd|st|rd|th|m|vathu|vadhu|vadu|avathu|aavathu|avadhu|aavadhu|am|aam)$/u
export const MOST_MONTHS = 25 * 12

/** The state of reading a message: its words and numbers, and which of them a fact has taken. */
export class Reading {
  readonly text: string
  readonly tokens: Token[]
  readonly isTaken: boolean[]
  /** Birds cost hundreds of rupees, other animals thousands. */
  readonly isOfBirds: boolean
  /** Computed once for each token: a walk back from every number would take quadratic time. */
  readonly #isNumber: boolean[]
  readonly #ownsNext: boolean[] = []

  constructor(text: string) {
    this.text = text
    this.tokens = tokensOf(text)
    this.isTaken = this.tokens.map(() => false)
    this.#isNumber = this.tokens.map(({ value, plain }) => value !== null || numberWord(plain) !== null)
    for (const at of this.tokens.keys()) this.#ownsNext.push(this.#findOwner(at))
    this.isOfBirds = this.tokens.some(
      (token, at) =>
        tradeIdsOf(token).some((id) => categoryOf[id] === 4) ||
        [1, 2].some((words) => breedsCalled(this.tokens.slice(at, at + words)).some(({ categoryId }) => categoryId === 4)),
    )
  }

  passOver(spans: { start: number; end: number }[]): void {
    for (const span of spans)
      for (const [at, { start, end }] of this.tokens.entries()) if (start < span.end && end > span.start) this.isTaken[at] = true
  }

  take<T>(from: number, to: number, value: T): Understood<T> {
    for (let at = from; at <= to; at += 1) this.isTaken[at] = true
    return { value, words: this.text.slice(this.tokens[from]!.start, this.tokens[to]!.end) }
  }

  free(at: number): Token | undefined {
    return this.isTaken[at] ? undefined : this.tokens[at]
  }

  /** Positions of free tokens that match, in order. */
  all(fits: (token: Token, at: number) => boolean): number[] {
    return this.tokens.flatMap((token, at) => (!this.isTaken[at] && fits(token, at) ? [at] : []))
  }

  /** The number that ends at this token: "12", "10-12" (the lower one), "ரெண்டு". */
  numberEndingAt(at: number): { value: number; from: number } | null {
    const token = this.free(at)
    if (!token) return null
    const value = token.value ?? numberWord(token.plain)
    if (value === null) return null
    const below = (at: number) => (token.value === null ? value : (this.free(at)?.value ?? value))
    if (below(at - 1) < value && /^\s*[-–—~/]\s*$/.test(token.gap)) return { value: below(at - 1), from: at - 1 }
    const isWordRange = below(at - 2) < value && this.isTo(at - 1)
    if (isWordRange) return { value: below(at - 2), from: at - 2 }
    return { value, from: at }
  }

  /** A word between the two ends of a range: "10 to 12". */
  isTo(at: number): boolean {
    return /^(to|முதல்|டு|or|அல்லது)$/u.test(this.free(at)?.plain ?? '')
  }

  /** The number that begins at this token: "12", "10-12" (the lower one), "இருபத்தி அஞ்சு". */
  numberFrom(at: number): { value: number; to: number } | null {
    const number = numberAt((at) => this.free(at), at)
    const next = this.free(at + 1)
    const isRange = this.free(at)?.value !== null && next?.value !== null && next !== undefined && /^\s*[-–—~/]\s*$/.test(next.gap)
    return number && isRange && next.value! > number.value ? { ...number, to: at + 1 } : number
  }

  /** "price 1.8L", "asking 1.8L"; a bull gives no milk. */
  isLakhLetter(from: number, at: number): boolean {
    // "rate 34/l" is the price of a litre.
    if (this.tokens[at]?.plain !== 'l' || this.tokens[at].gap.includes('/')) return false
    const [before, number] = [this.tokens[from - 1], this.tokens[from] ?? blank]
    const isPrice = sounds(before, 'price') || spells(before, 'asking') || number.gap.includes('₹')
    return isPrice || (this.#isOfMales() && (number.value ?? 0) < 10)
  }

  /** The message names male animals and no female one. */
  #isOfMales(): boolean {
    const sexes = new Set(this.tokens.map((token, at) => (this.isMorning(at) ? null : sexIn(token))))
    return (sexes.has(MALE) || sexes.has(CASTRATED)) && !sexes.has(FEMALE)
  }

  /** The words directly before and behind these tokens, in the same row. */
  beside(from: number, to: number): (Token | undefined)[] {
    const isOneRow = (at: number) => this.tokens[at] !== undefined && !SEPARATES.test(this.tokens[at].gap)
    return [isOneRow(from) ? this.tokens[from - 1] : undefined, isOneRow(to + 1) ? this.tokens[to + 1] : undefined]
  }

  /** The kind of animal that each trade word names. */
  kinds(): Kind[] {
    return this.tokens.flatMap((token, at) => {
      if (this.isTaken[at]) return []
      const ids = this.isMorning(at) ? [] : tradeIdsOf(token).filter((id) => id !== 'milk')
      const sex = sexWord(token)
      if (sex !== undefined) return [{ at, category: null, sex, isYoung: false, isBuffalo: false, isAadu: false }]
      if (ids.length === 0) return []
      const only = (table: Record<string, number>) => onlyOf(table, ids)
      const has = (...names: string[]) => names.some((name) => ids.includes(name))
      const kind = { at, category: only(categoryOf), sex: only(sexOf), isYoung: has(...youngIds) }
      return [{ ...kind, isBuffalo: has('buffalo'), isAadu: has('aadu', 'kida') }]
    })
  }

  /** "காலை" means morning. "kaalai" means morning only when an evening follows; otherwise it is a bull. */
  isMorning(at: number): boolean {
    if (spells(this.tokens[at], 'morning')) return true
    if (!spells(this.tokens[at], 'latinMorning') || this.tokens[at + 1] === undefined) return false
    return this.tokens.slice(at + 2, at + 5).some((token) => sounds(token, 'evening'))
  }

  /** Whether the number before this token counts something else. */
  isCounting(at: number): boolean {
    const token = this.tokens[at]
    return this.isUnit(token) || ORDINAL.test(token?.plain ?? '') || spells(token, 'no') || spells(token, 'length')
  }

  /** Whether this unit names the number behind it, as in "price 45000 age 3" and not in "3 வயது 2 பல்". */
  isLabel(at: number): boolean {
    const next = this.free(at + 1)
    const number = next && !SEPARATES.test(next.gap) ? this.numberFrom(at + 1) : null
    if (!number) return false
    const unit = this.tokens[number.to + 1]
    const hasOwnUnit = unit !== undefined && !SEPARATES.test(unit.gap) && this.isUnit(unit)
    if (hasOwnUnit && !sounds(this.tokens[at], 'year') && (this.tokens[number.to + 2]?.value ?? null) === null) return false
    return this.#ownsNext[at]!
  }

  /** Whether this word is the unit of the number before it: no fact has taken it, and it owns no number behind it. */
  isUnitAt(at: number): boolean {
    return this.isUnit(this.free(at)) && !this.isLabel(at)
  }

  isNumber(at: number): boolean {
    return this.#isNumber[at] ?? false
  }

  isLitre(token: Token | undefined): boolean {
    return sounds(token, 'litre') || ['l', 'லி', 'lt', 'lr'].includes(token?.plain ?? '')
  }

  /** Whether the token is a unit for the number before it. */
  isUnit(token: Token | undefined): boolean {
    return UNITS.some((name) => sounds(token, name)) || token?.plain === 'k' || spells(token, 'teeth') || this.isLitre(token)
  }

  /**
   * A word owns the number behind it, unless the number in front is its own: in "milk 10 age 3", 10 belongs to milk.
   * Only a price is as high as a thousand. A new line or a comma begins a new row.
   */
  #findOwner(at: number): boolean {
    const { plain, gap } = this.tokens[at]!
    if (this.isNumber(at) || ORDINAL.test(plain)) return false
    const last = ORDINAL.test(this.tokens[at - 1]?.plain ?? '') ? at - 2 : at - 1
    const isPrice = (this.tokens[last]?.value ?? 0) >= 1000
    if (SEPARATES.test(gap) || !this.isNumber(last) || (isPrice && !sounds(this.tokens[at], 'price'))) return true
    let from = last
    while (this.isNumber(from - 1) && /^\s*[-–—~/+]\s*$/.test(this.tokens[from]!.gap)) from -= 1
    return !SEPARATES.test(this.tokens[from]!.gap) && this.#isNamed(from - 1) && this.#ownsNext[from - 1]!
  }

  /** Whether the word at this place states what a number is. */
  #isNamed(at: number): boolean {
    const token = this.tokens[at]
    return this.isUnit(token) || sounds(token, 'price') || spells(token, 'milk') || spells(token, 'weight')
  }
}

const sexWord = ({ plain }: Token) => SEX_WORDS.find(([, words]) => words.test(plain))?.[0]

/** The one value that these trade words have in the table; null for none and for several. */
function onlyOf(table: Record<string, number>, ids: string[]): number | null {
  const found = [...new Set(ids.flatMap((id) => table[id] ?? []))]
  return found.length === 1 ? found[0]! : null
}

/** The sex that a word states: "female", "bull". */
const sexIn = (token: Token): number | null => sexWord(token) ?? onlyOf(sexOf, tradeIdsOf(token))

const UNITS = ['calving', 'year', 'month', 'day', 'thousand', 'lakh', 'kilo'] as const
export const SEPARATES = /[\n,;|]|\.\s/

export const blank: Token = { text: '', plain: '', key: '', value: null, start: 0, end: 0, gap: '' }
export const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most
export const isTeeth = (value: number) => [0, 2, 4, 6, 8].includes(value)

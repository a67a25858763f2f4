import { LRUCache } from 'lru-cache'
import { numberWord } from './number-words.ts'
import { plainDigits } from './plain-text.ts'
import { keyOf } from './sound-keys.ts'

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
const MOBILE = /^(0091|091|910|91|0|)([6-9]\d{9})$/
const FEWEST_DIGITS = 10
const MOST_DIGITS = 14
/** Signs between the groups of one number. A sign of money and any letter but an x end it. */
const SEPARATORS = /^(?:[^\p{L}\p{M}\p{N}\n₹$%]{0,12}|[^\S\n]{0,3}x[^\S\n]{0,3})$/iu
/** The end of a line, with signs around it. */
const BETWEEN_LINES = /^[^\p{L}\p{M}\p{N}₹$%\n]{0,6}\n{1,2}[^\p{L}\p{M}\p{N}₹$%\n]{0,6}$/u
const LINE_END = '\n'
/** These end a number, too, but not between two halves of five digits; a sign of money only without spaces. */
const BETWEEN_HALVES =
  /^(?:[^\S\n]*(?:and|n|aur|then|dot|dash|hyphen|space|மற்றும்|அப்புறம்|பிறகு|\([^()\d\n]{1,20}|[[(][^()[\]\d\n]{1,20}[\])])[^\S\n]*|[$₹%])$/iu
/** Groups that people write with different signs between them. */
const USUAL = new Set('10 5,5 3,3,4 4,3,3 3,4,3 4,6 6,4 5,2,3 5,3,2 2,4,4 4,4,2 2,3,5 2,2,2,2,2 3,7 7,3 2,8 8,2'.split(' '))
/** Groups that may stand on several lines. */
const ON_LINES = new Set('1,1,1,1,1,1,1,1,1,1 3,3,4 4,3,3 3,4,3 5,2,3 5,3,2 2,4,4 4,4,2 2,3,5'.split(' '))
/** 65000, 67250, 64990, 64999. */
const PRICE = /^[1-9]\d*(?:00|25|50|75|90|99)$/
/** PIN codes of Tamil Nadu and Puducherry. */
const PINCODE = /^6[0-4]\d{4}$/
const PIN_WORD = /(?<![\p{L}\p{M}])(?:pin ?code|pin|பின் ?கோடு|பின்)(?![\p{L}\p{M}])[^\n\p{L}\p{M}\d]{0,6}$/iu

/** Directly before two numbers that could be prices, these make them one phone number. */
const PHONE_WORD =
  /(?:(?<![\p{L}\p{M}])(?:call|ring|dial|phone|ph|tel|mobile|mob|cell|contact|whats ?app|g ?pay|போன்|ஃபோன்|செல்|மொபைல்|கைபேசி|அலைபேசி|தொலைபேசி|தொடர்பு|தொடர்புக்கு|அழைக்க|அழைக்கவும்|கூப்பிடவும்|தொடர்பு கொள்ள|cal|வாட்ஸ் ?அப்)(?: ?(?:no|number|எண்))?(?![\p{L}\p{M}])|[☎✆📞📱])[^\n\p{L}\p{M}\d]{0,6}$/iu

const STATE = String.raw`(?<![\p{L}\d])(?:TN|PY|KA|KL|AP|TS)`
const gap = String.raw`[^\p{L}\d+]{0,3}`
/** Numbers with another meaning: of an ear tag or a vehicle, and dates. */
const OTHERS = new RegExp(
  [
    String.raw`(?<![\p{L}\p{M}])(?:ear ?tag|tag|டேக்|காது|காதணி|கம்மல்|ear|aadhaar|ஆதார்|uid)${gap}(?:no|number|எண்)?${gap}(?:\d{12}|\d{4}[ -]\d{4}[ -]\d{4}|\d{6}[ -]\d{6}|91[ -]\d{5}[ -]\d{5})(?!\d)`,
    String.raw`${STATE}[ -]?\d{1,2}[ -]?[A-Z]{1,3}[ -]?\d{4}(?!\d)`,
    // Without letters, a further group of digits makes it a phone number, unless that group is a price.
    String.raw`${STATE}[ -]?\d{1,2}[ -]\d{4}(?!\d)(?![ .-]?(?!\d*00(?!\d))\d)`,
    String.raw`(?<![\d./-])(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:19|20)\d{2}(?!\d)`,
  ].join('|'),
  'giu',
)

const separator = String.raw`[ )./-]{0,3}`
/** A landline behind its area code: "220123", "22 33 44", "225 67 89". */
const subscriber = String.raw`\d{2,4}(?:[ -]?\d{2,4}){1,3}`
/** Directly before a landline without its area code. */
const LANDLINE_WORD = String.raw`(?<![\p{L}\p{M}])(?:call|ph|phone|tel|land ?line|போன்|ஃபோன்|தொலைபேசி)(?: ?(?:no|number|எண்))?`
const LOCAL = String.raw`(?:[2-5]\d{2,3}[ -]?\d{4}|[2-5]\d{2}[ -]\d{2}[ -]\d{2}|2\d{5}(?! ?\d{4}(?!\d)))`
/**
 * Landlines with their area code ("04257 220123", "+91 424 225 67 89"), or behind a word like "phone" without it, and
 * numbers of other countries ("+971 50 123 4567", "00971501234567").
 */
const FIXED_OR_FOREIGN = new RegExp(
  [
    String.raw`(?<![\d.,/-])\(?0[1-8](?=(?:${separator}\d){9}(?!\d))\d{1,3}${separator}${subscriber}`,
    String.raw`(?<!\d)(?:\+|00)91[ -]{0,3}\(?0?[1-5](?=(?:${separator}\d){9}(?!\d))\d{1,3}${separator}${subscriber}`,
    String.raw`(?<!\d)(?:\+|00)(?!91)[1-9](?:[ .()-]{0,3}\d){8,14}(?!\d)`,
    String.raw`(?<=${LANDLINE_WORD}[^\n\p{L}\p{M}\d]{0,4})(?!\d{2,4}00(?!\d))${LOCAL}(?!-?\d)`,
  ].join('|'),
  'giu',
)

/** The letter O and words for zero, by their sound. */
const zeros = /* @__PURE__ */ new Set(['o', 'zero', 'பூஜ்யம்', 'பூஜ்ஜியம்', 'சுழியம்', 'சுன்னம்', 'சைஃபர்', 'சைபர்', 'ஜீரோ'].map(keyOf))
/** English digits in Tamil letters, and those of Hindi, from zero to nine. */
const spoken = /* @__PURE__ */ new Map(
  [
    'शून्य,ज़ीरो,shunya,shoonya,sunya',
    'ஒன்,வன்,एक,ek',
    'டூ,டு,दो,do',
    'த்ரீ,திரீ,तीन,teen',
    'ஃபோர்,போர்,चार,char,chaar',
    'ஃபைவ்,பைவ்,पांच,पाँच,paanch,panch',
    'சிக்ஸ்,छह,छः,छे,chhe,chhah,chah',
    'செவன்,सात,saat',
    'எயிட்,எய்ட்,आठ,aath',
    'நைன்,नौ,nau',
  ].flatMap((words, digit) => words.split(',').map((word) => [word, digit] as const)),
)
/** The digits of words; '' for other words. People write the same words again and again, and their sound takes time. */
const digits = new LRUCache<string, string>({ maxSize: 200_000, sizeCalculation: (_, word) => word.length })
const digitOf = (word: string): string | null => {
  const known = digits.get(word)
  if (known !== undefined) return known || null
  const value = zeros.has(keyOf(word)) ? 0 : /^(?:an?|single)$/.test(word) ? null : (spoken.get(word) ?? numberWord(word))
  const digit = value !== null && Number.isInteger(value) && value < 100 ? String(value) : ''
  digits.set(word, digit)
  return digit || null
}

/** Letters in place of the digits that they resemble: "9876S43210". */
const ALIKE = new Map(Object.entries({ o: '0', i: '1', l: '1', z: '2', s: '5', b: '8' }))
/** The digits that these letters stand for between two digits; null for others. */
function alike(text: string, { 0: letters, index }: RegExpExecArray): string | null {
  if (letters.length > 4 || !/\d/.test(text[index - 1] ?? '') || !/\d/.test(text[index + letters.length] ?? '')) return null
  const digits = [...letters.toLowerCase()].map((letter) => ALIKE.get(letter))
  return digits.includes(undefined) ? null : digits.join('')
}

function groupsIn(text: string): Group[] {
  let last = 0
  let times = 1
  let first: number | null = null
  let size = 0
  let tens: Group | null = null
  return [...text.matchAll(/\d+|[\p{L}\p{M}]+/gu)].flatMap((match) => {
    const { 0: found, index } = match
    const word = found.toLowerCase()
    if (/^(double|டபுள்|triple)$/u.test(word)) {
      times = word === 'triple' ? 3 : 2
      first = index
      return []
    }
    const start = first ?? index
    const isFigure = /^\d/.test(found)
    const digit = isFigure ? found : (alike(text, match) ?? digitOf(word))
    const digits = digit?.length === 1 ? digit.repeat(times) : digit
    times = 1
    first = null
    if (digits === null || digits === undefined) return []
    const between = text.slice(last, start)
    last = index + found.length
    if (tens && !isFigure && /^[1-9]$/.test(digits) && /^[\s-]*$/.test(between)) {
      // "ninety eight".
      tens.digits = tens.digits.slice(0, 1) + digits
      tens.end = last
      tens = null
      return []
    }
    const areHalves = size === 5 && digits.length === 5 && (BETWEEN_HALVES.test(between) || BETWEEN_LINES.test(between))
    size = digits.length
    const isNext = areHalves || SEPARATORS.test(between)
    const gap = isNext ? between.trim() : BETWEEN_LINES.test(between) ? LINE_END : null
    const group = { start, end: last, digits, gap }
    tens = !isFigure && /^[2-9]0$/.test(digits) ? group : null
    return [group]
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

/** "65000-67250", "650 700 750 8", "65 000 67 250", "636001 9500": prices, also beside a PIN code. */
function arePrices(groups: string[], before: string): boolean {
  const [a, b, c, d] = groups
  if (groups.map((group) => group.length).join() === '2,3,2,3') return arePrices([a! + b!, c! + d!], before)
  const prices = groups.filter((group) => group.length > 2)
  if (prices.length > 1 && prices.every((price) => PRICE.test(price))) {
    const amounts = prices.map(Number)
    const isUsual = USUAL.has(groups.map((group) => group.length).join())
    if (prices.length > 2 || !isUsual || Math.max(...amounts) <= 2 * Math.min(...amounts)) return true
  }
  const [six, four] = a!.length === 4 ? [groups.slice(1).join(''), a!] : [groups.slice(0, -1).join(''), groups.at(-1)!]
  const areSixAndFour = six.length === 6 && four.length === 4
  return areSixAndFour && ((PINCODE.test(six) && PRICE.test(four)) || (/^[1-8]\d{5}$/.test(a!) && PIN_WORD.test(before)))
}

/** "6 7 8 9 10 11 12", "65 70 75 80 85", "90 95 100 105": ages or weights in order. */
function areInOrder(groups: string[]): boolean {
  const values = groups.map(Number)
  if (groups.length < 4 || !values.every((value, n) => n === 0 || value > values[n - 1]!)) return false
  const areAges = groups.every((group) => group.length < 3) && groups[0]!.length < groups.at(-1)!.length
  return areAges || values.every((value) => value % 5 === 0)
}

/** "+91 98750 95000", "91 98750 95000"; a comma separates another figure: "weight 91, 65000-67250". */
const hasCode = ([first, second]: Group[], code: string, before: string): boolean =>
  code !== '' && (first!.digits.length > code.length || /\+[(\s]*$/.test(before) || /^\s*$/.test(second?.gap ?? ''))

function isPhone(groups: Group[], before: string): boolean {
  const all = groups.map((group) => group.digits)
  const match = MOBILE.exec(all.join(''))
  if (!match || areInOrder(all)) return false
  // A country code or a word like "call" makes it a phone number, whatever its halves look like.
  if (!hasCode(groups, match[1]!, before) && !PHONE_WORD.test(before) && arePrices(all, before)) return false
  const sizes = sizesOf(groups, match[1]!.length)
  if (sizes === null) return false
  // On several lines, prices and weights stand, too.
  const areOnLines = groups.slice(1).some(({ gap }) => gap === LINE_END)
  if (areOnLines && (!ON_LINES.has(sizes) || all.some((each) => each.length > 2 && PRICE.test(each)))) return false
  const gaps = new Set(groups.slice(match[1] && all[0]!.length <= match[1].length ? 2 : 1).map(({ gap }) => gap))
  // "65, 72, 80, 91, 84" is a list; "98,43,21,05,67" and "9,876,543,210" are none.
  // "9, 8, 7, 6, 5, 4, 3, 2, 1, 0" is dictated.
  const areWhole = sizes === '1,3,3,3' || all.every((each) => each.length > 2) || all.every((each) => each.length < 2)
  const isList = [...gaps].some((gap) => gap?.includes(',')) && !areWhole && !all.some((each) => /^0\d/.test(each))
  // "80x60x40x30x20" are measures.
  if ([...gaps].some((gap) => gap?.toLowerCase() === 'x') && sizes !== '5,5') return false
  // Single digits are dictated, whatever stands between them.
  return !isList && (gaps.size <= 1 || USUAL.has(sizes) || all.every((each) => each.length === 1))
}

/**
 * The phone numbers of people in a text, in the ways in which people write them, so that no price, weight, date or number of an animal is one.
 * Digits are 0-9 already (`plainDigits`).
 */
export function phonesIn(text: string): Span[] {
  const blanked = text.replace(OTHERS, (number) => '$'.repeat(number.length))
  const others = [...blanked.matchAll(FIXED_OR_FOREIGN)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }))
  const groups = groupsIn(blanked.replace(FIXED_OR_FOREIGN, (number) => '$'.repeat(number.length)))
  if (groups.reduce((sum, { digits }) => sum + digits.length, 0) < FEWEST_DIGITS) return others
  const found: { from: number; to: number }[] = []
  for (const [from, { start }] of groups.entries()) {
    let count = 0
    for (let to = from; to < groups.length && count <= MOST_DIGITS; to += 1) {
      const group = groups[to]!
      if (to > from && group.gap === null) break
      count += group.digits.length
      if (count >= FEWEST_DIGITS && count <= MOST_DIGITS && isPhone(groups.slice(from, to + 1), text.slice(Math.max(0, start - 30), start)))
        found.push({ from, to })
    }
  }
  // "85000 98765 43210": the number does not begin with a price.
  const isDoubtful = ({ from, to }: { from: number; to: number }) => Number(to > from && PRICE.test(groups[from]!.digits))
  const isTaken = groups.map(() => false)
  const chosen: { from: number; to: number }[] = []
  for (const each of found.toSorted((a, b) => isDoubtful(a) - isDoubtful(b) || a.from - b.from || b.to - a.to)) {
    if (isTaken.slice(each.from, each.to + 1).includes(true)) continue
    isTaken.fill(true, each.from, each.to + 1)
    chosen.push(each)
  }
  const mobiles = chosen.map(({ from, to }) => {
    const { start } = groups[from]!
    const lead = /[(+\s]*\+[(\s]*$|\($/u.exec(text.slice(Math.max(0, start - 6), start))?.[0] ?? ''
    return { start: start - lead.trimStart().length, end: groups[to]!.end }
  })
  return [...mobiles, ...others].toSorted((a, b) => a.start - b.start)
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

/** Shown in place of a phone number. */
const HIDDEN = 'xxxxx'
/** The texts that were read last, with their numbers hidden: the same animals are in list after list. */
const read = new LRUCache<string, string>({ maxSize: 2_000_000, sizeCalculation: (hidden, text) => hidden.length + text.length })

/** A text for readers who may not see the phone numbers of people in it. A text without any stays as it is written. */
export function hidePhones(text: string): string {
  if (text === '') return text
  const known = read.get(text)
  if (known !== undefined) return known
  const phones = phonesIn(withoutStrokes(text))
  const hidden = phones.length === 0 ? text : cut(text, phones)
  read.set(text, hidden)
  return hidden
}

/** A struck number can be called, so it is looked for without its strokes. */
const withoutStrokes = (text: string) => plainDigits(text).replace(/(?<=\d)\p{M}+/gu, '')

/** Cuts the numbers that stand at these places without strokes. A struck price keeps its strokes: it is an old one. */
function cut(text: string, phones: Span[]): string {
  let at = 0
  const shown = (text.match(/.\p{M}*/gsu) ?? []).map((sign) => {
    const phone = phones.find(({ start, end }) => start <= at && at < end)
    const isFirst = phone?.start === at
    at += withoutStrokes(sign).length
    if (!phone) return sign
    return isFirst ? HIDDEN : ''
  })
  return shown.join('')
}

import { findPincode } from '#src/addresses/places.server.ts'
import { amountFrom, announcesPrice, endsPrice } from '#src/kit/time-money/amounts.ts'
import type { Token } from '#src/kit/text/tokens.ts'
import { sounds, spells, tradeIdsOf, type Spelt } from './lexicon.server.ts'
import { SEPARATES, type Reading, type Understood } from './reading.server.ts'

// Reads prices and weights from a message.

export function pincode(reading: Reading): Understood<string> | null {
  for (const at of reading.all(({ value, plain }) => value !== null && /^[1-8]\d{5}$/.test(plain))) {
    const isAfterPinWord = sounds(reading.tokens[at - 1], 'pin')
    const isPrice =
      sounds(reading.tokens[at - 1], 'price') || /[₹]/.test(reading.tokens[at]!.gap) || reading.tokens[at]!.plain.endsWith('000')
    if (isPrice && !isAfterPinWord) continue
    const place = findPincode(reading.tokens[at]!.plain)
    if (place || isAfterPinWord) {
      const found = reading.take(at, at, place?.district ?? '')
      return place?.state === 'Tamil Nadu' ? found : null
    }
  }
  return null
}

/** The price of one animal. `isOfLot`: the message states the price of several together. */
export function price(reading: Reading): { price: Understood<number> | null; isOfLot: boolean } {
  const best = bestPrice(reading)
  const price = best ? reading.take(best.from, best.to, best.value) : null
  return best?.isOfLot ? { price: null, isOfLot: true } : { price, isOfLot: false }
}

/** The likeliest price. `isMarked`: beside a sign of money. `isLast`: replaces another. `isOfLot`: of several animals. */
export const bestPrice = (reading: Reading) =>
  reading.tokens.flatMap((_, at) => priceFrom(reading, at) ?? []).toSorted((a, b) => b.weight - a.weight || a.from - b.from)[0]

function priceFrom(reading: Reading, at: number) {
  const token = reading.free(at)
  if (!token) return null
  const isRangeEnd = token.value !== null && reading.free(at - 1)?.value != null && /^\s*[-–—~]\s*$/.test(token.gap)
  if (isRangeEnd) return null
  const amount = amountFrom(reading, at)
  if (!amount) return null
  const { value, to, isUnit } = amount
  const isMarked = isPriced(reading, at, to)
  const isBehindKilo = sounds(reading.tokens[at - 1], 'kilo') && reading.tokens[at - 2]?.value == null
  const [before, behind] = wordsAround(reading, at, to)
  const isOfEgg = value < 100 && /^(eggs?|முட்டை|muttai)$/u.test(reading.tokens[before]?.plain ?? '')
  const other = isOfEgg ? 'unread' : otherMoney(reading, { at, to, before, behind })
  if (isBehindKilo || (isMarked && value < 2000 && isPerKilo(reading, at, to)) || other === 'unread') {
    reading.take(at, to, null)
    return null
  }
  if (!isUnit && reading.isUnitAt(to + 1)) return null
  if (!isMarked && !isUnit && (value < (reading.isOfBirds ? 100 : 1000) || (value >= 1990 && value <= 2030))) return null
  // "500 birds".
  const [, next] = reading.beside(at, to)
  if (!isMarked && reading.isOfBirds && value < 1000 && next && tradeIdsOf(next).length > 0) return null
  // Without a sign of money, 25.500 is a weight.
  if (!isMarked && /\.\d{3}$/.test(token.plain) && !token.plain.endsWith('.000')) return null
  if (value > MOST_RUPEES || value < (reading.isOfBirds ? 20 : 100) || (token.value === null && !isUnit && !isMarked)) return null
  const isLast = spells(reading.tokens[before], 'last')
  const weight = (isMarked ? 2 : 0) + (isUnit ? 1 : 0) + (isLast ? 3 : 0) - (other ? 10 : 0)
  const isTotal = (at: number): boolean => {
    const word = reading.tokens[at]
    if (sounds(word, 'along')) return isTotal(at - 1)
    if (COUNTED.test(word?.plain ?? '') && reading.isNumber(at - 1)) return false
    return sounds(word, 'total') || spells(word, 'pair') || spells(word, 'lot')
  }
  const isBehind = isTotal(behind) && !reading.isNumber(behind + 1)
  const isOfLot = !spells(reading.tokens[at - 1], 'each') && (isTotal(before) || isBehind)
  return { from: at, to, value, weight, isMarked, isLast, isOfLot }
}

/** "200 nos" counts, and says nothing about the price behind it. */
const COUNTED = /^(nos|count|pieces|pcs|urupadi|உருப்படி|எண்ணம்)$/u
/** Figures above a crore are tags or accounts. */
const MOST_RUPEES = 10_000_000
const DATIVE = /^(க்கு|ku|ukku)$/u
const IN_BETWEEN = /^(for|at|of|க்கு|ku|ukku|எடுத்தா|எடுத்தால்|edutha|eduthal)$/u

/** The places of the words before and behind an amount in its row, past words for money; -1 for none. */
function wordsAround({ tokens }: Reading, from: number, to: number): [number, number] {
  const isBetween = (at: number) => sounds(tokens[at], 'price') || IN_BETWEEN.test(tokens[at]?.plain ?? '')
  const isOneRow = (at: number) => tokens[at] !== undefined && !SEPARATES.test(tokens[at].gap)
  let [before, behind] = [from - 1, to + 1]
  while (isBetween(before) && isOneRow(before)) before -= 1
  while (isBetween(behind) && isOneRow(behind)) behind += 1
  return [isOneRow(before + 1) ? before : -1, isOneRow(behind) ? behind : -1]
}

/**
 * "advance 5000", "bought for 40000", "42000க்கு கேட்டாங்க": money beside the price is left unread. Such an
 * amount is the last choice when a price word stands before it, when the price may include it, and in "was 50000"
 * and "5000 advance".
 */
function otherMoney(reading: Reading, { at, to, before, behind }: Record<'at' | 'to' | 'before' | 'behind', number>) {
  const { tokens } = reading
  const first = tokens[before - 1]
  const isDative = (token: Token | undefined) => DATIVE.test(token?.plain ?? '')
  // In "price 45000 advance 5000", the word belongs to the next number.
  const isBehind = (name: Spelt) => spells(tokens[behind], name) && (!reading.isNumber(behind + 1) || isDative(tokens[to + 1]))
  // "33k no.": refused, as "65000 no exchange" is not.
  const isRefused = spells(tokens[to + 1], 'no') && (tokens[to + 2] === undefined || SEPARATES.test(tokens[to + 2]?.gap ?? ''))
  if (isRefused || isPerTime(reading, to + 1) || isOfSold(reading, at)) return 'unread'
  const isPaid = isBehind('paid') || spells(tokens[behind], 'asked') || spells(tokens[behind], 'notMoney')
  const isNamed = (['otherMoney', 'notMoney', 'paid'] as const).some((name) => spells(tokens[before], name)) && !isDative(first)
  const hasPriceWord = spells(first, 'price') || spells(tokens[at - 1], 'price')
  if ((isPaid || (isNamed && !spells(first, 'included'))) && !hasPriceWord) return 'unread'
  // "2 மாதம் முன்பு" states a time.
  const isEarlier = isBehind('earlier') || (spells(tokens[before], 'earlier') && !reading.isUnit(first))
  return isPaid || isNamed || isEarlier || isBehind('otherMoney') ? 'last' : null
}

/** "150 per day", "4000 monthly". */
function isPerTime({ tokens }: Reading, at: number): boolean {
  if (spells(tokens[at], 'perTime')) return true
  return /^(per|a|every)$/.test(tokens[at]?.plain ?? '') && (['day', 'month', 'year'] as const).some((name) => sounds(tokens[at + 1], name))
}

/** "Sold my other cow for 70000", in the same row. */
function isOfSold({ tokens }: Reading, at: number): boolean {
  for (let before = at; before > 0 && at - before < 6 && !SEPARATES.test(tokens[before]?.gap ?? ''); before -= 1)
    if (tokens[before - 1]?.plain === 'sold') return tokens[before - 2]?.plain !== 'be' && spells(tokens[before], 'otherAnimal')
  return false
}

/** A sign or word for money stands before or after it. */
function isPriced(reading: Reading, from: number, to: number): boolean {
  // "900 price" has the price in front of its word, and "puppy 1 price 900" behind it.
  const isPrice = (at: number) => reading.isNumber(at) && (reading.tokens[at]?.value ?? 100) >= 100 && !reading.isTaken[at]
  const isNewRow = (at: number) => SEPARATES.test(reading.tokens[at]?.gap ?? '')
  const isAhead = (at: number) => !isPrice(at - 1) || isNewRow(at) || reading.isLabel(at)
  const announces = (at: number) => announcesPrice(reading.tokens[at]) && isAhead(at)
  const after = reading.tokens[to + 1]
  // "won in 2024, rate 75000".
  const isPricedBehind = endsPrice(after) && !reading.isLabel(to + 1) && !(isNewRow(to + 1) && reading.isNumber(to + 2))
  const behind = reading.text.slice(reading.tokens[to]!.end, reading.tokens[to]!.end + 3)
  return (
    /[₹💰💵]/u.test(reading.tokens[from]!.gap) ||
    announces(from - 1) ||
    announces(from - 2) ||
    isPricedBehind ||
    spells(after, 'each') ||
    spells(reading.tokens[from - 1], 'each') ||
    /^\s?\/[-=]/.test(behind)
  )
}

function isPerKilo(reading: Reading, from: number, to: number): boolean {
  const { tokens } = reading
  if ([to + 1, to + 2].some((at) => spells(tokens[at], 'each') && sounds(tokens[at + 1], 'kilo'))) return true
  return (
    [tokens[from - 1], tokens[from - 2], tokens[to + 1], tokens[to + 2]].some((token) => sounds(token, 'kilo')) &&
    !isWeightBeside(reading, from, to)
  )
}

/** "30 கிலோ விலை 12000": the kilo has its own number. */
function isWeightBeside(reading: Reading, from: number, to: number): boolean {
  const kilo = [from - 1, from - 2].find((at) => sounds(reading.tokens[at], 'kilo'))
  if (kilo !== undefined) {
    const value = reading.numberEndingAt(kilo - 1)?.value
    return value !== undefined && value > 1
  }
  return reading.tokens[to + 1]?.value !== null && reading.tokens[to + 1] !== undefined
}

export function weight(reading: Reading): Understood<number> | null {
  const isOtherUnit = (at: number) => reading.isUnitAt(at) && !sounds(reading.tokens[at], 'kilo')
  for (const at of reading.all((token) => spells(token, 'weight'))) {
    const number = reading.numberFrom(at + 1)
    // "35 kg live weight 450": the kilo has its own number.
    const isWeighed = [at - 1, at - 2].some((kilo) => sounds(reading.tokens[kilo], 'kilo') && reading.numberEndingAt(kilo - 1))
    if (number && [at - 1, at - 2].some((of) => spells(reading.tokens[of], 'parent'))) {
      reading.take(at, number.to, null)
      continue
    }
    if (isWeighed || !number || number.value <= 0 || number.value > 1500 || isOtherUnit(number.to + 1)) continue
    return reading.take(at, sounds(reading.free(number.to + 1), 'kilo') ? number.to + 1 : number.to, number.value)
  }
  for (const at of reading.all((token) => sounds(token, 'kilo'))) {
    // "price 13500 kg 30".
    const behind = (reading.tokens[at - 1]?.value ?? 0) >= 2000 ? reading.numberFrom(at + 1) : null
    if (behind && behind.value <= 200) return reading.take(at, behind.to, behind.value)
    const number = reading.numberEndingAt(at - 1)
    if (
      number &&
      reading.tokens[at - 1]!.value !== null &&
      number.value > 0 &&
      number.value <= 1500 &&
      !reading.beside(number.from, at).some((token) => spells(token, 'notOfAnimal') || spells(token, 'parent')) &&
      !(number.value === 1 && reading.tokens[at + 1]?.value)
    )
      return reading.take(number.from, at, number.value)
  }
  return null
}

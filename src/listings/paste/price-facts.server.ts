import { findPincode } from '#src/addresses/places.server.ts'
import { amountFrom, announcesPrice, endsPrice } from '#src/kit/time-money/amounts.ts'
import { sounds, spells } from './lexicon.server.ts'
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

export function price(reading: Reading): Understood<number> | null {
  const candidates = reading.tokens.flatMap((_, at) => priceFrom(reading, at) ?? [])
  const best = candidates.toSorted((a, b) => b.weight - a.weight || a.from - b.from)[0]
  return best ? reading.take(best.from, best.to, best.value) : null
}

function priceFrom(reading: Reading, at: number): { from: number; to: number; value: number; weight: number } | null {
  const token = reading.free(at)
  if (!token) return null
  const isRangeEnd =
    token.value !== null && reading.free(at - 1)?.value !== null && reading.free(at - 1) !== undefined && /^\s*[-–—~]\s*$/.test(token.gap)
  if (isRangeEnd) return null
  const amount = amountFrom(reading, at)
  if (!amount) return null
  const isMarked = isPriced(reading, at, amount.to)
  const isBehindKilo = sounds(reading.tokens[at - 1], 'kilo') && reading.tokens[at - 2]?.value == null
  if (isBehindKilo || (isMarked && isPerKilo(reading, at, amount.to)) || isOtherMoney(reading, at, amount.to)) {
    reading.take(at, amount.to, null)
    return null
  }
  if (!amount.isUnit && reading.isUnitAt(amount.to + 1)) return null
  if (!isMarked && !amount.isUnit && (amount.value < (reading.isOfBirds ? 100 : 1000) || (amount.value >= 1990 && amount.value <= 2030)))
    return null
  // Without a sign of money, 25.500 is a weight.
  if (!isMarked && /\.\d{3}$/.test(token.plain) && !token.plain.endsWith('.000')) return null
  if (amount.value > MOST_RUPEES) return null
  if (amount.value < 20 || (token.value === null && !amount.isUnit && !(isMarked && amount.value >= 100))) return null
  const isLast = spells(reading.tokens[at - 1], 'last')
  return { from: at, to: amount.to, value: amount.value, weight: (isMarked ? 2 : 0) + (amount.isUnit ? 1 : 0) + (isLast ? 3 : 0) }
}

/** No animal costs a crore. Longer figures are numbers of tags and accounts. */
const MOST_RUPEES = 10_000_000
const IN_BETWEEN = /^(for|at|of|க்கு|ku|ukku)$/u

/** "advance 5000", "bought for 40000", "வாங்கின விலை 40000", "42000க்கு கேட்டாங்க": an amount, but not what the animal costs. */
function isOtherMoney(reading: Reading, from: number, to: number): boolean {
  const { tokens } = reading
  const isBetween = (at: number) => sounds(tokens[at], 'price') || IN_BETWEEN.test(tokens[at]?.plain ?? '')
  const isOneRow = (at: number) => tokens[at] !== undefined && !SEPARATES.test(tokens[at].gap)
  let [before, behind] = [from - 1, to + 1]
  while (isBetween(before) && isOneRow(before)) before -= 1
  while (isBetween(behind) && isOneRow(behind)) behind += 1
  if (isOneRow(before + 1) && spells(tokens[before], 'otherMoney')) return true
  return isOneRow(behind) && spells(tokens[behind], 'otherMoneyBehind') && !reading.isNumber(behind + 1)
}

/** A sign or word for money stands before or after it. */
function isPriced(reading: Reading, from: number, to: number): boolean {
  const announces = (at: number) =>
    announcesPrice(reading.tokens[at]) && (!reading.isNumber(at - 1) || reading.isLabel(at) || reading.isTaken[at - 1])
  const after = reading.tokens[to + 1]
  const behind = reading.text.slice(reading.tokens[to]!.end, reading.tokens[to]!.end + 3)
  return (
    /[₹💰💵]/u.test(reading.tokens[from]!.gap) ||
    announces(from - 1) ||
    announces(from - 2) ||
    (endsPrice(after) && !reading.isLabel(to + 1)) ||
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
    if (!number || number.value <= 0 || number.value > 1500 || isOtherUnit(number.to + 1)) continue
    return reading.take(at, sounds(reading.free(number.to + 1), 'kilo') ? number.to + 1 : number.to, number.value)
  }
  for (const at of reading.all((token) => sounds(token, 'kilo'))) {
    const number = reading.numberEndingAt(at - 1)
    if (
      number &&
      reading.tokens[at - 1]!.value !== null &&
      number.value > 0 &&
      number.value <= 1500 &&
      !(number.value === 1 && reading.tokens[at + 1]?.value)
    )
      return reading.take(number.from, at, number.value)
  }
  return null
}

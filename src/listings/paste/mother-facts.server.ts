import { FEMALE } from '#src/listings/fields/listing-questions.ts'
import { numberWord, ordinalWord } from '#src/kit/text/number-words.ts'
import type { Token } from '#src/kit/text/tokens.ts'
import { isAlong, isTerm, sounds, spells, tradeIdsOf } from './lexicon.server.ts'
import {
  blank,
  categoryOf,
  isCount,
  isTeeth,
  type Kind,
  MOST_MONTHS,
  ORDINAL,
  Reading,
  type Understood,
  type Young,
  youngIds,
} from './reading.server.ts'

// Reads milk, calving, young animals, teeth and age from a message.

/** "மாட்டின் கன்று, 15 லிட்டர்", "heifer of a 15 litre mother": the milk of a mother who is not for sale. */
export function passOverDam(reading: Reading, kinds: Kind[]): void {
  const isYoung = kinds.some(({ at, isYoung }) => isYoung || tradeIdsOf(reading.tokens[at] ?? blank).includes('heifer'))
  for (const at of isYoung ? reading.all((token) => reading.isLitre(token)) : []) {
    const number = reading.numberEndingAt(at - 1)
    const dam = reading.all((token, beside) => Math.abs(beside - at) <= 4 && spells(token, 'dam'))[0]
    // "mother cow 10 litre" is for sale.
    if (number && dam !== undefined && !kinds.some((kind) => kind.at === dam + 1 && kind.sex === FEMALE))
      reading.take(number.from, at, null)
  }
}

/** Young animals sold along: "கன்றுடன்", "with calf", "2 குட்டியோட", "குட்டி 1" of a mother. Also takes the words about the young animals only. */
export function offspring(reading: Reading, kinds: Kind[]): Understood<number> | null {
  const found: Understood<number>[] = []
  let born = 0
  let isWithout = false
  for (const { at, isYoung } of kinds) {
    if (!isYoung || reading.isTaken[at] || isInCalf(reading, at)) continue
    const young = youngAt(reading, kinds, at)
    if (isGone(reading, young.from, young.to)) {
      isWithout = true
      takeYoung(reading, young)
    } else if (young.isCounted && isBirth(reading, young.to + 1) && !tradeIdsOf(reading.tokens[at]!).includes('calf'))
      born = takeYoung(reading, young).value
    else if (isAlongside(reading, kinds, young)) found.push(takeYoung(reading, young, born))
  }
  return isWithout ? null : (found.toSorted((a, b) => b.value - a.value)[0] ?? null)
}

/** Takes the young animals with their age and the word for "with". */
function takeYoung(reading: Reading, { from, to, count, isCounted }: Young, born = 0): Understood<number> {
  const start = ageBefore(reading, from) ?? from
  const isWith = spells(reading.tokens[start - 1], 'with')
  const unit = reading.free(to + 2)
  const end = reading.numberFrom(to + 1) && (sounds(unit, 'month') || sounds(unit, 'day')) ? to + 2 : to
  return reading.take(isWith ? start - 1 : start, end, isCounted || born === 0 ? count : born)
}

/** "கன்று இல்லை", "no calf", "கன்று இறந்து விட்டது", "10 நாளில் கன்று போடும்", "கன்று தர மாட்டோம்". */
function isGone(reading: Reading, from: number, to: number): boolean {
  if (spells(reading.tokens[from - 1], 'no') || [from - 1, from - 2].some((at) => spells(reading.tokens[at], 'usually'))) return true
  const behind = reading.tokens.slice(to + 1, to + 5)
  return behind.slice(0, 2).some((token) => spells(token, 'no')) || behind.some((token) => spells(token, 'gone'))
}

function isBirth(reading: Reading, at: number): boolean {
  return sounds(reading.tokens[at], 'gave') || /^(போட்டி|ஈன்றி|potir|pottir)/u.test(reading.tokens[at]?.plain ?? '')
}

/** "பெண் கன்று", "கன்னு குட்டி", "2 குட்டி", "calf female", "கன்று male 1": position and number. */
function youngAt(reading: Reading, kinds: Kind[], at: number): Young {
  const kindAt = (place: number) => (reading.isTaken[place] ? undefined : kinds.find((kind) => kind.at === place))
  const isOfYoung = (place: number) => {
    const kind = kindAt(place)
    return (
      kind !== undefined &&
      (kind.isYoung || kind.category === null || (kind.sex !== null && kind.category === 1 && motherBefore(reading, kinds, place)))
    )
  }
  let [from, to] = [at, at]
  while (isOfYoung(to + 1)) to += 1
  while (isOfYoung(from - 1) && !kindAt(from - 1)!.isAadu) from -= 1
  const before = reading.numberEndingAt(from - 1)
  if (before && isCount(before.value, 20))
    return { from: before.from, to: endOfAlong(reading, to), count: before.value, at, isCounted: true }
  const after = reading.numberFrom(to + 1)
  const isAfter = after !== null && isCount(after.value, 20) && !reading.isCounting(after.to + 1)
  return { from, to: endOfAlong(reading, isAfter ? after.to : to), count: isAfter ? after.value : 1, at, isCounted: isAfter }
}

function endOfAlong(reading: Reading, to: number): number {
  return sounds(reading.tokens[to + 1], 'along') || sounds(reading.tokens[to + 1], 'there') ? to + 1 : to
}

function isAlongside(reading: Reading, kinds: Kind[], { from, to, at, isCounted }: Young): boolean {
  const inside = reading.tokens.slice(at, to + 1)
  if (inside.some((token) => isAlong(token) || sounds(token, 'along')) || spells(reading.tokens[from - 1], 'with')) return true
  if (
    sounds(reading.tokens[to + 1], 'gave') ||
    ORDINAL.test(reading.tokens[from - 1]?.plain ?? '') ||
    ordinalWord(reading.tokens[from - 1]?.plain ?? '') !== null
  )
    return false
  const mother = kinds.findLast((kind) => kind.at < from && kind.sex === FEMALE && !kind.isYoung)
  const isMilch = reading.all((token, at) => at < from && (reading.isLitre(token) || sounds(token, 'calving'))).length > 0
  if (!mother && !(isMilch && kinds.some((kind) => kind.at < from))) return false
  // "பசு கன்று" is a calf; "பசு, 1 கன்று" is two animals.
  return isCounted || mother === undefined || mother.at < from - 1 || /[+&,.\n]/.test(reading.tokens[from]!.gap)
}

function motherBefore(reading: Reading, kinds: Kind[], at: number): boolean {
  return kinds.some((kind) => kind.at < at && kind.category !== null && !kind.isYoung)
}

/** "3 மாத கன்று": the age belongs to the calf. Returns where the age begins. */
function ageBefore(reading: Reading, at: number): number | null {
  const unit = reading.free(at - 1)
  if (!sounds(unit, 'month') && !sounds(unit, 'day')) return null
  return reading.numberEndingAt(at - 2)?.from ?? null
}

/** Pregnant now: false when negated or only inseminated. Takes the months with it. */
export function pregnant(reading: Reading): Understood<true> | null {
  let result: Understood<true> | null = null
  for (const at of reading.all((token, at) => sounds(token, 'pregnant') || spells(token, 'expecting') || isInCalf(reading, at))) {
    const [before, next] = [reading.tokens[at - 1], reading.tokens[at + 1]]
    const isDenied =
      spells(before, 'no') ||
      before?.plain === 'yet' ||
      spells(next, 'no') ||
      (!isTerm(next ?? blank) && spells(reading.tokens[at + 2], 'no'))
    const isUnsure = [at - 1, at - 2, at + 1].some((beside) => spells(reading.tokens[beside], 'unsure'))
    if (isDenied || isUnsure || NOT_DONE.test(next?.plain ?? '') || spells(next, 'injected') || /க்கு/u.test(reading.tokens[at]!.plain))
      continue
    // "5 months pregnant", "5 months in calf".
    const unit = [at - 1, at - 2].find((beside) => sounds(reading.free(beside), 'month')) ?? -1
    const from = reading.numberEndingAt(unit - 1)?.from ?? at
    // "pregnant 5 months", "சினை மாடு 7 மாதம்".
    const to = monthsAt(reading, at + 1) ?? monthsAt(reading, at + 2) ?? at
    const found = reading.take(from, to, true as const)
    result ??= found
  }
  return result
}

/** The form has no question for a current pregnancy (A §3 counts past ones), so the words of the listing say it. */
export const isPregnant = ({ genderId, name, description }: { genderId: number | null; name: string; description: string }): boolean =>
  genderId === FEMALE && pregnant(new Reading(`${name}. ${description}`)) !== null

/** "in calf" means pregnant. */
const isInCalf = ({ tokens }: Reading, at: number) => tokens[at]?.plain === 'calf' && tokens[at - 1]?.plain === 'in'

/** The end of a number of months of a pregnancy that begins here; null for another number, and for months of age. */
function monthsAt(reading: Reading, at: number): number | null {
  const number = reading.numberFrom(at)
  const end = number && number.value <= 10 ? number.to + 1 : -1
  return sounds(reading.free(end), 'month') && reading.tokens[end + 1]?.plain !== 'old' ? end : null
}

/** "சினை பிடிக்கல", "sinai aagala". */
const NOT_DONE = /(கல|கலை|வில்லை|வில்ல|காத|kala|kalai|gala|villai|villa)$/u

/** Days and weeks describe a calving, a calf or an offer, which the form does not ask. */
export function passOverDays(reading: Reading): void {
  for (const at of reading.all((token) => sounds(token, 'day'))) {
    const number = reading.numberEndingAt(at - 1)
    if (number) reading.take(number.from, at, null)
  }
}

export function lactation(reading: Reading): Understood<number> | null {
  for (const at of reading.all((token) => sounds(token, 'calving') || spells(token, 'calvingToo'))) {
    const isSuffix = ORDINAL.test(reading.free(at - 1)?.plain ?? '')
    const ordinal = ordinalWord(reading.free(at - 1)?.plain ?? '')
    const before = isSuffix
      ? reading.numberEndingAt(at - 2)
      : ordinal !== null
        ? { value: ordinal, from: at - 1 }
        : reading.numberEndingAt(at - 1)
    if (before && isCount(before.value, 15) && (isSuffix || ordinal !== null || !reading.isLabel(at)))
      return reading.take(before.from, at, before.value)
    const after = reading.numberFrom(at + 1)
    if (after && isCount(after.value, 15) && !reading.isUnitAt(after.to + 1)) return reading.take(at, after.to, after.value)
  }
  for (const at of reading.all((token) => tradeIdsOf(token).includes('calf'))) {
    const ordinal = ordinalWord(reading.free(at - 1)?.plain ?? '')
    const isSuffix = ORDINAL.test(reading.free(at - 1)?.plain ?? '')
    const before = isSuffix ? reading.numberEndingAt(at - 2) : null
    const number = ordinal === null ? before : { value: ordinal, from: at - 1 }
    if (number && isCount(number.value, 15)) return reading.take(number.from, at, number.value)
  }
  const first = reading.all(({ plain }) => /^(தலைச்சன்|தலச்சன்|தலையீத்து|தலைஈத்து|thalachan|thalaichan|thalaieethu)$/u.test(plain))[0]
  if (first !== undefined) return reading.take(first, first, 1)
  for (const at of reading.all((token) => sounds(token, 'gave'))) {
    if (!tradeIdsOf(reading.tokens[at - 1] ?? blank).includes('calf')) continue
    const number = reading.numberEndingAt(at - 2)
    if (number && isCount(number.value, 15)) return reading.take(number.from, at, number.value)
  }
  return null
}

export function milk(reading: Reading): Understood<number> | null {
  const parts = milkings(reading)
  if (parts) return parts
  // In "was 15 litre now 10 litre", the milk of today counts.
  const isNow = (at: number) => spells(reading.tokens[at - 2], 'last')
  const litres = reading.all((token) => reading.isLitre(token)).toSorted((a, b) => Number(isNow(b)) - Number(isNow(a)))
  for (const at of litres) {
    const number = reading.numberEndingAt(at - 1)
    if (!number || number.value > 60 || reading.isLakhLetter(number.from, at)) continue
    // "rate 34/l" is the price of a litre.
    const isPerLitre = reading.tokens[at]!.gap.includes('/')
    if (isPerLitre || reading.beside(number.from, at).some((token) => spells(token, 'notOfAnimal'))) continue
    // "7+5 லிட்டர்": two milkings.
    const plus = reading.free(number.from - 1)
    const isSum = plus?.value !== null && plus !== undefined && /^\s*\+\s*$/.test(reading.tokens[number.from]!.gap)
    if (isSum) return reading.take(number.from - 1, at, plus.value! + number.value)
    const around = [number.from - 3, number.from - 2, number.from - 1, at + 1, at + 2].map((near) => reading.tokens[near])
    if (around.some((token) => spells(token, 'perMilking'))) {
      // "இரு வேளை", but not the "two times 6" of a single milking.
      const isTwice = reading.tokens.some((token) => spells(token, 'perMilking') && numberBefore(reading, token) === 2)
      reading.take(number.from, at, null)
      if (!isTwice) return null
      return reading.take(number.from, at, 2 * number.value)
    }
    return reading.take(number.from, at, number.value)
  }
  for (const at of reading.all((token) => spells(token, 'milk'))) {
    const number = reading.numberFrom(at + 1)
    const next = number ? reading.tokens[number.to + 1] : undefined
    if (
      number &&
      number.value <= 40 &&
      !reading.isUnitAt(number.to + 1) &&
      !spells(next, 'perMilking') &&
      !spells(reading.tokens[at + 1], 'each') &&
      !ORDINAL.test(next?.plain ?? '')
    ) {
      // "milk 6+5": morning and evening.
      const evening = /^\s*\+\s*$/.test(next?.gap ?? '') ? reading.numberFrom(number.to + 1) : null
      return reading.take(at, evening?.to ?? number.to, number.value + (evening?.value ?? 0))
    }
  }
  return null
}

function numberBefore(reading: Reading, token: Token): number | null {
  const before = reading.tokens[reading.tokens.indexOf(token) - 1]
  return before ? (before.value ?? numberWord(before.plain)) : null
}

/** "காலை 7 மாலை 5 லிட்டர்", "7 litre morning 5 evening". */
function milkings(reading: Reading): Understood<number> | null {
  const before = (at: number): ReturnType<Reading['numberEndingAt']> => {
    const last = reading.tokens[at - 1]
    // "6 litres in the morning".
    return reading.isLitre(last) || /^(in|the)$/.test(last?.plain ?? '') ? before(at - 1) : reading.numberEndingAt(at - 1)
  }
  for (const at of reading.all((_, at) => reading.isMorning(at))) {
    const first = before(at)
    const night = reading.all((token, index) => index > at + 1 && index <= at + 4 && sounds(token, 'evening'))[0]
    const end = first && night !== undefined && !isMilkAt(reading, night + 1) ? before(night) : null
    if (first && end && first.value + end.value <= 80) return reading.take(first.from, end.from, first.value + end.value)
    const morning = reading.numberFrom(at + 1)
    if (!morning || morning.value > 40) continue
    const evening = reading.all((token, index) => index > morning.to && index <= morning.to + 3 && sounds(token, 'evening'))[0]
    const second = evening === undefined ? null : reading.numberFrom(evening + 1)
    if (!second || second.value > 40) continue
    const to = reading.isLitre(reading.free(second.to + 1)) ? second.to + 1 : second.to
    return reading.take(at, to, morning.value + second.value)
  }
  return null
}

/** A number of litres: not of lakhs or of years. */
function isMilkAt(reading: Reading, at: number): boolean {
  const number = reading.numberFrom(at)
  const unit = number ? reading.tokens[number.to + 1] : undefined
  return number !== null && number.value <= 40 && (!reading.isUnit(unit) || reading.isLitre(unit))
}

export function teeth(reading: Reading): Understood<number> | null {
  for (const at of reading.all((token) => spells(token, 'teeth'))) {
    const [before, next] = [reading.free(at - 1), reading.free(at + 1)]
    if (before?.plain === 'பால்' || before?.plain === 'milk') return reading.take(at - 1, at, 0)
    if (spells(next, 'notYet')) return reading.take(at, at + 1, 0)
    if (spells(before, 'full')) return reading.take(at - 1, at, 8)
    const number = reading.numberEndingAt(at - 1)
    if (number && isTeeth(number.value) && !reading.isLabel(at)) return reading.take(number.from, at, number.value)
    const after = reading.numberFrom(at + 1)
    if (after && isTeeth(after.value) && !reading.isUnitAt(after.to + 1)) return reading.take(at, after.to, after.value)
  }
  const full = reading.all(({ plain }) => /^(கடைமுளைப்பு|கடைமுளைச்சது|கடைப்பல்|முழுப்பல்|kadaipal)$/u.test(plain))[0]
  return full === undefined ? null : reading.take(full, full, 8)
}

export function age(reading: Reading): Understood<number> | null {
  for (const at of reading.all((token) => sounds(token, 'year') || sounds(token, 'month'))) {
    const months = sounds(reading.tokens[at], 'year') ? 12 : 1
    const before = reading.numberEndingAt(at - 1)
    if (before && before.value > 0 && before.value * months <= MOST_MONTHS && !reading.isLabel(at)) {
      const isAhead = spells(reading.tokens[before.from - 1], 'still')
      // "18 eggs a month".
      const isRate = reading.tokens[at - 1]?.plain === 'a' && reading.tokens[at + 1]?.plain !== 'old'
      if (isAhead || isRate || isAgeOfCalf(reading, before.from, at) || isSinceThen(reading, before.from, at)) {
        reading.take(before.from, at, null)
        continue
      }
      // "1 year 3 months".
      const rest = months === 12 ? reading.numberFrom(at + 1) : null
      const value = Math.round(before.value * months)
      const isRest = rest !== null && rest.value < 12 && sounds(reading.free(rest.to + 1), 'month')
      return isRest ? reading.take(before.from, rest.to + 1, value + rest.value) : reading.take(before.from, at, value)
    }
    const after = reading.numberFrom(at + 1)
    if (!after || months !== 12 || after.value > 25) continue
    // "age 8 to 10 months": the lower one.
    if (reading.isTo(after.to + 1)) after.to = reading.numberFrom(after.to + 2)?.to ?? after.to
    const unit = reading.tokens[after.to + 1]
    if (sounds(unit, 'month')) return reading.take(at, after.to + 1, Math.round(after.value))
    if (sounds(unit, 'year')) return reading.take(at, after.to + 1, Math.round(after.value * 12))
    if (!reading.isUnitAt(after.to + 1)) return reading.take(at, after.to, Math.round(after.value * 12))
  }
  return null
}

/** "3 மாத கன்று" and "கன்று 3 மாசம்", when the message also names a grown animal. */
function isAgeOfCalf(reading: Reading, from: number, to: number): boolean {
  const isCalf = (at: number) => tradeIdsOf(reading.tokens[at] ?? blank).some((id) => youngIds.has(id))
  const hasAdult = reading.tokens.some((token) => tradeIdsOf(token).some((id) => !youngIds.has(id) && categoryOf[id] !== undefined))
  return (
    hasAdult &&
    (isCalf(reading.tokens[to + 1]?.plain === 'old' ? to + 2 : to + 1) || isCalf(from - 1)) &&
    reading.tokens.some((token) => reading.isLitre(token) || sounds(token, 'calving'))
  )
}

/** "calved 2 months", "2 மாதம் ஆச்சு": the time since an event, not the age. Years that an animal "has become" are its age. */
function isSinceThen(reading: Reading, from: number, to: number): boolean {
  if ([from - 1, from - 2].some((at) => sounds(reading.tokens[at], 'gave')) || spells(reading.tokens[to + 1], 'back')) return true
  if (spells(reading.tokens[from - 1], 'lasting')) return true
  // "2nd lactation 3 months", "in milk 3 months", "3 months in milk".
  const isOfMilk = (at: number) => spells(reading.tokens[at], 'milk') || sounds(reading.tokens[at], 'calving')
  const isIn = /^(in|into)$/.test(reading.tokens[to + 1]?.plain ?? '')
  if (sounds(reading.tokens[to], 'month') && (isOfMilk(from - 1) || (isIn && isOfMilk(to + 2)))) return true
  return (
    sounds(reading.tokens[to], 'month') &&
    [to + 1, to + 2].some((at) => sounds(reading.tokens[at], 'gave') || sounds(reading.tokens[at], 'ago'))
  )
}

import { findHomePlace } from '#src/addresses/places.server.ts'
import { FEMALE } from '#src/listings/fields/listing-questions.ts'
import { numberWord } from '#src/kit/text/number-words.ts'
import { breedsCalled, colorCalled, sounds, spells, tradeIdsOf } from './lexicon.server.ts'
import { BOTH, type Breed, CASTRATED, isCount, type Kind, MALE, NEAR, ORDINAL, type Reading, type Understood } from './reading.server.ts'

// Reads breed, kind, number, colour and place from a message.

export function breed(reading: Reading, kinds: Kind[]): Understood<Breed> | null {
  const namedCategories = [
    ...new Set(kinds.flatMap(({ at, category, isYoung }) => (reading.isTaken[at] || category === null || isYoung ? [] : [category]))),
  ]
  const isAadu = kinds.some(({ isAadu, at }) => isAadu && !reading.isTaken[at])
  const fits = (categoryId: number) =>
    namedCategories.length > 0 ? namedCategories.includes(categoryId) : !isAadu || categoryId === 2 || categoryId === 3
  const candidates: (Breed & { weight: number })[] = []
  for (const words of [3, 2, 1]) {
    for (let from = 0; from + words <= reading.tokens.length; from += 1) {
      const tokens = reading.tokens.slice(from, from + words)
      const to = from + words - 1
      if (tokens.some((_, index) => reading.isTaken[from + index]) || isCompared(reading, from, to)) continue
      const found = breedsCalled(tokens).filter(({ categoryId }) => fits(categoryId))
      const categories = new Set(found.map(({ categoryId }) => categoryId))
      // A word for all buffaloes, or for breeds of two species, names no single breed.
      const whole = found.filter(({ isWhole }) => isWhole)
      if (found.length === 0 || categories.size > 1 || (found.length > 1 && whole.length !== 1)) continue
      const { id, categoryId } = whole[0] ?? found[0]!
      candidates.push({ id, categoryId, from, to, weight: words + besideAnimal(reading, kinds, from, to) - asPlace(reading, from, to) })
    }
  }
  const best = candidates.toSorted((a, b) => b.weight - a.weight || a.from - b.from)[0]
  if (!best || best.weight <= 0) return null
  return reading.take(best.from, best.to, best)
}

/** "more milk than HF", "HF விட". */
const isCompared = ({ tokens }: Reading, from: number, to: number) =>
  tokens[from - 1]?.plain === 'than' || /^(விட|vida)$/u.test(tokens[to + 1]?.plain ?? '')

function besideAnimal(reading: Reading, kinds: Kind[], from: number, to: number): number {
  return kinds.some(({ at }) => at >= from - 1 && at <= to + 2) ? 2 : 0
}

/** How likely these words are a place and not the animal. */
function asPlace(reading: Reading, from: number, to: number): number {
  const words = reading.tokens.slice(from, to + 1).map(({ plain }) => plain)
  if (findHomePlace(words.join(' ')) === null) return 0
  const isMarked =
    NEAR.test(reading.tokens[from - 1]?.plain ?? '') ||
    NEAR.test(reading.tokens[to + 1]?.plain ?? '') ||
    /(ில்|லிருந்து|ிலிருந்து|ல்)$/u.test(reading.tokens[to]!.plain)
  return isMarked ? 5 : to === reading.tokens.length - 1 && from > 2 ? 2 : 0
}

export function animal(reading: Reading, kinds: Kind[], breed: Understood<Breed> | null, isMother: boolean) {
  const inBreed = (at: number) => breed !== null && at >= breed.value.from && at <= breed.value.to
  const free = kinds.filter(({ at }) => !reading.isTaken[at] || inBreed(at))
  const words = (at: number) => reading.tokens[at]!.text
  const named = free.find(({ category }) => category !== null)
  const category = breed
    ? { value: breed.value.categoryId, words: named ? words(named.at) : breed.words }
    : named && { value: named.category!, words: words(named.at) }
  const sexed = free.filter(({ sex }) => sex !== null)
  const sexes = new Set(sexed.map(({ sex }) => sex))
  const kindOf = (sex: number) => sexed.find((kind) => kind.sex === sex)!
  const sex = (): Understood<number> | undefined => {
    if (sexes.has(CASTRATED)) return { value: CASTRATED, words: words(kindOf(CASTRATED).at) }
    if (sexes.has(FEMALE) && sexes.has(MALE))
      return isMother
        ? { value: FEMALE, words: words(kindOf(FEMALE).at) }
        : { value: BOTH, words: `${words(kindOf(FEMALE).at)}, ${words(kindOf(MALE).at)}` }
    if (isMother) return { value: FEMALE, words: sexed.find((kind) => kind.sex === FEMALE) ? words(kindOf(FEMALE).at) : '' }
    const [only] = sexed
    if (only) return { value: only.sex!, words: words(only.at) }
    const milch = reading.all((token) => tradeIdsOf(token).includes('milk') && token.key.length > 4)[0]
    return milch === undefined ? undefined : { value: FEMALE, words: words(milch) }
  }
  return { category: category ?? undefined, sex: sex() }
}

/** "10 ஆடுகள்", "5 Mecheri sheep", "மொத்தம் 15". A pair counts when its price is of both. */
export function stock(reading: Reading, kinds: Kind[], breed: Understood<Breed> | null, isOfLot: boolean) {
  const isAnimal = (at: number) =>
    kinds.some((kind) => kind.at === at) || (breed !== null && at >= breed.value.from && at <= breed.value.to)
  const counts: Understood<number>[] = []
  for (const [at, token] of reading.tokens.entries()) {
    const value = reading.isTaken[at] ? null : (token.value ?? numberWord(token.plain))
    if (value === null || !isCount(value, 500) || ORDINAL.test(reading.tokens[at + 1]?.plain ?? '') || reading.isCounting(at + 1)) continue
    if (spells(reading.tokens[at + 1], 'perMilking') || sounds(reading.tokens[at - 1], 'price')) continue
    const isTotal = sounds(reading.tokens[at - 1], 'total') || sounds(reading.tokens[at + 1], 'total')
    if (isTotal && value > 1) return reading.take(at, at, value)
    const isBehind = token.value !== null && value > 1 && isAnimal(at - 1) && !isAnimal(at + 1) && at + 1 < reading.tokens.length
    if (isAnimal(at + 1) || isBehind) counts.push(reading.take(at, at, value))
  }
  // "8 பெட்டை 1 கிடா" makes nine.
  const value = counts.reduce((sum, count) => sum + count.value, 0)
  if (value > 1) return { value, words: counts.map(({ words }) => words).join(' + ') }
  const pair = isOfLot ? reading.all((token) => spells(token, 'pair'))[0] : undefined
  if (pair === undefined) return null
  const number = reading.numberEndingAt(pair - 1)
  return reading.take(number?.from ?? pair, pair, 2 * (number && isCount(number.value, 50) ? number.value : 1))
}

export function color(reading: Reading): Understood<number> | null {
  for (const words of [3, 2, 1]) {
    for (let from = 0; from + words <= reading.tokens.length; from += 1) {
      const tokens = reading.tokens.slice(from, from + words)
      if (tokens.some((_, index) => reading.isTaken[from + index])) continue
      const id = colorCalled(tokens)
      // "brown egg" gives the colour of the egg, "white face" that of the face.
      if (id !== null && !spells(reading.tokens[from + words], 'part')) return reading.take(from, from + words - 1, id)
    }
  }
  return null
}

/** The last named place in Tamil Nadu. A place that the text marks as a place wins. */
export function district(reading: Reading): Understood<string> | null {
  const found: { from: number; to: number; district: string; weight: number }[] = []
  for (const words of [2, 1]) {
    for (let from = 0; from + words <= reading.tokens.length; from += 1) {
      const tokens = reading.tokens.slice(from, from + words)
      if (tokens.some(({ value }, index) => reading.isTaken[from + index] || value !== null)) continue
      if (
        words === 1 &&
        (tradeIdsOf(tokens[0]!).length > 0 ||
          numberWord(tokens[0]!.plain) !== null ||
          tokens[0]!.plain.length < 3 ||
          spells(tokens[0], 'morning') ||
          NEAR.test(tokens[0]!.plain))
      )
        continue
      const place = findHomePlace(tokens.map(({ plain }) => plain).join(' '))
      // "bought from Pollachi", "பொள்ளாச்சியில் வாங்கியது".
      const isBought = spells(reading.tokens[from - 2], 'paid') || spells(reading.tokens[from + words], 'paid')
      if (!place || isBought) continue
      found.push({ from, to: from + words - 1, district: place.district, weight: asPlace(reading, from, from + words - 1) + words })
    }
  }
  const best = found.toSorted((a, b) => b.weight - a.weight || b.from - a.from)[0]
  return best ? reading.take(best.from, best.to, best.district) : null
}

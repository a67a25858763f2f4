import { keyOf, keysOf, slipsBetween, slipsForgiven, wordsOf } from '#src/kit/text/sound-keys.ts'
import { districts } from '../accounts/reference-data.ts'
import { isAnimalType } from './listing-questions.ts'
import { categories, colors, marketWords } from './reference-data.ts'
import { listingCode } from './rules.ts'
import { MAX_SEARCH_CHARACTERS } from './search-limits.ts'
import { isBuffalo, tradeWords, type AnimalFacts, type TradeWord } from './trade-words.ts'
import {
  breedLexeme,
  categoryLexeme,
  isEmptyWord,
  isOtherWord,
  knownKeys,
  meaningOf,
  meaningOfJoined,
  meaningOfKey,
  meaningOfPart,
  quoted,
  splitCompound,
  tradeLexeme,
  type Meaning,
} from './vocabulary.server.ts'

const MAX_SEARCH_WORDS = 8
const MAX_ALTERNATIVES = 6
/** Shorter words differ by one letter from too many others. */
const MIN_LETTERS_TO_MEND = 5
const MIN_LETTERS_BEGUN = 3

/** What a listing says of itself, as text in any language. */
export interface SearchableFacts extends AnimalFacts {
  colorId: number | null
  name: string
  description: string
  nameEn: string | null
  descriptionEn: string | null
  taluk: string
  district: string
  stateName: string
}

/** A: breed and title. B: what the animal is by its facts. C: the description, and what it nearly is. D: the place. */
export type Weight = 'A' | 'B' | 'C' | 'D'
export type SearchKeys = Map<string, Weight>

/** Everything a listing is found by, each key with the greatest weight it has. */
export function searchKeysFor(facts: SearchableFacts): SearchKeys {
  const keys: SearchKeys = new Map()
  const add = (key: string, weight: Weight) => {
    if (key.length > 1 && weight < (keys.get(key) ?? 'E')) keys.set(key, weight)
  }
  const isAnimal = isAnimalType(categories.find((c) => c.id === facts.categoryId)?.typeId ?? 0)
  if (facts.breedId !== null) add(breedLexeme(facts.breedId), 'A')
  add(categoryLexeme(facts.categoryId), 'B')
  for (const tradeWord of tradeWords) {
    const fit = tradeWord.fits(facts)
    if (fit) add(tradeLexeme(tradeWord.id), fit)
  }
  for (const [key, weight] of [facts.name, facts.nameEn].flatMap((title) => titleKeys(title ?? '', isAnimal))) add(key, weight)
  for (const key of colorKeys(facts)) add(key, 'B')
  for (const word of [facts.description, facts.descriptionEn].flatMap((text) => wordsOf(text ?? '')))
    if (!isEmptyWord(word) && tradeWordsIn(word).length === 0) add(keyOf(word), 'C')
  const district = districts.find((d) => d.en === facts.district)
  for (const key of [facts.taluk, facts.district, district?.ta ?? ''].flatMap(keysOf)) add(key, 'D')
  // One key for the state: its நாடு is no word of its own.
  add(keysOf(facts.stateName).join(''), 'D')
  return keys
}

/** As PostgreSQL reads a tsvector. Positions are there for the weights' sake: without one a lexeme has none. */
export const toTsVector = (keys: SearchKeys) =>
  [...keys].map(([key, weight]) => `${quoted(key)}:1${weight === 'D' ? '' : weight}`).join(' ')

const tradeWordsIn = (word: string): TradeWord[] => meaningOf(word)?.tradeWords ?? []

/** A title's own words; of the trade's only the young ones and the milk ("with her calf"), since the facts say the rest. */
function titleKeys(title: string, isAnimal: boolean): [string, Weight][] {
  const plain = title.toLowerCase().replace(/\bin[ -](calf|kid|lamb|foal)\b/g, '')
  return wordsOf(plain).flatMap((word): [string, Weight][] => {
    if (isEmptyWord(word)) return []
    const meaning = meaningOf(word)
    const parts = meaning ? null : splitCompound(keyOf(word))
    const said = meaning ? meaning.tradeWords : (parts ?? []).flatMap((part) => meaningOfPart(part)?.tradeWords ?? [])
    const kept = said.filter(({ isYoung, id }) => !isAnimal || isYoung || id === 'milk')
    const own = said.length > 0 && meaning ? [] : [keyOf(word), ...(parts ?? []).filter((part) => !meaningOfPart(part)?.tradeWords.length)]
    return [
      ...own.map((key): [string, Weight] => [key, 'A']),
      ...kept.map(({ id }): [string, Weight] => [tradeLexeme(id), isAnimal ? 'C' : 'D']),
    ]
  })
}

function colorKeys(facts: SearchableFacts): string[] {
  const { colorId } = facts
  const color = colors.find((c) => c.id === colorId)
  if (!color || colorId === null) return []
  const ofTrade = marketWords
    .filter((entry) => entry.categoryIds.includes(facts.categoryId) && entry.colorIds.includes(colorId) && !isBuffalo(facts))
    .flatMap(({ words }) => {
      // காராம்பசு is a cow in every spelling, and காரி காளை a bull; plain காரி is either.
      const cow = words.some((word) => word.endsWith('pasu')) ? tradeWords.filter(({ id }) => id === 'pasu') : []
      return words.filter((text) => [...cow, ...wordsOf(text).flatMap(tradeWordsIn)].every((tradeWord) => tradeWord.fits(facts)))
    })
  return [color.ta, color.en, ...ofTrade].flatMap((text) => [
    ...(ofTrade.includes(text) ? [keysOf(text).join('')] : []),
    ...wordsOf(text)
      .filter((word) => tradeWordsIn(word).length === 0 && !isEmptyWord(word))
      .map(keyOf),
  ])
}

interface SearchWord {
  /** As typed. */
  typed: string
  /** What must be met, as tsquery text. */
  query: string
  /** The word that a typing slip was read as, to show the reader. */
  readAs: { ta: string; en: string } | null
}

/** COW-00042 or "cow 00042": a listing's number, read out over the phone. */
export function readProductNumber(text: string): { id: number; categoryIds: number[] } | null {
  const match = /^\s*([a-z]{3})[\s-]*(\d{5,12})\s*$/i.exec(text)
  if (!match) return null
  const id = Number(match[2])
  const categoryIds = categories.filter((c) => listingCode(c.shortEn, id).startsWith(`${match[1]!.toUpperCase()}-`)).map((c) => c.id)
  return categoryIds.length > 0 ? { id, categoryIds } : null
}

/** Reads a search as words that must all be met; empty when it says nothing. */
export function readSearch(text: string): SearchWord[] {
  const words = wordsOf(text.slice(0, MAX_SEARCH_CHARACTERS))
    .filter((word) => !isEmptyWord(word))
    .slice(0, MAX_SEARCH_WORDS)
  const read: SearchWord[] = []
  for (let at = 0; at < words.length;) {
    const joined = [3, 2].map((count) => words.slice(at, at + count)).find((some) => some.length > 1 && meaningOfJoined(some))
    if (joined) {
      read.push(readJoined(joined, meaningOfJoined(joined)!))
      at += joined.length
    } else {
      const word = readWord(words[at]!)
      if (word) read.push(word)
      at++
    }
  }
  return read
}

/** "chippi parai" and "salem karuppu" are breeds and nothing else; a "desi cow" is also any cow of the country. */
function readJoined(words: string[], meaning: Meaning): SearchWord {
  const apart = words.map(readWord)
  const isOpen = words.some((word) => tradeWordsIn(word).length > 0) && words.every((word) => meaningOf(word))
  const both = isOpen ? [`(${apart.map((word) => `(${word!.query})`).join(' & ')})`] : []
  const joinedKey = words.map(keyOf).join('')
  const alternatives = meaning.tradeWords.length > 0 ? alternativesOf(meaning, joinedKey) : [...alternativesOf(meaning, joinedKey), ...both]
  return { typed: words.join(' '), query: alternatives.join(' | '), readAs: null }
}

function readWord(typed: string): SearchWord | null {
  const key = keyOf(typed)
  const known = meaningOf(typed)
  const as = (alternatives: string[], readAs: SearchWord['readAs'] = null): SearchWord => ({
    typed,
    query: alternatives.join(' | '),
    readAs,
  })
  if (isOtherWord(typed) || (!known && /\d/.test(key) && key.length > 1)) return as([quoted(key)])
  if (known) return as(alternativesOf(known, known.key ?? key))
  if (key.length < 2) return null
  const parts = splitCompound(key)
  if (parts) return as([quoted(key), joinedParts(parts)])
  const begun = key.length >= MIN_LETTERS_BEGUN ? knownKeys.filter((other) => other.startsWith(key)).slice(0, MAX_ALTERNATIVES) : []
  if (begun.length > 0) {
    const meanings = begun.map((other) => ({ other, meaning: meaningOfKey(other)! }))
    // "kang" begins a breed: animals in the town of that name are not meant, nor worth a walk through all of its words.
    const own = meanings.some(({ meaning }) => meaning.isBreed && !meaning.isDistrict) ? [] : [`${quoted(key)}:*`]
    return as([...new Set(meanings.flatMap(({ other, meaning }) => alternativesOf(meaning, other))), ...own])
  }
  const meant = nearestWord(key)
  if (meant) return as([quoted(key), ...alternativesOf(meaningOfKey(meant)!, meant)], meaningOfKey(meant)!.shown)
  return as([key.length >= MIN_LETTERS_BEGUN ? `${quoted(key)}:*` : quoted(key)])
}

/** Only facts match a word of the trade; facts or the word itself match any other known word. */
const alternativesOf = ({ conditions, tradeWords, isBreed, isDistrict }: Meaning, key: string): string[] => [
  ...conditions,
  ...tradeWords.map(({ id }) => quoted(tradeLexeme(id))),
  ...(tradeWords.length > 0 || key.length < 2 ? [] : [quoted(key) + (isBreed && !isDistrict ? ':AB' : '')]),
]

function joinedParts(parts: [string, string]): string {
  const meanings = parts.map((part) => meaningOfPart(part)!)
  const areYoung = meanings.every(({ tradeWords }) => tradeWords.length > 0 && tradeWords.every(({ isYoung }) => isYoung))
  return `(${meanings.map((meaning, n) => `(${alternativesOf(meaning, parts[n]!).join(' | ')})`).join(areYoung ? ' | ' : ' & ')})`
}

/** The one known word that a slip of the finger is likely to have meant: same first letter, not a short word. */
function nearestWord(key: string): string | null {
  const limit = slipsForgiven(key)
  if (key.length < MIN_LETTERS_TO_MEND) return null
  let best: { known: string; slips: number } | null = null
  for (const known of knownKeys) {
    if (known[0] !== key[0] || known.length < MIN_LETTERS_TO_MEND) continue
    const slips = slipsBetween(key, known, limit)
    if (slips <= limit && slips < (best?.slips ?? Infinity)) best = { known, slips }
  }
  return best?.known ?? null
}

/** The tsquery text. Keys are letters and digits of any script, so quoting them is enough. */
export const toTsQuery = (words: SearchWord[]): string => words.map(({ query }) => `(${query})`).join(' & ')

/** The same words as alternatives: the share of them that a listing matches is its rank (ts_rank measures nearness in "and"). */
export const toRankQuery = (words: SearchWord[]): string => toTsQuery(words).replaceAll(' & ', ' | ')

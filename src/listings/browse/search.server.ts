import { keyOf, keysOf, keysOfForms, slipsBetween, slipsForgiven, wholeKeyOf, wordsOf } from '#src/kit/text/sound-keys.ts'
import { districts } from '#src/accounts/reference-data.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { categories, colors, marketWords } from '#src/listings/reference/reference-data.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import { sounds } from '#src/listings/paste/lexicon.server.ts'
import { isPregnant } from '#src/listings/paste/mother-facts.server.ts'
import { tokensOf } from '#src/kit/text/tokens.ts'
import { MAX_SEARCH_CHARACTERS } from './search-limits.ts'
import { isBuffalo, tradeWords, type AnimalFacts, type TradeWord } from '#src/listings/reference/trade-words.ts'
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
  PREGNANT,
  quoted,
  splitCompound,
  tradeLexeme,
  type Meaning,
} from '#src/listings/reference/vocabulary.server.ts'

const MAX_SEARCH_WORDS = 8
/** No listing has this key. */
const NOTHING = '+nothing'
const MAX_ALTERNATIVES = 6
/** Shorter words are one letter away from too many others. */
const MIN_LETTERS_TO_MEND = 5
const MIN_LETTERS_BEGUN = 3

/** The searchable facts and texts of a listing. */
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

/** A: breed and title. B: facts. C: description, and near matches of facts. D: place. */
export type Weight = 'A' | 'B' | 'C' | 'D'
export type SearchKeys = Map<string, Weight>

/** All search keys of a listing, each with its greatest weight. */
export function searchKeysFor(facts: SearchableFacts): SearchKeys {
  const keys: SearchKeys = new Map()
  const add = (key: string, weight: Weight) => {
    if (key.length > 1 && weight < (keys.get(key) ?? 'E')) keys.set(key, weight)
  }
  const isAnimal = isAnimalType(categories.find((c) => c.id === facts.categoryId)?.typeId ?? 0)
  if (facts.breedId !== null) add(breedLexeme(facts.breedId), 'A')
  add(categoryLexeme(facts.categoryId), 'B')
  if (isPregnant(facts)) add(PREGNANT, 'B')
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
  // One key for the whole state name, because நாடு in it must not match on its own.
  add(keysOf(facts.stateName).join(''), 'D')
  return keys
}

/** The text form of a tsvector. A position is necessary because only positions carry weights. */
export const toTsVector = (keys: SearchKeys) =>
  [...keys].map(([key, weight]) => `${quoted(key)}:1${weight === 'D' ? '' : weight}`).join(' ')

const tradeWordsIn = (word: string): TradeWord[] => meaningOf(word)?.tradeWords ?? []

/** The title's own words. Of the trade words, only those for young animals and milk ("with her calf"), because the facts cover the rest. */
function titleKeys(title: string, isAnimal: boolean): [string, Weight][] {
  const plain = title.toLowerCase().replace(/\bin[ -](calf|kid|lamb|foal)\b/g, '')
  return wordsOf(plain).flatMap((word): [string, Weight][] => {
    if (isEmptyWord(word)) return []
    const meaning = meaningOf(word)
    const parts = meaning ? null : splitCompound(keyOf(word))
    const foundTradeWords = meaning ? meaning.tradeWords : (parts ?? []).flatMap((part) => meaningOfPart(part)?.tradeWords ?? [])
    const relevant = foundTradeWords.filter(({ isYoung, id }) => !isAnimal || isYoung || id === 'milk')
    const own =
      foundTradeWords.length > 0 && meaning ? [] : [keyOf(word), ...(parts ?? []).filter((part) => !meaningOfPart(part)?.tradeWords.length)]
    return [
      ...own.map((key): [string, Weight] => [key, 'A']),
      ...relevant.map(({ id }): [string, Weight] => [tradeLexeme(id), isAnimal ? 'C' : 'D']),
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
      // காராம்பசு is a cow in every spelling and காரி காளை a bull; plain காரி is either.
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
  typed: string
  /** The condition as tsquery text. */
  query: string
  /** The word that replaced a typing error, to show to the reader. */
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

/** The words of a search, which must all match; none when nothing was asked. If none is readable, nothing matches. */
export function readSearch(text: string): SearchWord[] {
  const words = wordsOf(text.slice(0, MAX_SEARCH_CHARACTERS))
    .filter((word) => !isEmptyWord(word))
    .slice(0, MAX_SEARCH_WORDS)
  const read: SearchWord[] = []
  for (let at = 0; at < words.length;) {
    const joined = [3, 2].map((count) => words.slice(at, at + count)).find((group) => group.length > 1 && meaningOfJoined(group))
    if (joined) {
      read.push(readJoined(joined, meaningOfJoined(joined)!))
      at += joined.length
    } else {
      const word = readWord(words[at]!)
      if (word) read.push(word)
      at++
    }
  }
  return read.length === 0 && words.length > 0 ? [{ typed: words.join(' '), query: quoted(NOTHING), readAs: null }] : read
}

/** The words of a search text that the search left out, although they are not empty. */
export function unreadWords(text: string, read: SearchWord[]): string[] {
  const words = new Set(read.flatMap(({ typed }) => typed.split(' ')))
  return readProductNumber(text) ? [] : wordsOf(text).filter((word) => !isEmptyWord(word) && !words.has(word))
}

/** "chippi parai" and "salem karuppu" are only breeds, but a "desi cow" is also any country cow. */
function readJoined(words: string[], meaning: Meaning): SearchWord {
  const apart = words.map(readWord)
  const isOpen = words.some((word) => tradeWordsIn(word).length > 0) && words.every((word) => meaningOf(word))
  const everyWord = isOpen ? [`(${apart.map((word) => `(${word!.query})`).join(' & ')})`] : []
  const joinedKey = words.map(keyOf).join('')
  const alternatives =
    meaning.tradeWords.length > 0 ? alternativesOf(meaning, joinedKey) : [...alternativesOf(meaning, joinedKey), ...everyWord]
  return { typed: words.join(' '), query: alternatives.join(' | '), readAs: null }
}

function readWord(typed: string): SearchWord | null {
  const key = keyOf(typed)
  const known = meaningOf(typed)
  const isPregnancy = sounds(tokensOf(typed)[0], 'pregnant')
  const names = known || isOtherWord(typed) ? [] : nameKeys(typed)
  const as = (alternatives: string[], readAs: SearchWord['readAs'] = null): SearchWord => ({
    typed,
    query: [...(isPregnancy ? [quoted(PREGNANT)] : []), ...alternatives, ...names].join(' | '),
    readAs,
  })
  if (isOtherWord(typed) || (!known && /\d/.test(key) && key.length > 1)) return as([quoted(key)])
  if (known) return as(alternativesOf(known, known.key ?? key))
  if (key.length < 2) return null
  const parts = splitCompound(key)
  if (parts) return as([quoted(key), joinedParts(parts)])
  const completions = key.length >= MIN_LETTERS_BEGUN ? knownKeys.filter((other) => other.startsWith(key)).slice(0, MAX_ALTERNATIVES) : []
  if (completions.length > 0) {
    const meanings = completions.map((other) => ({ other, meaning: meaningOfKey(other)! }))
    // "kang" begins a breed name. Do not match animals of a town with that name, which would also need a walk through all its words.
    const own = meanings.some(({ meaning }) => meaning.isBreed && !meaning.isDistrict) ? [] : [`${quoted(key)}:*`]
    return as([...new Set(meanings.flatMap(({ other, meaning }) => alternativesOf(meaning, other))), ...own])
  }
  const nearest = nearestWord(key)
  if (nearest) return as([quoted(key), ...alternativesOf(meaningOfKey(nearest)!, nearest)], meaningOfKey(nearest)!.shown)
  return as([key.length >= MIN_LETTERS_BEGUN ? `${quoted(key)}:*` : quoted(key)])
}

/** A seller's name has this word. Triggers give their listings these keys (migrations/0057_name_keys.sql). */
const nameKeys = (word: string): string[] => [...new Set([wholeKeyOf(word), ...keysOfForms(word)])].map((key) => quoted(`~${key}`))

/** A trade word matches facts only. Any other known word matches facts or the word itself. */
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

/** The known word that a typing error most likely meant: same first letter, and not a short word. */
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

/** The tsquery text. Keys contain only letters and digits, so quoting them is safe. */
export const toTsQuery = (words: SearchWord[]): string => words.map(({ query }) => `(${query})`).join(' & ')

/** The same words joined by OR. The share that matches is the rank, because for AND ts_rank measures proximity. */
export const toRankQuery = (words: SearchWord[]): string => toTsQuery(words).replaceAll(' & ', ' | ')

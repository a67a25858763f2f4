import { isTamil, keyOf, keysOf, keysOfForms, wordsOf } from '#src/kit/text/sound-keys.ts'
import { districts } from '#src/accounts/reference-data.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { breeds, categories, categoryAliases, colors, marketWords } from './reference-data.ts'
import { districtNicknames, emptyLatinWords, emptyTamilWords, otherWords, plainWords, tradeWords, type TradeWord } from './trade-words.ts'

export interface Meaning {
  /** Alternative conditions as tsquery text; one must match. */
  conditions: string[]
  tradeWords: TradeWord[]
  /** A breed's full name: a search for Mecheri means the sheep, not the animals in the town of Mecheri. */
  isBreed: boolean
  isDistrict: boolean
  /** The word to show as the correction of a typing error. */
  shown: { ta: string; en: string }
}

/** Lexemes of facts begin with a mark that no word contains. */
export const tradeLexeme = (id: string) => `+${id}`
export const breedLexeme = (id: number) => `+b${id}`
/** The key of listings whose words say that the animal is pregnant now. */
export const PREGNANT = '+pregnant'
export const categoryLexeme = (id: number) => `+k${id}`
export const quoted = (lexeme: string) => `'${lexeme.replace(/['\\]/g, '')}'`

const bySpelling = new Map<string, Meaning>()
const byKey = new Map<string, Meaning>()
/** Parts of compound words; here the sound of பால் is unambiguous. */
const byPartKey = new Map<string, Meaning>()

const merge = (map: Map<string, Meaning>, at: string, news: Partial<Meaning>, shown: Meaning['shown']) => {
  const known = map.get(at) ?? { conditions: [], tradeWords: [], isBreed: false, isDistrict: false, shown }
  map.set(at, {
    conditions: [...new Set([...known.conditions, ...(news.conditions ?? [])])],
    tradeWords: [...new Set([...known.tradeWords, ...(news.tradeWords ?? [])])],
    isBreed: known.isBreed || (news.isBreed ?? false),
    isDistrict: known.isDistrict || (news.isDistrict ?? false),
    shown: known.shown,
  })
}

/** Adds a word, or several words by their joined sound. */
function learn(text: string, news: Partial<Meaning>, shown: Meaning['shown'] = { ta: text, en: text }, byLettersOnly = false) {
  const words = wordsOf(text)
  const key = words.map(keyOf).join('')
  merge(bySpelling, words.join(''), news, shown)
  if (key.length < 2) return
  merge(byPartKey, key, news, shown)
  if (!byLettersOnly && key.length > 2) merge(byKey, key, news, shown)
}

for (const tradeWord of tradeWords) {
  for (const word of wordsOf(tradeWord.words)) learn(word, { tradeWords: [tradeWord] })
  for (const word of wordsOf(tradeWord.exactly ?? '')) learn(word, { tradeWords: [tradeWord] }, undefined, true)
}
const isTradeWord = (word: string) => (meaningOf(word.toLowerCase())?.tradeWords.length ?? 0) > 0
/** நாட்டுக்கோழி means no more than its parts. */
const isJoinedOfTradeWords = (word: string) => splitCompound(keyOf(word))?.every((part) => byPartKey.get(part)?.tradeWords.length) ?? false
export const isEmptyWord = (word: string) => emptyLatinWords.has(word) || emptyTamilKeys.has(isTamil(word) ? keyOf(word) : '')
const emptyTamilKeys = new Set(keysOf(emptyTamilWords).filter((key) => (byKey.get(key)?.tradeWords.length ?? 0) === 0))

const districtKeys = new Set(districts.flatMap(({ ta, en }) => [ta, en]).flatMap(keysOf))
for (const breed of breeds) {
  const lexeme = quoted(breedLexeme(breed.id))
  for (const name of [breed.en, breed.ta, ...breed.aliases]) {
    const words = wordsOf(name)
    const narrowing = words.flatMap((word) => meaningOf(word)?.tradeWords ?? []).filter((word) => word.isSpecies === undefined)
    const others = words.filter((word) => !isTradeWord(word) && !isEmptyWord(word) && !isJoinedOfTradeWords(word))
    // Every buffalo breed has the buffalo words as aliases, so they name no single breed.
    if (others.length === 0 && narrowing.length === 0 && words.every((word) => isTradeWord(word)) && words.length === 1) continue
    const condition = [lexeme, ...narrowing.map(({ id }) => quoted(tradeLexeme(id)))].join(' & ')
    learn(name, { conditions: [narrowing.length > 0 ? `(${condition})` : lexeme], isBreed: true }, breed)
    if (words.length === 1) continue
    const isName = name === breed.en || name === breed.ta
    for (const word of others) if (isName || !districtKeys.has(keyOf(word))) learn(word, { conditions: [lexeme] })
  }
}
for (const category of categories) {
  const names = [category.ta, category.en, category.shortTa, category.shortEn]
  const news = { conditions: [quoted(categoryLexeme(category.id))] }
  for (const word of names.flatMap(wordsOf)) if (!isTradeWord(word) && !isEmptyWord(word)) learn(word, news)
  const isGoods = !isAnimalType(category.typeId)
  for (const text of [...names, ...(categoryAliases[category.id] ?? [])]) {
    const isPhrase = wordsOf(text).length > 1
    // Goods are known by phrases (maattu mani is a bell), animals by single words, except that a hunting dog is a dog.
    if (
      isPhrase
        ? isGoods || (category.id === 5 && /வேட்டை|காவல்|hunting|vettai/.test(text))
        : !isTradeWord(text) && !splitCompound(keyOf(text.toLowerCase()))
    )
      learn(text, news)
  }
}
for (const { ta, en } of colors) for (const word of [ta, en].flatMap(wordsOf)) if (!isTradeWord(word) && !isEmptyWord(word)) learn(word, {})
for (const { words } of marketWords) for (const word of words) if (!isTradeWord(word)) learn(word, {})
for (const word of wordsOf(plainWords)) learn(word, {})
for (const district of districts) {
  for (const name of [district.ta, district.en]) {
    learn(name, { isDistrict: true }, district)
    for (const word of wordsOf(name)) if (!isEmptyWord(word)) learn(word, { isDistrict: true }, district)
  }
  const keys = keysOf(district.ta).map(quoted)
  for (const word of wordsOf(districtNicknames[district.en] ?? '')) learn(word, { conditions: keys, isDistrict: true }, district)
}
/** These are never read as another word, and no other word is corrected to one of them. */
const otherSpellings = new Set(wordsOf(otherWords))
const otherKeys = new Set(keysOf(otherWords))

export const knownKeys = [...byKey.keys()]
export const meaningOfKey = (key: string): Meaning | undefined => byKey.get(key)
export const meaningOfPart = (key: string): Meaning | undefined => byPartKey.get(key)

/** Looks up a word by its letters, then by its sound, then as a form of a known word; returns also the matching key. */
export function meaningOf(word: string): (Meaning & { key?: string }) | undefined {
  const exact = bySpelling.get(word)
  if (exact) return exact
  for (const key of keysOfForms(word)) {
    const meaning = byKey.get(key)
    if (meaning) return { ...meaning, key }
  }
  return undefined
}

/** Adjacent words that are one known word, written apart. */
export const meaningOfJoined = (words: string[]): Meaning | undefined => {
  const [keys, sound] = [words.map(keyOf), keyOf(words.join(''))]
  // "hf pasu" sounds like "pasu" alone.
  const joined = keys.includes(sound) ? undefined : byKey.get(sound)
  return bySpelling.get(words.join('')) ?? byKey.get(keys.join('')) ?? joined
}

export const isOtherWord = (word: string) => otherSpellings.has(word) || otherKeys.has(keyOf(word))

/**
 * Splits a Tamil compound: நாட்டுக்கோழி is நாட்டு and கோழி. Both parts must be known words with keys of at least three letters. The joining consonant
 * doubles the second word's first letter, and a key contains no double letters.
 */
export function splitCompound(key: string): [string, string] | null {
  for (let at = key.length - 3; at >= 3; at--) {
    const head = key.slice(0, at)
    const tail = key.slice(at)
    if (!byPartKey.has(tail)) continue
    if (byPartKey.has(head)) return [head, tail]
  }
  return null
}

import { keyOf, keysOf, slipsBetween, slipsForgiven, wordsOf } from '#src/kit/sound-keys.ts'
import { districts } from '../accounts/reference-data.ts'
import { MAX_SEARCH_CHARACTERS } from './search-limits.ts'
import { animalWords, breeds, buffaloBreedIds, categories, categoryAliases, colors, genders, marketWords } from './reference-data.ts'

const MAX_SEARCH_WORDS = 8
const MAX_ALTERNATIVES = 6

/** What a listing says of itself, as text in any language. */
export interface SearchableFacts {
  categoryId: number
  breedId: number | null
  colorId: number | null
  genderId: number | null
  ageId: number | null
  name: string
  description: string
  nameEn: string | null
  descriptionEn: string | null
  taluk: string
  district: string
  stateName: string
}

/** Words that say nothing about which animal is meant, in both languages. */
const emptyWords = new Set(
  keysOf(
    `for sale sell selling buy price rate in near at the a an of and with want wanted need
     விற்பனை விற்பனைக்கு விலை வாங்க வேண்டும் வேணும் மற்றும் உள்ள அருகில் virpanai virpanaikku vilai vaanga vendum venum`,
  ),
)

/** Every word of the trade that we know, by key, with the spelling to show when we read a slip as this word. */
const vocabulary = new Map<string, { ta: string; en: string }>()
const learn = (text: string, shown?: { ta: string; en: string }) => {
  for (const word of wordsOf(text)) {
    const key = keyOf(word)
    if (key.length > 1 && !vocabulary.has(key)) vocabulary.set(key, shown ?? { ta: word, en: word })
  }
}
for (const breed of breeds)
  [breed.ta, breed.en, ...breed.aliases].forEach((text) => learn(text, wordsOf(text).length === 1 ? breed : undefined))
for (const category of categories)
  [category.ta, category.en, category.shortTa, category.shortEn, ...(categoryAliases[category.id] ?? [])].forEach((text) => learn(text))
for (const words of animalWords) [words.female, words.male, words.young].flatMap(({ ta, en }) => [ta, en]).forEach((text) => learn(text))
for (const { ta, en } of [...colors, ...genders]) [ta, en].forEach((text) => learn(text))
for (const word of marketWords) word.words.forEach((text) => learn(text))
for (const district of districts) [district.ta, district.en].forEach((text) => learn(text, district))
const vocabularyKeys = [...vocabulary.keys()]
const breedKeys = new Set(
  breeds.flatMap(({ ta, en, aliases }) =>
    [ta, en, ...aliases]
      .map(keysOf)
      .filter((keys) => keys.length === 1)
      .flat(),
  ),
)

/** Words of the trade for one sex or for the young: they come with the animal that is one, not with its species. */
const maleWords = new Set(
  keysOf(
    'bull bulls ox oxen bullock kaalai erudhu eruthu காளை எருது buck kida kidaa kidai கிடா கெடா ram rams rooster cock cockerel seval saeval சேவல் stallion colt ஆண்',
  ),
)
const femaleWords = new Set(
  keysOf('cow cows pasu pasumaadu பசு பசுமாடு heifer கிடாரி கறவை doe ewe ewes hen hens பெட்டை பெடை mare filly பெண்'),
)
const youngWords = new Set(
  keysOf(
    'calf calves kandru kanru kannu கன்று கன்னு கன்றுக்குட்டி kid kids kutti kutty குட்டி lamb lambs chick chicks kunju குஞ்சு puppy puppies pup foal naikutti aattukutti',
  ),
)
/** Up to 12 months. */
const YOUNG_AGE_ID = 4

/** Crosses, exotics and breeds made by institutes; everything else in the lists is what people call நாட்டு, country-bred. */
const bredElsewhere = new Set([118, 119, 214, 313, 408, 409, 410, 411, 412, 413, 414, 608])
const COUNTRY_WORDS = 'நாட்டு country native desi'

/** What a listing is found by: what it is, and where it stands. Stored as one tsvector, the first with weight A. */
export interface SearchKeys {
  own: string[]
  place: string[]
}

export function searchKeysFor(facts: SearchableFacts): SearchKeys {
  const category = categories.find((c) => c.id === facts.categoryId)
  const breed = breeds.find((b) => b.id === facts.breedId)
  const color = colors.find((c) => c.id === facts.colorId)
  const district = districts.find((d) => d.en === facts.district)
  const texts = [
    facts.name,
    facts.description,
    facts.nameEn,
    facts.descriptionEn,
    category?.ta,
    category?.en,
    category?.shortTa,
    category?.shortEn,
    breed?.ta,
    breed?.en,
    ...(breed?.aliases ?? []),
    breed && !bredElsewhere.has(breed.id) ? COUNTRY_WORDS : null,
    color?.ta,
    color?.en,
    ...tradeColors(facts),
  ]
  // One key for the state: the நாடு in தமிழ்நாடு must not answer to நாட்டு.
  const place = [...[facts.taluk, facts.district, district?.ta ?? ''].flatMap(keysOf), keysOf(facts.stateName).join('')]
  return { own: withParts([...texts.flatMap((text) => (text ? keysOf(text) : [])), ...speciesKeys(facts)]), place: withParts(place) }
}

const withParts = (keys: string[]) => [...new Set(keys.flatMap((key) => [key, ...(splitCompound(key) ?? [])]))]

function tradeColors(facts: SearchableFacts): string[] {
  const { colorId } = facts
  if (colorId === null) return []
  return marketWords.filter((w) => w.categoryIds.includes(facts.categoryId) && w.colorIds.includes(colorId)).flatMap((w) => w.words)
}

/** Single words for the species, without those of another sex or age, plus the animal's own (பசு, காளை, கன்று). */
function speciesKeys(facts: SearchableFacts): string[] {
  const isFemale = facts.genderId === 0 || facts.genderId === 3
  const isMale = facts.genderId === 1 || facts.genderId === 2 || facts.genderId === 3
  const isYoung = facts.ageId !== null && facts.ageId <= YOUNG_AGE_ID
  const words = animalWords.find((a) => a.categoryId === facts.categoryId)
  const own = [isFemale && words?.female, isMale && words?.male, isYoung && words?.young].filter(
    (word) => word !== false && word !== undefined,
  )
  const fits = (key: string) => (isFemale || !femaleWords.has(key)) && (isMale || !maleWords.has(key)) && (isYoung || !youngWords.has(key))
  const aliases = (categoryAliases[facts.categoryId] ?? []).filter((alias) => wordsOf(alias).length === 1)
  const species = facts.breedId !== null && buffaloBreedIds.includes(facts.breedId) ? [] : aliases.flatMap(keysOf)
  return [
    ...species.filter((key) => fits(key) && splitCompound(key) === null),
    ...own.flatMap((word) => [...keysOf(word.ta), ...keysOf(word.en)]),
  ]
}

export interface SearchWord {
  /** As typed. */
  typed: string
  /** Keys of which one must be there. */
  keys: string[]
  /** Or, for a joined word, all of these. */
  parts: [string, string] | null
  /** The word is a breed's whole name: who types Mecheri means the sheep, not whatever stands in the town of Mecheri. */
  isBreed: boolean
  /** A key that a listing's word may begin with, for words we do not know. */
  prefix: string | null
  /** The word we took a slip for, to tell the reader. */
  readAs: { ta: string; en: string } | null
}

/** Reads a search as words that must all be met; empty when it says nothing. */
export function readSearch(text: string): SearchWord[] {
  const words = wordsOf(text.slice(0, MAX_SEARCH_CHARACTERS))
    .map((typed) => ({ typed, key: keyOf(typed) }))
    .filter(({ key }) => key !== '')
  const telling = words.filter(({ key }) => !emptyWords.has(key))
  return (telling.length > 0 ? telling : words).slice(0, MAX_SEARCH_WORDS).map(({ typed, key }) => readWord(typed, key))
}

function readWord(typed: string, key: string): SearchWord {
  const parts = splitCompound(key)
  if (parts || vocabulary.has(key)) return { typed, keys: [key], parts, isBreed: breedKeys.has(key), prefix: null, readAs: null }
  const begun = key.length >= 3 ? vocabularyKeys.filter((known) => known.startsWith(key)).slice(0, MAX_ALTERNATIVES) : []
  const meant = begun.length > 0 ? [] : nearestWords(key)
  return {
    typed,
    keys: [key, ...begun, ...meant],
    parts: null,
    isBreed: meant.some((known) => breedKeys.has(known)),
    prefix: key.length >= 3 ? key : null,
    readAs: meant.length > 0 ? vocabulary.get(meant[0]!)! : null,
  }
}

function nearestWords(key: string): string[] {
  const limit = slipsForgiven(key)
  if (limit === 0) return []
  const near = vocabularyKeys
    .map((known) => ({ known, slips: known.length < 4 ? limit + 1 : slipsBetween(key, known, limit) }))
    .filter(({ slips }) => slips <= limit)
  const best = Math.min(...near.map(({ slips }) => slips))
  return near
    .filter(({ slips }) => slips === best)
    .map(({ known }) => known)
    .slice(0, MAX_ALTERNATIVES)
}

/** Tamil joins words: நாட்டுக்கோழி is நாட்டு and கோழி. Two known words, three letters or more each. */
function splitCompound(key: string): [string, string] | null {
  for (let at = key.length - 3; at >= 3; at--) {
    const head = key.slice(0, at)
    const tail = key.slice(at)
    if (!vocabulary.has(tail)) continue
    if (vocabulary.has(head)) return [head, tail]
    // The joining consonant (க், ச், த், ப்) that the first word got from the second.
    if (/[kctp]$/.test(head) && vocabulary.has(head.slice(0, -1))) return [head.slice(0, -1), tail]
  }
  return null
}

/** The tsquery text. Keys are letters and digits of any script, so quoting them is enough. */
export function toTsQuery(words: SearchWord[]): string {
  return words
    .map((word) => {
      const alternatives = word.keys.map((key) => quoted(key) + (word.isBreed ? ':A' : ''))
      if (word.parts) alternatives.push(`(${word.parts.map(quoted).join(' & ')})`)
      if (word.prefix) alternatives.push(`${quoted(word.prefix)}:*`)
      return `(${alternatives.join(' | ')})`
    })
    .join(' & ')
}

const quoted = (key: string) => `'${key.replace(/['\\]/g, '')}'`

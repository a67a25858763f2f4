import { keyOf, keysOf, wordsOf } from '#src/kit/text/sound-keys.ts'
import { readSearch, toTsQuery, toTsVector, type SearchKeys } from '#src/listings/browse/search.server.ts'
import {
  isEmptyWord,
  meaningOf,
  meaningOfJoined,
  meaningOfPart,
  splitCompound,
  tradeLexeme,
  type Meaning,
} from '#src/listings/reference/vocabulary.server.ts'

/** The most words in one term of the trade: "country chicken eggs" has three. */
const JOINED_WORDS = [3, 2]

/**
 * Words that mean different animals in a listing, which states its kind, but the same animal in conversation: one person writes மாடு for
 * what another calls a cow.
 */
const alikeInTalk = [
  ['cattle', 'cow', 'pasu'],
  ['goat', 'aadu', 'sheep'],
  ['kid', 'lamb', 'kutti'],
  ['chicken', 'hen'],
]
/** The consonant that joins a word to the next one: பசுவுக்குக் காய்ச்சல். */
const JOINING = /(?<=..)[கசதப]்$/u

/**
 * The search index entry of a discussion, as tsvector text: the sound of its words and their meaning in the trade, so that a search for
 * "cow" finds a post with பசு. Uses the rules of the search for animals.
 */
export function searchVectorOf(text: string): string {
  const keys: SearchKeys = new Map()
  const add = (key: string) => {
    if (key.length > 1) keys.set(key, 'A')
  }
  const addMeaning = ({ conditions, tradeWords, isDistrict, shown }: Meaning) => {
    // A town's name sounds different in the two languages.
    if (isDistrict) for (const key of keysOf(`${shown.ta} ${shown.en}`)) add(key)
    for (const { id } of tradeWords) for (const alike of alikeInTalk.find((ids) => ids.includes(id)) ?? [id]) add(tradeLexeme(alike))
    for (const condition of conditions) for (const [, lexeme] of condition.matchAll(/'([^']+)'/g)) add(lexeme!)
  }
  const words = wordsOf(text)
    .map((word) => (meaningOf(word) ? word : word.replace(JOINING, '')))
    .filter((word) => !isEmptyWord(word))
  for (const [at, word] of words.entries()) {
    const key = keyOf(word)
    add(key)
    const meaning = meaningOf(word)
    if (meaning) {
      add(meaning.key ?? key)
      addMeaning(meaning)
    } else
      for (const part of splitCompound(key) ?? []) {
        add(part)
        addMeaning(meaningOfPart(part)!)
      }
    for (const count of JOINED_WORDS) {
      const some = words.slice(at, at + count)
      const joined = some.length === count && meaningOfJoined(some)
      if (!joined) continue
      add(some.map(keyOf).join(''))
      addMeaning(joined)
    }
  }
  return toTsVector(keys)
}

/** The query as tsquery text; null when it has no meaningful word. */
export function searchQueryOf(text: string): string | null {
  const words = readSearch(text)
  return words.length > 0 ? toTsQuery(words) : null
}

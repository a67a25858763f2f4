import spoken from './number-words.json' with { type: 'json' }
import { keyOf, wordsOf } from './sound-keys.ts'
import type { Token } from './tokens.ts'

/** The words of a language with their values. */
const wordsIn = (rows: Record<string, string>) =>
  Object.entries(rows).flatMap(([value, words]) => words.split(' ').map((word) => [word, Number(value)] as const))
const byLetters = /* @__PURE__ */ new Map([...wordsIn(spoken.english), ...wordsIn(spoken.tamil)])
/** The sound keys of words in Tamil letters also match Latin letters. */
const byKey = /* @__PURE__ */ new Map(wordsIn(spoken.tamil).map(([word, value]) => [keyOf(word), value]))
const isLatin = (word: string) => /^[a-z]/.test(word)

/**
 * "ரெண்டு", "rendu", "two", "எண்பத்தைந்து", "seventyfive". Tamil words below twenty are matched by letters, because
 * இறந்து (died) sounds like இரண்டு (two). Null: no number.
 */
export const numberWord = (plain: string): number | null =>
  byLetters.get(plain) ?? (isLatin(plain) ? byKey.get(keyOf(plain)) : undefined) ?? tensAndOnes(plain)

const ENGLISH = /^([a-z]+ty)(one|two|three|four|five|six|seven|eight|nine)$/
/** 21 to 99 in one word. */
function tensAndOnes(plain: string): number | null {
  // No shorter word is one, and the sound takes time.
  if (plain.length < 7) return null
  const [tens, ones] = (ENGLISH.exec(plain)?.slice(1) ?? []).map((word) => byLetters.get(word))
  if (tens && ones) return tens + ones
  const parts = TENS_AND_ONES.exec(keyOf(plain))?.slice(1)
  if (!parts) return null
  const at = (from: number, to: number) => parts.slice(from, to).findIndex((part) => part !== undefined)
  return (at(0, 8) + 2) * 10 + at(8, 17) + 1
}

/** "2வது" is two tokens. These ordinals are one token. */
const ordinals: [number, string][] = [
  [1, 'முதல் முதலாவது முதலாம் தலை தலைச்சன் தலச்சன் தலையீத்து தலைஈத்து first'],
  [2, 'இரண்டாவது ரெண்டாவது இரண்டாம் ரெண்டாம் second'],
  [3, 'மூன்றாவது மூணாவது மூனாவது மூன்றாம் மூணாம் third'],
  [4, 'நான்காவது நாலாவது நான்காம் நாலாம் fourth'],
  [5, 'ஐந்தாவது அஞ்சாவது ஐந்தாம் அஞ்சாம் fifth'],
  [6, 'ஆறாவது ஆறாம் sixth'],
  [7, 'ஏழாவது ஏழாம் seventh'],
]
const ordinalKeys = new Map(ordinals.flatMap(([value, words]) => words.split(' ').map((word) => [keyOf(word), value] as const)))
export const ordinalWord = (plain: string): number | null => ordinalKeys.get(keyOf(plain)) ?? null

/** The sound keys of 1 to 9 before a thousand, as in ரெண்டாயிரம், அஞ்சாயிரம். */
const unitSounds = ['or|onr?', '[ie]?rant|[ie]?rent|ir', 'munr|muv|mun', 'nank|nal', 'aint|anc|inc|ay', 'ar', 'el', 'et', 'onpat|ompat']
/** Those of 10 to 90: பத்து, இருபத்து … தொண்ணூற்று. */
const tenSounds = ['pat', 'iru[pv]at', 'mupat', 'narpat|napat', 'ai?mpat', 'aru[pv]at', 'elu[pv]at', 'e[nm]pat', 'tonu[rt]']
const TWELVE = 'pan(?:i|e|ie)?(?:r[ae])?nt'
const oneOf = (sounds: string[]) => sounds.map((each) => `(${each})`).join('|')
/** பதினாலாயிரம், இருபத்தைந்தாயிரம், எண்பதாயிரத்து (before a smaller number), "irubathanjayiram". */
const THOUSANDS = /* @__PURE__ */ new RegExp(
  `^(?:(${TWELVE})|(?:(?:${oneOf(tenSounds)})(?:i[yn]?|u)?)?(?:${oneOf(unitSounds)})?)ayira(?:m|tu|ti)$`,
)

/** இருபத்தொன்று, எண்பத்தஞ்சு, "irubathanju". */
const twentyOn = oneOf(tenSounds.slice(1))
const TENS_AND_ONES = /* @__PURE__ */ new RegExp(`^(?:${twentyOn})(?:i[yn]?|u)?(?:${oneOf(unitSounds)})u$`)

/** The value of one word for thousands. Null: none. The bare word for a thousand is a unit. */
export function joinedThousand(plain: string): number | null {
  const [, twelve, ...parts] = THOUSANDS.exec(keyOf(plain)) ?? []
  if (twelve !== undefined) return 12_000
  const digitAt = (from: number) => parts.slice(from, from + 9).findIndex((part) => part !== undefined) + 1
  return (digitAt(0) * 10 + digitAt(9)) * 1000 || null
}

/** ஒருலட்சம், "rendulatcham": a number and a lakh in one word. Null: none. */
export function joinedLakh(plain: string): number | null {
  const number = numberWord(/^(.{2,}?)(?:இ?லட்ச|லக்ஷ|lat?ch|lakh)/u.exec(plain)?.[1] ?? '')
  return number && number * 100_000
}

/** Recognises words by their letters, and longer ones by their sound in either script. */
export function heardAs(words: string): (token: Token | undefined) => boolean {
  const letters = new Set(wordsOf(words))
  const keys = new Set([...letters].map(keyOf))
  return (token) =>
    token !== undefined && token.value === null && (letters.has(token.plain) || (token.key.length > 2 && keys.has(token.key)))
}

export const THOUSAND = 'ஆயிரம் ஆயிரத்து ஆயிரத்தி ayiram aayiram thousand thousands ஆயிர'
export const MONEY = 'விலை ரேட் ரேட்டு price rate vilai rs rupees rupee ரூபாய் ரூபாய்க்கு ரூ ரூபா ruba rupa amount inr'
export const LAKH = 'லட்சம் லட்ச லட்சத்து லட்சத்தி லக்ஷம் இலட்சம் lakh lakhs lac lacs latcham lakhu'
const factors: readonly [number, (token: Token | undefined) => boolean][] = /* @__PURE__ */ (() => [
  [10_000_000, heardAs('கோடி crore crores cr')],
  [100_000, heardAs(`${LAKH} lkh lk lks`)],
  [1000, heardAs(`${THOUSAND} thou k ஆ`)],
  [100, heardAs('hundred')],
])()

const isBareUnit = /* @__PURE__ */ heardAs(`${THOUSAND} ${LAKH}`)
/** A thousand or a lakh that a word alone states: "ஆயிரம் ரூபாய்". Abbreviations state none. */
export const bareUnit = (token: Token | undefined): number | null => (isBareUnit(token) ? unitOf(token) : null)

/** The factor that this word means behind a number: "lakh", "ஆயிரம்", "k". Null: none. */
export const unitOf = (token: Token | undefined): number | null => factors.find(([, isHeard]) => isHeard(token))?.[0] ?? null

import { keyOf, wordsOf } from './sound-keys.ts'
import type { Token } from './tokens.ts'

/** Spoken number words in Tamil letters. Their sound keys also match Latin letters. */
const tamil: [number, string][] = [
  [0.5, 'அரை'],
  [1, 'ஒரு ஒன்று ஒண்ணு ஒன்னு'],
  [1.25, 'ஒன்றேகால் ஒன்னேகால் ஒண்ணேகால்'],
  [1.75, 'ஒன்றேமுக்கால் ஒன்னேமுக்கால் ஒண்ணேமுக்கால்'],
  [2.25, 'இரண்டேகால் ரெண்டேகால்'],
  [2.75, 'இரண்டேமுக்கால் ரெண்டேமுக்கால்'],
  [3.25, 'மூன்றேகால் மூணேகால்'],
  [1.5, 'ஒன்றரை ஒன்னரை ஒண்ணரை'],
  [2, 'இரண்டு ரெண்டு இரு'],
  [2.5, 'இரண்டரை ரெண்டரை'],
  [3, 'மூன்று மூணு மூனு'],
  [3.5, 'மூன்றரை மூணரை மூனரை'],
  [4, 'நான்கு நாலு'],
  [4.5, 'நாலரை நான்கரை'],
  [5, 'ஐந்து அஞ்சு ஐஞ்சு'],
  [5.5, 'ஐந்தரை அஞ்சரை'],
  [6, 'ஆறு'],
  [7, 'ஏழு'],
  [8, 'எட்டு'],
  [9, 'ஒன்பது ஒம்பது'],
  [10, 'பத்து'],
  [11, 'பதினொன்று பதினொண்ணு'],
  [12, 'பன்னிரண்டு பன்னெண்டு'],
  [13, 'பதிமூன்று பதிமூணு'],
  [14, 'பதினான்கு பதினாலு'],
  [15, 'பதினைந்து பதினஞ்சு'],
  [16, 'பதினாறு'],
  [17, 'பதினேழு'],
  [18, 'பதினெட்டு'],
  [19, 'பத்தொன்பது'],
  [20, 'இருபது இருபத்தி இருபதி'],
  [30, 'முப்பது முப்பத்தி'],
  [40, 'நாற்பது நாப்பது நாற்பத்தி நாப்பத்தி'],
  [50, 'ஐம்பது அம்பது ஐம்பத்தி அம்பத்தி'],
  [60, 'அறுபது அறுபத்தி'],
  [70, 'எழுபது எழுபத்தி'],
  [80, 'எண்பது எண்பத்தி'],
  [90, 'தொண்ணூறு தொண்ணூத்தி'],
  [100, 'நூறு'],
  [200, 'இருநூறு'],
  [300, 'முந்நூறு முன்னூறு'],
  [400, 'நானூறு'],
  [500, 'ஐந்நூறு ஐநூறு'],
  [600, 'அறுநூறு'],
  [700, 'எழுநூறு'],
  [800, 'எண்ணூறு'],
  [900, 'தொள்ளாயிரம்'],
]
const english: [number, string][] = [
  [0.5, 'half'],
  [1, 'one a an single'],
  [2, 'two'],
  [3, 'three'],
  [4, 'four'],
  [5, 'five'],
  [6, 'six'],
  [7, 'seven'],
  [8, 'eight'],
  [9, 'nine'],
  [10, 'ten'],
  [11, 'eleven'],
  [12, 'twelve'],
  [13, 'thirteen'],
  [14, 'fourteen'],
  [15, 'fifteen'],
  [16, 'sixteen'],
  [17, 'seventeen'],
  [18, 'eighteen'],
  [19, 'nineteen'],
  [20, 'twenty'],
  [25, 'twentyfive'],
  [30, 'thirty'],
  [40, 'forty'],
  [50, 'fifty'],
  [60, 'sixty'],
  [70, 'seventy'],
  [80, 'eighty'],
  [90, 'ninety'],
]
const words = (rows: [number, string][]) => rows.flatMap(([value, each]) => each.split(' ').map((word) => [word, value] as const))
const byLetters = /* @__PURE__ */ new Map(words([...english, ...tamil]))
const byKey = /* @__PURE__ */ new Map(words(tamil).map(([word, value]) => [keyOf(word), value]))
const isLatin = (word: string) => /^[a-z]/.test(word)

/** "ரெண்டு", "rendu", "two". Tamil words are matched by letters, because இறந்து (died) sounds like இரண்டு (two). Null: no number. */
export const numberWord = (plain: string): number | null =>
  byLetters.get(plain) ?? (isLatin(plain) ? byKey.get(keyOf(plain)) : undefined) ?? null

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

/** Tens and hundreds joined with a thousand: அறுபதாயிரம், இருபத்தைந்தாயிரம், "arubathayiram". */
const tens: [number, string][] = [
  [10, 'பத்'],
  [20, 'இருபத்'],
  [30, 'முப்பத்'],
  [40, 'நாற்பத்'],
  [50, 'ஐம்பத்'],
  [60, 'அறுபத்'],
  [70, 'எழுபத்'],
  [80, 'எண்பத்'],
  [90, 'தொண்ணூற்'],
]
const units: [number, string][] = [
  [0, ''],
  [1, 'தோரா'],
  [2, 'திரண்டா'],
  [3, 'துமூவா'],
  [4, 'துநாலா'],
  [5, 'தைந்தா'],
  [6, 'தாறா'],
  [7, 'தேழா'],
  [8, 'தெட்டா'],
]
const aloneThousands: [number, string][] = [
  [1000, 'ஆயிரம்'],
  [2000, 'இரண்டாயிரம் ரெண்டாயிரம்'],
  [3000, 'மூன்றாயிரம் மூவாயிரம்'],
  [4000, 'நான்காயிரம் நாலாயிரம்'],
  [5000, 'ஐந்தாயிரம் ஐயாயிரம்'],
  [6000, 'ஆறாயிரம்'],
  [7000, 'ஏழாயிரம்'],
  [8000, 'எட்டாயிரம்'],
  [9000, 'ஒன்பதாயிரம்'],
  [12000, 'பன்னிரண்டாயிரம் பன்னிரெண்டாயிரம்'],
  [15000, 'பதினைந்தாயிரம்'],
  [18000, 'பதினெட்டாயிரம்'],
]
const joinedThousands = /* @__PURE__ */ thousandsByKey()

function thousandsByKey(): Map<string, number> {
  const found = new Map<string, number>()
  const add = (value: number, word: string) => {
    found.set(keyOf(word), value)
    // Before a smaller number: எண்பதாயிரத்து ஐநூறு.
    found.set(keyOf(word.replace(/ம்$/u, 'த்து')), value)
  }
  for (const [ten, stem] of tens) {
    for (const [unit, ending] of units) {
      const joined = unit === 0 ? `${stem}தாயிரம்`.replace('ற்தா', 'றா') : `${stem}${ending}யிரம்`.replace('ற்த', 'ற்ற')
      add((ten + unit) * 1000, joined)
    }
  }
  for (const [value, words] of aloneThousands) for (const word of words.split(' ')) add(value, word)
  return found
}

/** The value of a word that is a number of rupees on its own. Null: none. The bare word for a thousand is a unit. */
export function joinedThousand(plain: string): number | null {
  const value = joinedThousands.get(keyOf(plain)) ?? null
  return value === 1000 ? null : value
}

/** Recognises words by their letters, and longer ones by their sound in either script. */
export function heardAs(words: string): (token: Token | undefined) => boolean {
  const letters = new Set(wordsOf(words))
  const keys = new Set([...letters].map(keyOf))
  return (token) =>
    token !== undefined && token.value === null && (letters.has(token.plain) || (token.key.length > 2 && keys.has(token.key)))
}

export const THOUSAND = 'ஆயிரம் ஆயிரத்து ஆயிரத்தி ayiram aayiram thousand thousands ஆயிர'
export const MONEY = 'விலை ரேட் ரேட்டு price rate vilai rs rupees rupee ரூபாய் ரூ ரூபா ruba rupa amount inr'
export const LAKH = 'லட்சம் லட்ச லட்சத்து லட்சத்தி லக்ஷம் இலட்சம் lakh lakhs lac lacs latcham lakhu'
const factors: readonly [number, (token: Token | undefined) => boolean][] = /* @__PURE__ */ (() => [
  [10_000_000, heardAs('கோடி crore crores cr')],
  [100_000, heardAs(LAKH)],
  [1000, heardAs(`${THOUSAND} k ஆ`)],
  [100, heardAs('hundred')],
])()

/** The factor that this word means behind a number: "lakh", "ஆயிரம்", "k". Null: none. */
export const unitOf = (token: Token | undefined): number | null => factors.find(([, isHeard]) => isHeard(token))?.[0] ?? null

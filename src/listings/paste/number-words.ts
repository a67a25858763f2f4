import { keyOf } from '#src/kit/text/sound-keys.ts'

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
  [20, 'இருபது இருபத்தி இருபதி'],
  [30, 'முப்பது முப்பத்தி'],
  [40, 'நாற்பது நாப்பது நாற்பத்தி நாப்பத்தி'],
  [50, 'ஐம்பது அம்பது ஐம்பத்தி அம்பத்தி'],
  [60, 'அறுபது அறுபத்தி'],
  [70, 'எழுபது எழுபத்தி'],
  [80, 'எண்பது எண்பத்தி'],
  [90, 'தொண்ணூறு தொண்ணூத்தி'],
  [100, 'நூறு'],
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
  [12, 'twelve'],
  [15, 'fifteen'],
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
const byLetters = new Map(words([...english, ...tamil]))
const byKey = new Map(words(tamil).map(([word, value]) => [keyOf(word), value]))
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
const joinedThousands = new Map<string, number>()
for (const [ten, stem] of tens) {
  for (const [unit, ending] of units) {
    const joined = unit === 0 ? `${stem}தாயிரம்`.replace('ற்தா', 'றா') : `${stem}${ending}யிரம்`.replace('ற்த', 'ற்ற')
    joinedThousands.set(keyOf(joined), (ten + unit) * 1000)
  }
}
for (const [value, word] of [
  [1000, 'ஆயிரம்'],
  [2000, 'இரண்டாயிரம்'],
  [2000, 'ரெண்டாயிரம்'],
  [3000, 'மூன்றாயிரம்'],
  [3000, 'மூவாயிரம்'],
  [4000, 'நான்காயிரம்'],
  [4000, 'நாலாயிரம்'],
  [5000, 'ஐந்தாயிரம்'],
  [5000, 'ஐயாயிரம்'],
  [6000, 'ஆறாயிரம்'],
  [7000, 'ஏழாயிரம்'],
  [8000, 'எட்டாயிரம்'],
  [9000, 'ஒன்பதாயிரம்'],
  [12000, 'பன்னிரண்டாயிரம்'],
  [12000, 'பன்னிரெண்டாயிரம்'],
  [15000, 'பதினைந்தாயிரம்'],
  [18000, 'பதினெட்டாயிரம்'],
] as const)
  joinedThousands.set(keyOf(word), value)

/** The value of a word that is a number of rupees on its own. Null: none. The bare word for a thousand is a unit. */
export function joinedThousand(plain: string): number | null {
  const value = joinedThousands.get(keyOf(plain)) ?? null
  return value === 1000 ? null : value
}

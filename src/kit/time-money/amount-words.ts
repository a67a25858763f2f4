import type { Locale } from '#src/kit/text/locale.ts'
import type { Money } from '#src/kit/time-money/money.ts'

/**
 * An amount in words, as documents show it: lakh and crore, rupees and paise. Tamil joins its numerals (நூற்று ஐம்பது, not "ஒன்று நூறு ஐம்பது"),
 * which the existing packages with Tamil do not do. Rounds half up to whole paise, the smallest coin.
 */
export function amountInWords(money: Money, locale: Locale): string {
  const paiseInAll = (money + 50n) / 100n
  const rupees = Number(paiseInAll / 100n)
  const paise = Number(paiseInAll % 100n)
  if (locale === 'ta') {
    const parts = [rupees > 0 || paise === 0 ? `${counted(rupees)} ரூபாய்` : '', paise > 0 ? `${counted(paise)} பைசா` : '']
    return `${parts.filter(Boolean).join(' ')} மட்டும்`
  }
  const parts = [
    rupees > 0 || paise === 0 ? `${inEnglish(rupees)} ${rupees === 1 ? 'rupee' : 'rupees'}` : '',
    paise > 0 ? `${inEnglish(paise)} paise` : '',
  ]
  const text = parts.filter(Boolean).join(' and ')
  return `${text[0]!.toUpperCase()}${text.slice(1)} only`
}

const CRORE = 10_000_000
const LAKH = 100_000

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function inEnglish(n: number): string {
  if (n < 20) return small[n]!
  if (n < 100) return tens[Math.floor(n / 10)]! + (n % 10 ? `-${small[n % 10]}` : '')
  for (const [size, name] of [
    [CRORE, 'crore'],
    [LAKH, 'lakh'],
    [1000, 'thousand'],
    [100, 'hundred'],
  ] as const) {
    if (n >= size) return `${inEnglish(Math.floor(n / size))} ${name}${n % size ? ` ${inEnglish(n % size)}` : ''}`
  }
  throw new Error(`No words for ${n}`)
}

const units = [
  'பூஜ்யம்',
  ...'ஒன்று இரண்டு மூன்று நான்கு ஐந்து ஆறு ஏழு எட்டு ஒன்பது பத்து'.split(' '),
  ...'பதினொன்று பன்னிரண்டு பதின்மூன்று பதினான்கு பதினைந்து பதினாறு பதினேழு பதினெட்டு பத்தொன்பது'.split(' '),
]
const tensAlone = '  இருபது முப்பது நாற்பது ஐம்பது அறுபது எழுபது எண்பது தொண்ணூறு'.split(' ')
const tensBefore = '  இருபத்து முப்பத்து நாற்பத்து ஐம்பத்து அறுபத்து எழுபத்து எண்பத்து தொண்ணூற்று'.split(' ')
const hundredsAlone = ' நூறு இருநூறு முந்நூறு நானூறு ஐந்நூறு அறுநூறு எழுநூறு எண்ணூறு தொள்ளாயிரம்'.split(' ')
const hundredsBefore = ' நூற்று இருநூற்று முந்நூற்று நானூற்று ஐந்நூற்று அறுநூற்று எழுநூற்று எண்ணூற்று தொள்ளாயிரத்து'.split(' ')
/** Numerals merged with the word for a thousand, without its ending. */
const thousands = [
  '',
  ...'ஆயிர இரண்டாயிர மூவாயிர நான்காயிர ஐயாயிர ஆறாயிர ஏழாயிர எட்டாயிர ஒன்பதாயிர பத்தாயிர'.split(' '),
  ...'பதினோராயிர பன்னிரண்டாயிர பதின்மூன்றாயிர பதினான்காயிர பதினைந்தாயிர பதினாறாயிர பதினேழாயிர பதினெட்டாயிர பத்தொன்பதாயிர'.split(' '),
]
const tensOfThousands = '  இருபதாயிர முப்பதாயிர நாற்பதாயிர ஐம்பதாயிர அறுபதாயிர எழுபதாயிர எண்பதாயிர தொண்ணூறாயிர'.split(' ')
/** Forms after tens: 21,000 is இருபத்து ஓராயிரம், 25,000 இருபத்து ஐந்தாயிரம். */
const thousandsAfterTens: Record<number, string> = { 1: 'ஓராயிர', 3: 'மூன்றாயிர', 5: 'ஐந்தாயிர' }

function inTamil(n: number): string {
  if (n < 20) return units[n]!
  if (n < 100) return n % 10 === 0 ? tensAlone[n / 10]! : `${tensBefore[Math.floor(n / 10)]} ${units[n % 10]}`
  if (n < 1000) return n % 100 === 0 ? hundredsAlone[n / 100]! : `${hundredsBefore[Math.floor(n / 100)]} ${inTamil(n % 100)}`
  if (n < LAKH) return joined(thousandStem(Math.floor(n / 1000)), 'ம்', 'த்து', n % 1000)
  if (n < CRORE) return joined(`${counted(Math.floor(n / LAKH))} லட்ச`, 'ம்', 'த்து', n % LAKH)
  return joined(`${counted(Math.floor(n / CRORE))} கோடி`, '', 'யே', n % CRORE)
}

function thousandStem(n: number): string {
  if (n < 20) return thousands[n]!
  if (n % 10 === 0) return tensOfThousands[n / 10]!
  return `${tensBefore[Math.floor(n / 10)]} ${thousandsAfterTens[n % 10] ?? thousands[n % 10]}`
}

/** Before a counted noun, ஒன்று becomes ஒரு, also at the end of a larger number. */
const counted = (n: number) =>
  inTamil(n)
    .replace(/பதினொன்று$/, 'பதினொரு')
    .replace(/ஒன்று$/, 'ஒரு')
const joined = (stem: string, alone: string, before: string, rest: number) =>
  rest === 0 ? stem + alone : `${stem}${before} ${inTamil(rest)}`

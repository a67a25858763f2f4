import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { readRupees } from '#src/kit/time-money/amounts.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { fieldRupees, formatRupees, parseRupees, rupees, type Money } from '#src/kit/time-money/money.ts'
import { formRupees, sentRupees } from '#src/kit/time-money/money-schemas.ts'
import { checkListing, readTyped } from '#src/listings/write/listing-input.ts'
import { understand } from '#src/listings/paste/understand.server.ts'
import { browsePath, readBrowse } from '#src/listings/browse/schemas.ts'
import { quickEditFields, quickEditInput } from '#src/selling/own/quick-edit-schemas.ts'
import { readFee, withTypedFee } from '#src/selling/owners/owner-input.server.ts'
import { checkEnquiry, typedEnquiry } from './schemas.ts'

/** One idea of a price: every form, the price filter and the paste box read a writing alike. */

const writings: [string, number][] = [
  ['85000', 85_000],
  ['85,000', 85_000],
  ['8,50,000', 850_000],
  ['1,25,000', 125_000],
  ['12,50,000', 1_250_000],
  ['850,000', 850_000],
  ['85.000', 85_000],
  ['85.500', 85_500],
  ['1.25.000', 125_000],
  ['850.000', 850_000],
  ['85 000', 85_000],
  ['1 25 000', 125_000],
  ['85\u00a0000', 85_000],
  ["85'000", 85_000],
  ['85000.00', 85_000],
  ['85,000.50', 85_000.5],
  ['85,000.125', 85_000.125],
  ['1250.50', 1250.5],
  ['1250.1250', 1250.125],
  ['1250.5', 1250.5],
  ['₹85000', 85_000],
  ['₨85000', 85_000],
  ['₨ 85,000/-', 85_000],
  ['₹85000 each', 85_000],
  ['85000 per piece', 85_000],
  ['85000 per head', 85_000],
  ['85,000 neg', 85_000],
  ['85000 ஒன்றுக்கு', 85_000],
  ['₹ 85,000', 85_000],
  ['₹85,000/-', 85_000],
  ['85000/-', 85_000],
  ['85000 /-', 85_000],
  ['85000/=', 85_000],
  ['85,000.00/-', 85_000],
  ['Rs.85000', 85_000],
  ['Rs 85000', 85_000],
  ['rs.85,000/-', 85_000],
  ['RS: 85000', 85_000],
  ['INR 85,000', 85_000],
  ['85000 rs', 85_000],
  ['85000rs', 85_000],
  ['85000 rupees', 85_000],
  ['85000 only', 85_000],
  ['Price 85000', 85_000],
  ['₹.85,000', 85_000],
  ['85000 ரூபாய்க்கு', 85_000],
  ['85000 தான்', 85_000],
  ['8.5 lks', 850_000],
  ['85k', 85_000],
  ['85K', 85_000],
  ['85 k', 85_000],
  ['85.5k', 85_500],
  ['85k/-', 85_000],
  ['85 thousand', 85_000],
  ['85 thou', 85_000],
  ['85·000', 85_000],
  ['1.2 lkh', 120_000],
  ['1.2 lakh', 120_000],
  ['1.2lakh', 120_000],
  ['1.25 lakhs', 125_000],
  ['1 lac', 100_000],
  ['1.2L', 120_000],
  ['₹1.2L', 120_000],
  ['1½ lakh', 150_000],
  ['1 lakh 25 thousand', 125_000],
  ['1 lakh 25k', 125_000],
  ['1 lakh 25,000', 125_000],
  ['two lakh', 200_000],
  ['eighty five thousand', 85_000],
  ['Eighty-five thousand rupees only', 85_000],
  ['eighty five thousand five hundred', 85_500],
  ['௮௫௦௦௦', 85_000],
  ['௮௫,௦௦௦', 85_000],
  ['₹௮௫,௦௦௦', 85_000],
  ['८५,०००', 85_000],
  ['85 ஆயிரம்', 85_000],
  ['85ஆயிரம்', 85_000],
  ['85 ஆயிரம் ரூபாய்', 85_000],
  ['ரூ.85000', 85_000],
  ['ரூ. 85,000/-', 85_000],
  ['ரூபாய் 85000', 85_000],
  ['85,000 ரூபாய் மட்டும்', 85_000],
  ['விலை 85000', 85_000],
  ['1.2 லட்சம்', 120_000],
  ['1 லட்சத்து 20 ஆயிரம்', 120_000],
  ['ஒரு லட்சம்', 100_000],
  ['ஒன்றரை லட்சம்', 150_000],
  ['இரண்டு லட்சம்', 200_000],
  ['எண்பதாயிரம்', 80_000],
  ['எண்பத்தைந்தாயிரம்', 85_000],
  ['முப்பத்தி ஐந்தாயிரம்', 35_000],
  ['எண்பதாயிரத்து ஐநூறு', 80_500],
  ['ஐநூறு ரூபாய்', 500],
  ['mupathi anju ayiram', 35_000],
  ['65 ayiram', 65_000],
  ['ஆயிரம் ரூபாய்', 1000],
  ['ஆயிரம்', 1000],
  ['aayiram rupees', 1000],
  ['ஆயிரத்து ஐநூறு', 1500],
  ['லட்சம் ரூபாய்', 100_000],
  ['முக்கால் லட்சம்', 75_000],
  ['அஞ்சாயிரம்', 5000],
  ['மூணாயிரம்', 3000],
  ['பத்தாயிரம்', 10_000],
  ['பதினோராயிரம்', 11_000],
  ['பதினொன்றாயிரம்', 11_000],
  ['பன்னெண்டாயிரம்', 12_000],
  ['பதிமூணாயிரம்', 13_000],
  ['பதிமூன்றாயிரம்', 13_000],
  ['பதினான்காயிரம்', 14_000],
  ['பதினாலாயிரம்', 14_000],
  ['பதினான்காயிரத்து ஐநூறு', 14_500],
  ['பதினஞ்சாயிரம்', 15_000],
  ['பதினாறாயிரம்', 16_000],
  ['பதினேழாயிரம்', 17_000],
  ['பத்தொன்பதாயிரம்', 19_000],
  ['பத்தொம்பதாயிரம்', 19_000],
  ['இருபத்திநாலாயிரம்', 24_000],
  ['இருபத்தைந்தாயிரம்', 25_000],
  ['இருபத்தஞ்சாயிரம்', 25_000],
  ['இருபத்தி அஞ்சாயிரம்', 25_000],
  ['இருபத்தொன்பதாயிரம்', 29_000],
  ['நாப்பதாயிரம்', 40_000],
  ['அம்பத்தஞ்சாயிரம்', 55_000],
  ['தொண்ணூத்தஞ்சாயிரம்', 95_000],
  ['தொண்ணூற்றொன்பதாயிரம்', 99_000],
  ['எண்பத்தைந்து ஆயிரம்', 85_000],
  ['எண்பத்தஞ்சு ஆயிரம்', 85_000],
  ['நாற்பத்தெட்டு ஆயிரம்', 48_000],
  ['தொண்ணூற்றொன்பது ஆயிரம்', 99_000],
  ['enbathanju aayiram', 85_000],
  ['seventyfive thousand', 75_000],
  ['எட்டரை ஆயிரம்', 8500],
  ['ஏழரை லட்சம்', 750_000],
  ['ஒண்ணே முக்கால் லட்சம்', 175_000],
  ['ரெண்டே முக்கால் லட்சம்', 275_000],
  ['one and a half lakh', 150_000],
  ['1 lakh and 50 thousand', 150_000],
  ['pathinalayiram', 14_000],
  ['padhinanjayiram', 15_000],
  ['pathonbathayiram', 19_000],
  ['irubathanjayiram', 25_000],
  ['iruvathi anjayiram', 25_000],
  ['nappathayiram', 40_000],
  ['ambadhayiram', 50_000],
  ['thonnuthanjayiram', 95_000],
  ['\u202a85,000\u202c', 85_000],
  ['𝟖𝟓,𝟎𝟎𝟎', 85_000],
  ['*85000*', 85_000],
  ['70000 →', 70_000],
  ['➡️ 85000', 85_000],
  ['💰85000', 85_000],
  ['👉 ₹85,000/- ✅', 85_000],
  ['“85,000”', 85_000],
]

/** In a message these could be two numbers. */
const inFieldsOnly: [string, number][] = [
  ['85 500', 85_500],
  ['85•500', 85_500],
  ['85000/piece', 85_000],
  ['85000 / head', 85_000],
  ['85000 last', 85_000],
  ['85000 approx', 85_000],
  ['about 85000', 85_000],
  ['சுமார் 85 ஆயிரம்', 85_000],
  ['85000-00', 85_000],
  ['Rs. 85,000/00', 85_000],
  ['85,000-00/-', 85_000],
  ['85000/pc', 85_000],
  ['1 25 500', 125_500],
  ['85, 000', 85_000],
  ["1'25'500", 125_500],
  ['₹ 85 500/-', 85_500],
  ['1.00005k', 1000.05],
]

const cow = {
  categoryId: '1', name: 'பசு', description: 'சாதுவான பசு', ageId: '7', genderId: '0', breedId: '101', colorId: '2', stock: '1', weightKg: '320',
} // oxfmt-ignore
const wish = {
  categoryTypeId: '1', categoryId: '1', 'breed-1': '', description: 'உழவுக்கு ஒரு காளை', requiredCount: '1', weightKg: '0',
  pincode: '638701', postedFor: 'Selvi', contact: '9876543210',
} // oxfmt-ignore

const fromForm = (fields: Record<string, string>) => (field: string) => fields[field] ?? ''

/** All places where people write prices. Null: the price is refused. */
const places: Record<string, (price: string) => Money | null> = {
  'sell and edit form, table of animals': (originalPrice) =>
    checkListing(readTyped({ ...cow, originalPrice }), { today: '2026-11-27' }).facts?.originalPrice ?? null,
  'offer of the sell form': (offerPrice) =>
    checkListing(readTyped({ ...cow, originalPrice: '9 கோடி', offerPrice }), { today: '2026-11-27' }).facts?.offerPrice ?? null,
  'price change of an own listing': (originalPrice) => {
    const fields = quickEditFields(fromForm({ stock: '1', weightKg: '320', originalPrice }))
    return quickEditInput.safeParse(fields).data?.originalPrice ?? null
  },
  enquiry: (acceptablePrice) => checkEnquiry(typedEnquiry(fromForm({ ...wish, acceptablePrice }))).input?.acceptablePrice ?? null,
  'price filter': (min) => readBrowse(0, new URLSearchParams({ min }), { categoryIds: new Set(), breedIds: new Set() }).choices.minPrice,
  'payment in a form': (amount) => formRupees('field_order_amount').safeParse(amount).data ?? null,
  "agent's fee": (ownerFee) => {
    const fee = readFee(withTypedFee({ ownerFee }), () => {})
    return fee && 'rupees' in fee ? fee.rupees : null
  },
}

describe.each(Object.entries(places))('%s', (_, read) => {
  test.each([...writings, ...inFieldsOnly])('%s is %d rupees', (writing, amount) => expect(read(writing)).toBe(rupees(amount)))

  test.each([
    '2 piece', '5 head', '10 animal', '2 per',
    '-85000', '−85000', '85000-90000', '60-65k', '85000 90000', '1e5', '0x10', 'eighty', 'a', 'cow', '.5', '85,000.00005', '1:30', '8,5000', '1,2', '70000 → 65000', '85000 ♦ 2', '→', '💰',
    '85,00', '9,50,00', '1,25', '1,25 lakh', '1,25 லட்சம்', 'கால் லட்சம்', 'மாட்டு லட்சம்',
    '1 lakh - 90k', '1 lakh/ 90k', '1 lakh (90k final)', '1 லட்சம் - 90 ஆயிரம்', '50 ஆயிரம் - 500', '85 ஆயிரம் (500 final)', '100000000 crore',
    '85000 per kg', 'k', 'cr', 'கோடி', 'hundred', 'ஆயிரம் - ரெண்டாயிரம்', 'ஆயிரம் மாடு', 'call 9876543210', '+85000', '85000 2', '₹', '2 teeth',
  ])('%s is refused', (writing) => expect(read(writing)).toBeNull()) // oxfmt-ignore

  test('what the form fills in reads back as itself', () => {
    const anyPrice = fc.bigInt({ min: 1n, max: 899_999_999_999n })
    fc.assert(
      fc.property(anyPrice, (price) => read(fieldRupees(price)) === price),
      { numRuns: 50 },
    )
    expect(read(fieldRupees(851_250n))).toBe(851_250n)
  })
})

describe('paste box', () => {
  test.each(writings)('%s is %d rupees', (writing, amount) => {
    const { price } = understand(`ஜெர்சி பசு 4 பல்\nவிலை ${writing}\nசேலம்`)
    expect(price?.value).toBe(amount)
  })

  // A thousand behind an unknown word would be a false price.
  test.each(['85,00', '9,50,00', '1,25 lakh', 'கால் லட்சம்', 'எண்ப்பத்தஞ் ஆயிரம்'])('%s gives no price', (writing) => {
    expect(understand(`ஜெர்சி பசு 4 பல்\nவிலை ${writing}\nசேலம்`).price).toBeUndefined()
  })
})

test('the wire has decimals only: 85.125 is 85 rupees and an eighth, and words are refused', () => {
  const wire = sentRupees('field_order_amount')
  expect(parseInput(wire, '85.125')).toBe(851_250n)
  expect(parseInput(wire, 85.125)).toBe(851_250n)
  expect(wire.safeParse('85k').success).toBe(false)
  expect(checkListing({ ...cow, originalPrice: '85.125' }, { today: '2026-11-27', isStrict: true }).facts?.originalPrice).toBe(851_250n)
  expect(checkEnquiry({ ...typedEnquiry(fromForm(wish)), acceptablePrice: '85.125' }).input?.acceptablePrice).toBe(851_250n)
})

test('a link of the list keeps its price', () => {
  const [, query] = browsePath({ minPrice: 851_250n }).split('?')
  expect(readBrowse(0, new URLSearchParams(query), { categoryIds: new Set(), breedIds: new Set() }).choices.minPrice).toBe(851_250n)
})

test('an amount as the market shows it is read', () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 9_999_999_999n }), (price) => readRupees(formatRupees(price * 100n)) === price * 100n))
})

test('control: decimals alone read few of the writings', () => {
  expect(writings.length).toBeGreaterThan(100)
  expect(writings.filter(([writing, amount]) => parseRupees(writing) === rupees(amount)).length).toBeLessThan(10)
})

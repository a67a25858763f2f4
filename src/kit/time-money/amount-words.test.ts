import { describe, expect, test } from 'vitest'
import { amountInWords } from './amount-words.ts'
import { rupees } from '#src/kit/time-money/money.ts'

describe('an amount in words', () => {
  test.each([
    [0, 'பூஜ்யம் ரூபாய் மட்டும்', 'Zero rupees only'],
    [1, 'ஒரு ரூபாய் மட்டும்', 'One rupee only'],
    [11, 'பதினொரு ரூபாய் மட்டும்', 'Eleven rupees only'],
    [19, 'பத்தொன்பது ரூபாய் மட்டும்', 'Nineteen rupees only'],
    [21, 'இருபத்து ஒரு ரூபாய் மட்டும்', 'Twenty-one rupees only'],
    [100, 'நூறு ரூபாய் மட்டும்', 'One hundred rupees only'],
    [150, 'நூற்று ஐம்பது ரூபாய் மட்டும்', 'One hundred fifty rupees only'],
    [999, 'தொள்ளாயிரத்து தொண்ணூற்று ஒன்பது ரூபாய் மட்டும்', 'Nine hundred ninety-nine rupees only'],
    [1000, 'ஆயிரம் ரூபாய் மட்டும்', 'One thousand rupees only'],
    [1250, 'ஆயிரத்து இருநூற்று ஐம்பது ரூபாய் மட்டும்', 'One thousand two hundred fifty rupees only'],
    [5000, 'ஐயாயிரம் ரூபாய் மட்டும்', 'Five thousand rupees only'],
    [11_000, 'பதினோராயிரம் ரூபாய் மட்டும்', 'Eleven thousand rupees only'],
    [25_000, 'இருபத்து ஐந்தாயிரம் ரூபாய் மட்டும்', 'Twenty-five thousand rupees only'],
    [90_000, 'தொண்ணூறாயிரம் ரூபாய் மட்டும்', 'Ninety thousand rupees only'],
    [100_000, 'ஒரு லட்சம் ரூபாய் மட்டும்', 'One lakh rupees only'],
    [125_000, 'ஒரு லட்சத்து இருபத்து ஐந்தாயிரம் ரூபாய் மட்டும்', 'One lakh twenty-five thousand rupees only'],
    [
      1_234_567,
      'பன்னிரண்டு லட்சத்து முப்பத்து நான்காயிரத்து ஐந்நூற்று அறுபத்து ஏழு ரூபாய் மட்டும்',
      'Twelve lakh thirty-four thousand five hundred sixty-seven rupees only',
    ],
    [10_000_000, 'ஒரு கோடி ரூபாய் மட்டும்', 'One crore rupees only'],
    [12_000_000, 'ஒரு கோடியே இருபது லட்சம் ரூபாய் மட்டும்', 'One crore twenty lakh rupees only'],
    [4250.5, 'நான்காயிரத்து இருநூற்று ஐம்பது ரூபாய் ஐம்பது பைசா மட்டும்', 'Four thousand two hundred fifty rupees and fifty paise only'],
    [0.05, 'ஐந்து பைசா மட்டும்', 'Five paise only'],
    [10.005, 'பத்து ரூபாய் ஒரு பைசா மட்டும்', 'Ten rupees and one paise only'],
  ])('%d', (amount, ta, en) => {
    expect([amountInWords(rupees(amount), 'ta'), amountInWords(rupees(amount), 'en')]).toEqual([ta, en])
  })

  test('every amount has words, and no two amounts have the same', () => {
    for (const locale of ['ta', 'en'] as const) {
      const seen = new Set<string>()
      for (let n = 0; n < 120_000; n++) seen.add(amountInWords(rupees(n), locale))
      expect(seen.size).toBe(120_000)
      expect([...seen].every((text) => !/undefined| {2}|^ /.test(text))).toBe(true)
    }
  })
})

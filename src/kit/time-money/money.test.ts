import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatRupees, parseRupees, percentOff, rupees, toRupeeNumber, TOTAL_DIGITS, type Money } from './money.ts'

const UNIT = 10_000n
/** Prices have at most eight digits before the point. */
const MAX_RUPEES = 100_000_000
const anyMoney = fc.bigInt({ min: 0n, max: BigInt(MAX_RUPEES) * UNIT - 1n })
/** The decimal text of an amount, by integer division. */
const textOf = (money: Money) => {
  const fraction = String(money % UNIT)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return fraction ? `${money / UNIT}.${fraction}` : String(money / UNIT)
}

describe('rupees from text', () => {
  test('every amount below ten crore round-trips through its text', () => {
    fc.assert(fc.property(anyMoney, (money) => parseRupees(textOf(money)) === money))
  })

  test('every amount round-trips exactly through a JSON number with at most four decimals', () => {
    fc.assert(
      fc.property(anyMoney, (money) => {
        const sent = JSON.stringify({ price: toRupeeNumber(money) })
        expect(sent).toMatch(/^\{"price":\d+(\.\d{1,4})?\}$/)
        expect(parseRupees(sent.slice(9, -1))).toBe(money)
      }),
    )
  })

  test.each([
    '1.00005',
    '0.00001',
    '-1',
    '+1',
    '1e3',
    '0x10',
    '1_000',
    '1,000',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '',
    'NaN',
    'Infinity',
    '100000000',
    '௧௦',
    '1.2.3',
    '१',
    '1\n',
  ])('%j is refused, not rounded or guessed', (text) => expect(parseRupees(text)).toBeNull())

  test('a total may have more digits than a price, up to twelve', () => {
    expect(parseRupees('100000000')).toBeNull()
    expect(parseRupees('999999999999.9999', TOTAL_DIGITS)).toBe(9_999_999_999_999_999n)
    expect(parseRupees('1000000000000', TOTAL_DIGITS)).toBeNull()
  })

  test.each<[string, Money]>([
    ['0', 0n],
    ['0.0001', 1n],
    ['1.5', 15_000n],
    ['1.1000', 11_000n],
    ['99999999.9999', 999_999_999_999n],
  ])('%s is %s ten-thousandths', (text, money) => expect(parseRupees(text)).toBe(money))

  test('any text gives an amount or null, never an error', () => {
    fc.assert(fc.property(fc.string(), (text) => parseRupees(text) === null || /^\d{1,8}(\.\d{1,4})?$/.test(text)))
  })

  test('rupees() is exact to four decimals, unlike doubles', () => {
    expect(rupees(0.1) + rupees(0.2)).toBe(rupees(0.3))
    expect(rupees(1.1) * 3n).toBe(rupees(3.3))
    fc.assert(fc.property(anyMoney, (money) => rupees(Number(textOf(money))) === money))
  })
})

describe('rupees as displayed', () => {
  test.each<[Money, string]>([
    [0n, '₹0'],
    [rupees(999), '₹999'],
    [rupees(1000), '₹1,000'],
    [rupees(125_000), '₹1,25,000'],
    [rupees(12_345_678), '₹1,23,45,678'],
    [rupees(1234.5), '₹1,234.50'],
    [rupees(0.05), '₹0.05'],
    [rupees(1.0001), '₹1.0001'],
    [rupees(99_999_999.9999), '₹9,99,99,999.9999'],
  ])('%s is displayed as %s', (money, shown) => expect(formatRupees(money)).toBe(shown))

  test('the displayed text without sign and commas parses to the same amount', () => {
    fc.assert(fc.property(anyMoney, (money) => parseRupees(formatRupees(money).replace(/[₹,]/g, '')) === money))
  })

  test('groups digits in lakhs and crores: three digits, then twos', () => {
    fc.assert(fc.property(anyMoney, (money) => /^₹(\d{1,3}|\d{1,2}(,\d{2})*,\d{3})(\.\d{2}|\.\d{4})?$/.test(formatRupees(money))))
  })
})

describe('percent off', () => {
  /** Half up at two decimals, by counting up in integers. */
  const oracle = (original: Money, offer: Money): number => {
    const exact = (original - offer) * 10_000n
    let hundredths = exact / original
    if ((exact - hundredths * original) * 2n >= original) hundredths += 1n
    return Number(`${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`)
  }

  test('equals an integer oracle for every pair of prices', () => {
    const price = fc.bigInt({ min: 1n, max: 999_999_999_999n })
    fc.assert(
      fc.property(price, price, (a, b) => {
        const [offer, original] = a < b ? [a, b] : [b, a]
        fc.pre(offer !== original)
        expect(percentOff(original, offer)).toBe(oracle(original, offer) || null)
      }),
      { numRuns: 1000 },
    )
  })

  test.each<[Money, Money | null, number | null]>([
    [rupees(100), rupees(75), 25],
    [rupees(90_000), rupees(80_000), 11.11],
    [rupees(3), rupees(2), 33.33],
    [rupees(3), rupees(1), 66.67],
    [rupees(200), rupees(199.99), 0.01],
    [20_000n, 19_999n, 0.01],
    [20_001n, 20_000n, null],
    [rupees(100), null, null],
    [rupees(100), 0n, null],
    [rupees(100), rupees(100), null],
    [rupees(100), rupees(101), null],
  ])('%s for %s is %s %% off', (original, offer, percent) => expect(percentOff(original, offer)).toBe(percent))
})

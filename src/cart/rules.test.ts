import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatRupees, parseRupees, toRupeeNumber } from '#src/kit/time-money/money.ts'
import { often } from '#tools/test-kit/often.ts'
import { stockNotices } from '#src/listings/life/rules.ts'
import { FIRST_ORDER, quote, REFERRAL, wastedOn, type DiscountOffer, type PricedLine } from './rules.ts'

const money = (max: bigint) => fc.bigInt({ min: 1n, max })
const line: fc.Arbitrary<PricedLine> = fc
  .record({ count: fc.integer({ min: 1, max: 10_000 }), unitPrice: money(10n ** 12n - 1n), above: fc.bigInt({ min: 0n, max: 10n ** 11n }) })
  .map(({ count, unitPrice, above }) => ({ count, unitPrice, originalPrice: unitPrice + above }))
const offer: fc.Arbitrary<DiscountOffer> = fc.record({
  typeId: fc.constantFrom(FIRST_ORDER, REFERRAL),
  percent: fc.integer({ min: 0, max: 100 }),
  flat: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  cap: fc.bigInt({ min: 0n, max: 10n ** 9n }),
})

/** An independent calculation on decimal text, digit by digit. */
function recount(lines: PricedLine[], offer: DiscountOffer | null) {
  let price = 0n
  let before = 0n
  for (const { count, unitPrice, originalPrice } of lines)
    for (let n = BigInt(count); n > 0n; n /= 2n) {
      // Doubling instead of multiplying.
      const bit = BigInt(count) / n
      if (n % 2n === 1n) {
        const power = 2n ** BigInt(bit.toString(2).length - 1)
        price += unitPrice * power
        before += originalPrice * power
      }
    }
  let discount = 0n
  if (offer && lines[0]) {
    const whole = BigInt(lines[0].count) * lines[0].unitPrice
    discount = offer.percent === 0 ? offer.flat : (whole * BigInt(offer.percent) - ((whole * BigInt(offer.percent)) % 100n)) / 100n
    if (discount > offer.cap) discount = offer.cap
    if (discount > whole) discount = whole
    discount = BigInt(discount.toString().slice(0, -2) + '00')
  }
  return { price, discount, payable: price - discount, savings: before - price + discount }
}

describe('a quote', () => {
  test('equals an independent recount; the discount is never negative, nor above its cap or the first line', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 50 }), fc.option(offer), (lines, offer) => {
        const result = quote(lines, offer)
        const counted = recount(lines, offer)
        const discount = result.firstOrderDiscount + result.referralDiscount
        expect({ price: result.price, discount, payable: result.payable, savings: result.savings }).toEqual(counted)
        expect(result.delivery).toBe(0n)
        expect(result.payable >= 0n).toBe(true)
        if (offer) expect(discount <= offer.cap).toBe(true)
        // One of the summary's two discount lines shows the amount, the other 0.
        expect(result.firstOrderDiscount === 0n || result.referralDiscount === 0n).toBe(true)
        if (offer?.typeId === REFERRAL) expect(result.firstOrderDiscount).toBe(0n)
      }),
      { numRuns: often(2000, 20_000) },
    )
  })

  test('has a discount that depends only on the first line', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 10 }), offer, (lines, offer) => {
        const [whole, first] = [quote(lines, offer), quote(lines.slice(0, 1), offer)]
        expect(whole.price - whole.payable).toBe(first.price - first.payable)
      }),
      { numRuns: often(500, 5000) },
    )
  })

  test.each<[string, PricedLine[], DiscountOffer | null, bigint]>([
    ['an empty cart', [], { typeId: FIRST_ORDER, percent: 2, flat: 0n, cap: 5_000_000n }, 0n],
    ['two percent', [at('8000', 3)], { typeId: FIRST_ORDER, percent: 2, flat: 0n, cap: 5_000_000n }, rupee('23520')],
    ['two percent, capped at 500', [at('85000')], { typeId: FIRST_ORDER, percent: 2, flat: 0n, cap: 5_000_000n }, rupee('84500')],
    ['500 off a hen of 300', [at('300'), at('900')], { typeId: REFERRAL, percent: 0, flat: 5_000_000n, cap: 50_000_000n }, rupee('900')],
    ['a hundred percent', [at('250')], { typeId: FIRST_ORDER, percent: 100, flat: 0n, cap: 5_000_000n }, 0n],
    ['rounding down to a paisa', [at('12345.67')], { typeId: FIRST_ORDER, percent: 2, flat: 0n, cap: 5_000_000n }, rupee('12098.76')],
    ['a price below a paisa', [at('0.0049')], { typeId: FIRST_ORDER, percent: 2, flat: 0n, cap: 5_000_000n }, 49n],
    ['without a discount', [at('1')], null, rupee('1')],
  ])('%s', (_, lines, offer, payable) => {
    expect(quote(lines, offer).payable).toBe(payable)
  })
})

test('amounts of a whole cart keep all four decimals on the wire and on documents', () => {
  fc.assert(
    fc.property(money(10n ** 12n - 1n), (amount) => {
      const sent = JSON.parse(JSON.stringify(toRupeeNumber(amount))) as number
      expect(parseRupees(String(sent))).toBe(amount)
      expect(parseRupees(formatRupees(amount).replace(/[₹,\s]/g, ''))).toBe(amount)
    }),
    { numRuns: often(2000, 20_000) },
  )
})

function rupee(text: string): bigint {
  return parseRupees(text)!
}

function at(price: string, count = 1): PricedLine {
  return { count, unitPrice: rupee(price), originalPrice: rupee(price) }
}

describe('the wasted part of a discount', () => {
  const first: DiscountOffer = { typeId: FIRST_ORDER, percent: 2, flat: 0n, cap: 5_000_000n }
  const friend: DiscountOffer = { typeId: REFERRAL, percent: 0, flat: 5_000_000n, cap: 50_000_000n }

  test.each<[string, string, DiscountOffer | null, { worth: bigint; taken: bigint } | null]>([
    ['₹300 of a flat ₹500', '300', friend, { worth: 5_000_000n, taken: 3_000_000n }],
    ['₹500 of a flat ₹500', '500', friend, null],
    ['2 % of ₹499.99', '499.99', first, { worth: 5_000_000n, taken: 99_900n }],
    ['2 % of ₹500', '500', first, null],
    ['without a discount', '1', null, null],
  ])('is reported for a first line below its worth, else null: %s', (_, price, offer, wasted) => {
    expect(wastedOn(at(price), offer)).toEqual(wasted)
  })
})

test.each([
  [0, false, false, false],
  [1, true, true, true],
  [4, true, true, true],
  [5, true, true, false],
  [9, true, true, false],
  [10, true, false, false],
  [11, false, false, false],
])('a stock of %i has the notices that A §9 and B §9 name', (stock, isHurried, areFew, areLast) => {
  expect(stockNotices(stock)).toEqual({ isHurried, areFew, areLast })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rupees } from '#src/kit/time-money/money.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { commissionOf } from '#src/invoices/rules.ts'
import { pricePerKg } from '#src/listings/reference/price-per-kg.ts'
import { inHandPrice, receivedAt, recommendedPrice } from './recommended-price.ts'

const withOffer = { profitMarginPercent: 5, recommendedOfferPercent: 5 }

describe('the recommended price', () => {
  test.each([
    [85_000, 4250, 89_250, null],
    [100, 5, 105, null],
    [1, 1, 2, null],
    [99.5, 5, 105, null],
    [84_999.99, 4250, 89_250, null],
  ])('for ₹%d adds the margin, rounded up to whole rupees', (price, profit, original, offer) => {
    expect(recommendedPrice(rupees(price), defaultSettings)).toEqual({
      price: rupees(price),
      profit: rupees(profit),
      original: rupees(original),
      offer,
    })
  })

  test.each([
    [85_000, 4250, 93_948, 89_251],
    [100, 5, 111, 106],
    [19, 1, 22, 21],
  ])('for ₹%d with an offer of 5 %% has both prices', (price, profit, original, offer) => {
    expect(recommendedPrice(rupees(price), withOffer)).toEqual({
      price: rupees(price),
      profit: rupees(profit),
      original: rupees(original),
      offer: rupees(offer),
    })
  })

  test.each([defaultSettings, withOffer, { profitMarginPercent: 7.25, recommendedOfferPercent: 12.5 }])(
    'never leaves less than the wanted price, and never asks a rupee too much (%j)',
    (settings) => {
      fc.assert(
        fc.property(fc.bigInt(1n, 999_999_999_999n), (price) => {
          const { profit, original, offer } = recommendedPrice(price, settings)
          const RUPEE = 10_000n
          const [margin, off] = [settings.profitMarginPercent, settings.recommendedOfferPercent].map((percent) =>
            BigInt(percent * 100),
          ) as [bigint, bigint]
          for (const amount of [profit, original, offer ?? 0n]) expect(amount % RUPEE).toBe(0n)
          expect(profit * 10_000n).toBeGreaterThanOrEqual(price * margin)
          expect((profit - RUPEE) * 10_000n).toBeLessThan(price * margin)
          expect(original * (10_000n - off)).toBeGreaterThanOrEqual((price + profit) * 10_000n)
          expect((original - RUPEE) * (10_000n - off)).toBeLessThan((price + profit) * 10_000n)
          expect(offer ?? original).toBeGreaterThanOrEqual(price + profit)
        }),
      )
    },
  )
})

describe('the amount that reaches the seller', () => {
  // By hand: 5 % of ₹89,250 is ₹4,462.50, of ₹105 ₹5.25, of ₹0.10 half a paisa, which the invoice rounds up.
  test.each([
    [89_250, 4462.5, 84_787.5],
    [105, 5.25, 99.75],
    [2, 0.1, 1.9],
    [99.99, 5, 94.99],
    [0.1, 0.01, 0.09],
  ])('for ₹%d is the price less the commission on its invoice, ₹%d: ₹%d, to the paisa', (price, commission, received) => {
    expect(receivedAt(rupees(price), defaultSettings)).toEqual({ commission: rupees(commission), received: rupees(received) })
    expect(commissionOf(rupees(price), 5)).toBe(rupees(commission))
  })

  // 85,000 ÷ 0.95 = 89,473.68…; 100 ÷ 0.95 = 105.26…; 95 ÷ 0.95 = 100.
  test.each([
    [85_000, 89_474, 85_000.3],
    [100, 106, 100.7],
    [95, 100, 95],
    [84_787.5, 89_250, 84_787.5],
  ])('of ₹%d needs the price ₹%d, which leaves ₹%d', (wanted, price, received) => {
    expect(inHandPrice(rupees(wanted), defaultSettings)).toBe(rupees(price))
    expect(receivedAt(rupees(price), defaultSettings).received).toBe(rupees(received))
  })

  test('is never less than wanted, and a price one rupee lower would leave less than wanted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), fc.integer({ min: 0, max: 50 }), (paise, profitMarginPercent) => {
        const settings = { profitMarginPercent, recommendedOfferPercent: 0 }
        const wanted = BigInt(paise) * 100n
        const price = inHandPrice(wanted, settings)!
        expect(price % 10_000n).toBe(0n)
        expect(receivedAt(price, settings).received).toBeGreaterThanOrEqual(wanted)
        if (price > 10_000n) expect(receivedAt(price - 10_000n, settings).received).toBeLessThan(wanted)
      }),
    )
    expect(inHandPrice(rupees(1), { profitMarginPercent: 100, recommendedOfferPercent: 0 })).toBeNull()
  })

  test('differs from the recommended price, which adds the margin on top', () => {
    const { original } = recommendedPrice(rupees(85_000), defaultSettings)
    expect(receivedAt(original, defaultSettings).received).toBeLessThan(rupees(85_000))
  })
})

test('a price per kilogram is in whole paise, rounded half up, and null without a weight', () => {
  // ₹265.625, ₹3.333…, ₹6.666…, ₹0.005 and ₹0.0049.
  expect(pricePerKg(rupees(85_000), 320)).toBe(rupees(265.63))
  expect(pricePerKg(rupees(10), 3)).toBe(rupees(3.33))
  expect(pricePerKg(rupees(20), 3)).toBe(rupees(6.67))
  expect(pricePerKg(rupees(1), 200)).toBe(rupees(0.01))
  expect(pricePerKg(rupees(0.98), 200)).toBe(0n)
  expect(pricePerKg(rupees(10), 0)).toBeNull()
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rupees } from '#src/kit/money.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { pricePerKg, recommendedPrice } from './recommended-price.ts'

const withOffer = { profitMarginPercent: 5, recommendedOfferPercent: 5 }

describe('the recommended price', () => {
  test.each([
    [85_000, 4250, 89_250, null],
    [100, 5, 105, null],
    [1, 1, 2, null],
    [99.5, 5, 105, null],
    [84_999.99, 4250, 89_250, null],
  ])('for ₹%d asks the margin more, in whole rupees, up', (price, profit, original, offer) => {
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
  ])('for ₹%d with an offer of 5 %% names both', (price, profit, original, offer) => {
    expect(recommendedPrice(rupees(price), withOffer)).toEqual({
      price: rupees(price),
      profit: rupees(profit),
      original: rupees(original),
      offer: rupees(offer),
    })
  })

  test.each([defaultSettings, withOffer, { profitMarginPercent: 7.25, recommendedOfferPercent: 12.5 }])(
    'never leaves less than was wanted, and never asks a rupee too much (%j)',
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

test('a price per kilogram is cut to whole paise, and there is none of what was not weighed', () => {
  expect(pricePerKg(rupees(85_000), 320)).toBe(rupees(265.62))
  expect(pricePerKg(rupees(10), 3)).toBe(rupees(3.33))
  expect(pricePerKg(rupees(10), 0)).toBeNull()
})

import { describe, expect, test } from 'vitest'
import { isFromOurPage, readWish, wishText } from './wish.ts'

describe('the wish of an anonymous visitor', () => {
  test('holds an animal and a count, and survives writing and reading', () => {
    for (const wish of [
      { listingId: 7, count: 1 },
      { listingId: 123456, count: 12 },
    ])
      expect(readWish(wishText(wish))).toEqual(wish)
    expect(readWish('cart-7', '3')).toEqual({ listingId: 7, count: 3 })
    expect(readWish('cart-7', 'many')).toEqual({ listingId: 7, count: 1 })
  })

  test.each(['', 'cart', 'cart-', 'cart-0', 'cart-1x', 'cart-1x0', 'cart--1', 'saved-1', 'cart-1 ', 'cart-1e3', null, undefined])(
    'is null for %j',
    (text) => expect(readWish(text)).toBeNull(),
  )

  test('is accepted when a page of this site led to the login, and not from a message, another site or nowhere', () => {
    const from = (headers: Record<string, string>) => isFromOurPage(new Headers(headers), 'sandhai.test')
    expect(from({ 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(from({ referer: 'https://sandhai.test/product/1' })).toBe(true)
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(from({ 'sec-fetch-site': site, referer: 'https://sandhai.test/' })).toBe(false)
    expect(from({ referer: 'https://elsewhere.example/sandhai.test' })).toBe(false)
    expect(from({ referer: 'nonsense' })).toBe(false)
    expect(from({})).toBe(false)
  })
})

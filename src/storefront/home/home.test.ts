import { describe, expect, test } from 'vitest'
import { withoutRepeats } from './home.ts'
import { isGoodMoment, isQuiet, quietCookie } from './welcome.ts'

const cards = (...ids: number[]) => ids.map((id) => ({ id }))
const idsOf = (shown: { id: number }[]) => shown.map(({ id }) => id)

describe('of twelve trending animals ten are shown', () => {
  const trending = cards(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)

  test('the first ten, when the top ones are others', () => {
    expect(idsOf(withoutRepeats(trending, cards(20, 21), 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('two that stand under Top in Market anyway make room for the two in reserve, the least looked at first', () => {
    expect(idsOf(withoutRepeats(trending, cards(1, 3, 8, 9), 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 10, 11, 12])
  })

  test('none is left out of a small market', () => {
    expect(idsOf(withoutRepeats(cards(1, 2, 3), cards(1, 2), 10))).toEqual([1, 2, 3])
  })
})

describe('the welcome', () => {
  test('is quiet for seven days after it was seen, and only then', () => {
    const cookie = quietCookie(true)
    expect(cookie).toContain('Max-Age=604800')
    expect(cookie).toContain('SameSite=Lax')
    expect(cookie).toContain('Secure')
    expect(quietCookie(false)).not.toContain('Secure')
    expect(isQuiet(`lang=ta; ${cookie.split(';')[0]}`)).toBe(true)
    expect(isQuiet('lang=ta; notwizard=1')).toBe(false)
    expect(isQuiet('')).toBe(false)
  })

  test.each([
    ['waits while a dialog or another prompt is open', { isTaken: true, isInUse: false }, false],
    ['waits while somebody is at the banners whose place it takes', { isTaken: false, isInUse: true }, false],
    ['comes when nothing else is asked', { isTaken: false, isInUse: false }, true],
  ])('%s', (_, moment, isGood) => {
    expect(isGoodMoment(moment)).toBe(isGood)
  })
})

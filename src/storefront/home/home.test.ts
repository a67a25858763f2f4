import { describe, expect, test } from 'vitest'
import { withoutRepeats } from './home.ts'
import { quietCookie } from './welcome.ts'

const cards = (...ids: number[]) => ids.map((id) => ({ id }))
const idsOf = (shown: { id: number }[]) => shown.map(({ id }) => id)

describe('ten of twelve trending animals', () => {
  const trending = cards(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)

  test('are the first ten when Top in Market shows others', () => {
    expect(idsOf(withoutRepeats(trending, cards(20, 21), 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('skip two that Top in Market shows and include the two spare ones; the least viewed repeats go first', () => {
    expect(idsOf(withoutRepeats(trending, cards(1, 3, 8, 9), 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 10, 11, 12])
  })

  test('include all animals of a small market', () => {
    expect(idsOf(withoutRepeats(cards(1, 2, 3), cards(1, 2), 10))).toEqual([1, 2, 3])
  })
})

test('the welcome stays away for seven days after it was shown', () => {
  const cookie = quietCookie(true)
  expect(cookie).toContain('Max-Age=604800')
  expect(cookie).toContain('SameSite=Lax')
  expect(cookie).toContain('Secure')
  expect(quietCookie(false)).not.toContain('Secure')
})

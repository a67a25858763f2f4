import { expect, test } from 'vitest'
import { shouldOffer, visitsAfter } from './install-rules.ts'

const minute = 60_000

test('the market offers itself at the second visit of somebody who has done something, once', () => {
  const first = visitsAfter(null, 0)
  expect(shouldOffer({ ...first, hasDone: true })).toBe(false)
  const samePause = visitsAfter({ ...first, hasDone: true }, 20 * minute)
  expect(shouldOffer(samePause)).toBe(false)
  const second = visitsAfter(samePause, 60 * minute)
  expect(shouldOffer(second)).toBe(true)
  expect(shouldOffer({ ...second, hasDone: false })).toBe(false)
  expect(shouldOffer(visitsAfter({ ...second, wasOffered: true }, 9000 * minute))).toBe(false)
})

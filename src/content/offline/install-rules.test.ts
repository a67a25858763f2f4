import { expect, test } from 'vitest'
import { shouldOffer, visitsAfter } from './install-rules.ts'

const minute = 60_000

test('installation is offered once, at the second visit of a person who has done something', () => {
  const first = visitsAfter(null, 0)
  expect(shouldOffer({ ...first, hasDone: true })).toBe(false)
  const samePause = visitsAfter({ ...first, hasDone: true }, 20 * minute)
  expect(shouldOffer(samePause)).toBe(false)
  const second = visitsAfter(samePause, 60 * minute)
  expect(shouldOffer(second)).toBe(true)
  expect(shouldOffer({ ...second, hasDone: false })).toBe(false)
  expect(shouldOffer(visitsAfter({ ...second, wasOffered: true }, 9000 * minute))).toBe(false)
})

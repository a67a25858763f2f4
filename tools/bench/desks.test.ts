import { expect, test } from 'vitest'
import { desks, PARTS } from './desks.ts'

test('the bench has a value for each part of a desk’s path', () => {
  const parts = desks.flatMap((path) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name))
  expect(new Set(parts)).toEqual(new Set(PARTS))
})

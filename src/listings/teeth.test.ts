import { expect, test } from 'vitest'
import { teethOf } from './teeth.ts'

test('teeth are shown as keepers count them, and an impossible count is not shown', () => {
  expect([0, 1, 2, 3, 4].map(teethOf)).toEqual([0, 2, 4, 6, 8])
  expect([null, 6].map(teethOf)).toEqual([null, null])
})

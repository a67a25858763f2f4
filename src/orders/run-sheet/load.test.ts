import { expect, test } from 'vitest'
import { fullestOf, type LoadedStop } from './load.ts'

const stop = (orderId: number, kind: LoadedStop['kind'], categoryId = 1, count = 1): LoadedStop => ({
  orderId,
  kind,
  at: null,
  window: null,
  categoryId,
  count,
})

test('an empty day needs no place, and feed needs none', () => {
  expect(fullestOf([])).toBe(0)
  expect(fullestOf([stop(1, 'fetch', 21, 40), stop(1, 'bring', 21, 40)])).toBe(0)
})

test('an animal that is delivered before the next is fetched leaves its place to it', () => {
  expect(fullestOf([stop(1, 'fetch'), stop(1, 'bring'), stop(2, 'fetch'), stop(2, 'bring')])).toBe(1)
  expect(fullestOf([stop(1, 'fetch'), stop(2, 'fetch'), stop(1, 'bring'), stop(2, 'bring')])).toBe(2)
})

test('animals on board at the start count until they are delivered', () => {
  expect(fullestOf([stop(1, 'bring', 1, 2), stop(2, 'fetch'), stop(2, 'bring')])).toBe(2)
  expect(fullestOf([stop(2, 'fetch'), stop(1, 'bring', 1, 2), stop(2, 'bring')])).toBe(3)
})

test('six goats or sheep or dogs, or sixty chickens, need the place of one cow, and a horse needs one', () => {
  for (const [categoryId, count] of [
    [2, 6],
    [3, 6],
    [4, 60],
    [5, 6],
    [6, 1],
  ] as const) {
    expect(fullestOf([stop(1, 'bring', categoryId, count)])).toBe(1)
    expect(fullestOf([stop(1, 'bring', categoryId, count + 1)])).toBe(2)
  }
  expect(fullestOf([1, 2, 3, 4, 5, 6].map((id) => stop(id, 'bring', 3)))).toBe(1)
})

import { describe, expect, test } from 'vitest'
import { isClean, judge, longestGap, type Entry } from '../../tools/rehearse/history.ts'

const entry = (buyerId: number, acknowledged: string | null, orders: string[], listingId = 1): Entry => ({
  buyerId,
  listingId,
  acknowledged,
  orders,
})
const shelves = (after: number) => [{ listingId: 1, before: 10, after }]

describe('the history of a rehearsal', () => {
  test('is clean when every acknowledgement has its order, also with an order whose buyer got no answer', () => {
    const verdict = judge([entry(1, 'yes', ['a']), entry(2, null, ['b']), entry(3, null, [])], shelves(8))
    expect(verdict).toEqual({ acknowledged: 1, placed: 2, lost: [], doubled: [], wrongStock: [] })
    expect(isClean(verdict)).toBe(true)
  })

  test('names a buyer who lost an order, one who has two, and the animal whose stock is wrong', () => {
    const verdict = judge([entry(1, 'yes', []), entry(2, 'yes', ['a', 'b']), entry(3, null, ['c', 'd'])], shelves(7))
    expect(verdict).toMatchObject({ lost: [1], doubled: [2, 3], wrongStock: [1] })
    expect(isClean(verdict)).toBe(false)
    expect(isClean(judge([entry(1, 'yes', ['a'])], shelves(8)))).toBe(false)
  })

  test('has its longest gap also at the ends, and when nothing came at all', () => {
    expect(longestGap([50, 150, 900], 100, 1000)).toBe(750)
    expect(longestGap([150, 200], 100, 1000)).toBe(800)
    expect(longestGap([50], 100, 1000)).toBe(900)
  })
})

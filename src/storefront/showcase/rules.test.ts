import { describe, expect, test } from 'vitest'
import { isOn, nextDay } from './rules.ts'

const itemWith = (facts: Partial<Parameters<typeof nextDay>[0]>) => ({ weekday: null, fromDay: null, toDay: null, ...facts })

describe('a market day', () => {
  // 26 November 2026 is a Thursday.
  test.each([
    [4, '2026-11-26', '2026-11-26'],
    [4, '2026-11-27', '2026-12-03'],
    [0, '2026-12-31', '2027-01-03'],
    [6, '2028-02-27', '2028-03-04'],
  ])('of every week on day %i, seen from %s, is next held on %s', (weekday, today, next) => {
    expect(nextDay(itemWith({ weekday }), today)).toBe(next)
  })

  test('with dates is next held on its first day, today while it lasts, and null after its end', () => {
    const pongal = itemWith({ fromDay: '2027-01-14', toDay: '2027-01-17' })
    expect(nextDay(pongal, '2026-12-01')).toBe('2027-01-14')
    expect(nextDay(pongal, '2027-01-16')).toBe('2027-01-16')
    expect(nextDay(pongal, '2027-01-17')).toBe('2027-01-17')
    expect(nextDay(pongal, '2027-01-18')).toBeNull()
    expect(nextDay(itemWith({ fromDay: '2027-01-14' }), '2027-01-14')).toBe('2027-01-14')
    expect(nextDay(itemWith({ fromDay: '2027-01-14' }), '2027-01-15')).toBeNull()
  })
})

test('a banner is visible from its first to its last day; without days always', () => {
  const days = (fromDay: string | null, toDay: string | null) =>
    ['2026-11-01', '2026-11-02', '2026-11-03'].map((day) => isOn({ fromDay, toDay }, day))
  expect(days(null, null)).toEqual([true, true, true])
  expect(days('2026-11-02', null)).toEqual([false, true, true])
  expect(days(null, '2026-11-02')).toEqual([true, true, false])
  expect(days('2026-11-02', '2026-11-02')).toEqual([false, true, false])
})

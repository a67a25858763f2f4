import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY, daysBefore, daysBetween, formatDay, formatDaysAgo, formatMoment, formatShortDay, indianDay } from './dates.ts'

const at = (text: string) => new Date(text)

describe('the day in India', () => {
  test.each([
    ['2026-11-21T18:29:59.999Z', '2026-11-21'],
    ['2026-11-21T18:30:00.000Z', '2026-11-22'],
    ['2026-12-31T18:30:00.000Z', '2027-01-01'],
    ['2028-02-28T18:30:00.000Z', '2028-02-29'],
    ['2026-11-21T00:00:00.000Z', '2026-11-21'],
  ])('at %s is %s', (moment, day) => expect(indianDay(at(moment))).toBe(day))

  test('equals the UTC day of the time plus 5:30 hours on any date, because India has no daylight saving', () => {
    fc.assert(
      fc.property(fc.date({ min: at('2000-01-01'), max: at('2100-01-01'), noInvalidDate: true }), (date) => {
        expect(indianDay(date)).toBe(new Date(date.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10))
      }),
    )
  })
})

describe('days between two times', () => {
  test.each([
    ['2026-11-21T18:29:59Z', '2026-11-21T18:30:00Z', 1],
    ['2026-11-20T18:30:00Z', '2026-11-21T18:29:59Z', 0],
    ['2026-11-21T18:30:00Z', '2026-11-21T18:29:59Z', -1],
    ['2026-02-28T10:00:00Z', '2026-03-01T10:00:00Z', 1],
    ['2028-02-28T10:00:00Z', '2028-03-01T10:00:00Z', 2],
    ['2026-08-13T10:00:00Z', '2026-11-21T10:00:00Z', 100],
  ])('from %s to %s is %i midnights in India', (from, to, days) => expect(daysBetween(at(from), at(to))).toBe(days))

  test('inverts daysBefore at any hour', () => {
    const date = fc.date({ min: at('2000-01-01'), max: at('2100-01-01'), noInvalidDate: true })
    fc.assert(fc.property(date, fc.nat(5000), (now, days) => daysBetween(daysBefore(now, days), now) === days))
    expect(daysBefore(at('2026-11-21T00:00:00Z'), 1).getTime()).toBe(at('2026-11-21T00:00:00Z').getTime() - DAY)
  })
})

describe('a formatted day', () => {
  test.each([
    ['2026-11-21T18:30:00Z', '22-நவம்பர்-2026', '22-November-2026'],
    ['2026-01-04T10:00:00Z', '04-ஜனவரி-2026', '04-January-2026'],
    ['2026-02-04T10:00:00Z', '04-பிப்ரவரி-2026', '04-February-2026'],
    ['2026-03-04T10:00:00Z', '04-மார்ச்-2026', '04-March-2026'],
    ['2026-04-14T10:00:00Z', '14-ஏப்ரல்-2026', '14-April-2026'],
    ['2026-05-04T10:00:00Z', '04-மே-2026', '04-May-2026'],
    ['2026-06-04T10:00:00Z', '04-ஜூன்-2026', '04-June-2026'],
    ['2026-07-04T10:00:00Z', '04-ஜூலை-2026', '04-July-2026'],
    ['2026-08-15T10:00:00Z', '15-ஆகஸ்ட்-2026', '15-August-2026'],
    ['2026-09-04T10:00:00Z', '04-செப்டம்பர்-2026', '04-September-2026'],
    ['2026-10-04T10:00:00Z', '04-அக்டோபர்-2026', '04-October-2026'],
    ['2026-12-04T10:00:00Z', '04-டிசம்பர்-2026', '04-December-2026'],
  ])('%s is %s and %s', (moment, ta, en) => {
    expect(formatDay(at(moment), 'ta')).toBe(ta)
    expect(formatDay(at(moment), 'en')).toBe(en)
  })

  test.each([
    [0, 'இன்று', 'today'],
    [1, 'நேற்று', 'yesterday'],
    [3, '3 நாட்களுக்கு முன்', '3 days ago'],
    [100, '100 நாட்களுக்கு முன்', '100 days ago'],
  ])('%i days ago is %s and %s', (days, ta, en) => {
    const now = at('2026-11-21T10:00:00Z')
    expect(formatDaysAgo(daysBefore(now, days), now, 'ta')).toBe(ta)
    expect(formatDaysAgo(daysBefore(now, days), now, 'en')).toBe(en)
  })

  test('at 00:00:30 in India, one minute ago was yesterday', () => {
    expect(formatDaysAgo(at('2026-11-21T18:29:30Z'), at('2026-11-21T18:30:30Z'), 'en')).toBe('yesterday')
  })
})

test.each([
  ['2026-01-03T20:00:00Z', '04-ஜன', '04-Jan'],
  ['2026-05-04T10:00:00Z', '04-மே', '04-May'],
  ['2026-11-23T10:00:00Z', '23-நவ', '23-Nov'],
])('the short day of %s is %s and %s', (moment, ta, en) => {
  expect(formatShortDay(at(moment), 'ta')).toBe(ta)
  expect(formatShortDay(at(moment), 'en')).toBe(en)
})

test('a formatted moment shows the day and the time in India', () => {
  expect(formatMoment(at('2026-11-21T18:35:09Z'), 'en')).toBe('22-November-2026, 00:05:09')
  expect(formatMoment(at('2026-11-22T12:35:09Z'), 'ta')).toBe('22-நவம்பர்-2026, 18:05:09')
})

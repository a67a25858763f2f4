import { describe, expect, test } from 'vitest'
import { vaccines } from './reference-data.ts'
import { scheduleFor, type Given } from './vaccination-schedule.ts'

const id = (code: string) => vaccines.find((vaccine) => vaccine.code === code)!.id
const gave = (code: string, vaccinatedOn: string, dose = 1): Given => ({ vaccineId: id(code), dose, vaccinatedOn })
const said = (given: Given[], today: string) =>
  scheduleFor(given, today).map(({ vaccineId, status, dueOn }) => [vaccines.find((v) => v.id === vaccineId)!.code, status, dueOn])

describe('when a vaccine is due again', () => {
  test.each([
    ['foot and mouth comes back after half a year', gave('FMD', '2026-01-10', 2), '2026-06-01', ['FMD', 'due', '2026-07-10']],
    ['on the very day it is due', gave('FMD', '2026-01-10'), '2026-07-10', ['FMD', 'due', '2026-07-10']],
    ['and overdue the day after', gave('FMD', '2026-01-10'), '2026-07-11', ['FMD', 'overdue', '2026-07-10']],
    ['black quarter after a year', gave('BQ', '2025-02-28'), '2025-03-01', ['BQ', 'due', '2026-02-28']],
    ['goat plague after three', gave('PPR', '2024-02-29'), '2026-11-21', ['PPR', 'due', '2027-02-28']],
    ['the end of a month stays its end', gave('FMD', '2025-08-31'), '2025-09-01', ['FMD', 'due', '2026-02-28']],
    ['brucellosis is given once', gave('BRU', '2020-05-05'), '2026-11-21', ['BRU', 'done', null]],
    ['a chick’s second Ranikhet dose comes in three weeks', gave('RD', '2026-11-01'), '2026-11-10', ['RD', 'due', '2026-11-22']],
    ['and the third, R2B, in the eighth week', gave('RD', '2026-11-01', 2), '2026-11-21', ['RD', 'due', '2026-11-29']],
    ['and its third ends the course', gave('RD', '2026-11-01', 3), '2026-11-21', ['RD', 'done', null]],
  ])('%s', (_, given, today, expected) => {
    expect(said([given], today)).toEqual([expected])
  })

  test('only the last dose of each counts, and what is overdue stands first', () => {
    const given = [gave('FMD', '2025-01-10'), gave('HS', '2025-06-01'), gave('FMD', '2026-10-10', 3), gave('THL', '2024-01-01')]
    expect(said(given, '2026-11-21')).toEqual([
      ['HS', 'overdue', '2026-06-01'],
      ['FMD', 'due', '2027-04-10'],
      ['THL', 'done', null],
    ])
  })

  test('an animal without any has no schedule', () => {
    expect(scheduleFor([], '2026-11-21')).toEqual([])
  })

  test('every vaccine of the market has a rule', () => {
    for (const { code } of vaccines) {
      const [row] = scheduleFor([gave(code, '2026-01-01')], '2026-01-02')
      expect(row!.status, code).toMatch(/^(done|due)$/)
    }
  })
})

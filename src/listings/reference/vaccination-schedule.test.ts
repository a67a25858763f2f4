import { describe, expect, test } from 'vitest'
import { vaccines } from './reference-data.ts'
import { scheduleFor, type Given } from './vaccination-schedule.ts'

const id = (code: string) => vaccines.find((vaccine) => vaccine.code === code)!.id
const doseOf = (code: string, vaccinatedOn: string, dose = 1): Given => ({ vaccineId: id(code), dose, vaccinatedOn })
const scheduleOf = (given: Given[], today: string) =>
  scheduleFor(given, today).map(({ vaccineId, status, dueOn }) => [vaccines.find((v) => v.id === vaccineId)!.code, status, dueOn])

describe('the next due day of a vaccine', () => {
  test.each([
    ['foot and mouth is due after half a year', doseOf('FMD', '2026-01-10', 2), '2026-06-01', ['FMD', 'due', '2026-07-10']],
    ['a dose is due on its day', doseOf('FMD', '2026-01-10'), '2026-07-10', ['FMD', 'due', '2026-07-10']],
    ['a dose is overdue the day after', doseOf('FMD', '2026-01-10'), '2026-07-11', ['FMD', 'overdue', '2026-07-10']],
    ['black quarter is due after a year', doseOf('BQ', '2025-02-28'), '2025-03-01', ['BQ', 'due', '2026-02-28']],
    ['goat plague is due after three years', doseOf('PPR', '2024-02-29'), '2026-11-21', ['PPR', 'due', '2027-02-28']],
    [
      'the last day of a month maps to the last day of a shorter month',
      doseOf('FMD', '2025-08-31'),
      '2025-09-01',
      ['FMD', 'due', '2026-02-28'],
    ],
    ['brucellosis needs one dose', doseOf('BRU', '2020-05-05'), '2026-11-21', ['BRU', 'done', null]],
    ['a chick’s second Ranikhet dose is due in three weeks', doseOf('RD', '2026-11-01'), '2026-11-10', ['RD', 'due', '2026-11-22']],
    ['a chick’s third dose, R2B, is due in the eighth week', doseOf('RD', '2026-11-01', 2), '2026-11-21', ['RD', 'due', '2026-11-29']],
    ['a chick’s third dose ends the course', doseOf('RD', '2026-11-01', 3), '2026-11-21', ['RD', 'done', null]],
  ])('%s', (_, given, today, expected) => {
    expect(scheduleOf([given], today)).toEqual([expected])
  })

  test('only the last dose of each vaccine counts, and overdue vaccines come first', () => {
    const given = [doseOf('FMD', '2025-01-10'), doseOf('HS', '2025-06-01'), doseOf('FMD', '2026-10-10', 3), doseOf('THL', '2024-01-01')]
    expect(scheduleOf(given, '2026-11-21')).toEqual([
      ['HS', 'overdue', '2026-06-01'],
      ['FMD', 'due', '2027-04-10'],
      ['THL', 'done', null],
    ])
  })

  test('an animal without vaccinations has no schedule', () => {
    expect(scheduleFor([], '2026-11-21')).toEqual([])
  })

  test('every vaccine in the list has a rule', () => {
    for (const { code } of vaccines) {
      const [row] = scheduleFor([doseOf(code, '2026-01-01')], '2026-01-02')
      expect(row!.status, code).toMatch(/^(done|due)$/)
    }
  })
})

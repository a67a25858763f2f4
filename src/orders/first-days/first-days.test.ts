import { expect, test } from 'vitest'
import { vaccines } from '#src/listings/reference/reference-data.ts'
import { firstDays } from './first-days.server.ts'

const today = '2026-11-23'
const idOf = (code: string) => vaccines.find((vaccine) => vaccine.code === code)!.id
const cow = { categoryId: 1, breedId: 1, genderId: 0 }

test('a recorded vaccination is due again by the schedule; a usual one without a recorded date becomes a question to the seller', () => {
  const given = [
    { vaccineId: idOf('FMD'), dose: 1, vaccinatedOn: '2026-08-01' },
    { vaccineId: idOf('HS'), dose: 1, vaccinatedOn: '2025-06-01' },
  ]
  const { vaccinations, unknown } = firstDays({ animal: cow, given, today, locale: 'en' })
  expect(vaccinations.map(({ id, status, due }) => [id, status, due])).toEqual([
    [idOf('HS'), 'overdue', '01-June-2026'],
    [idOf('FMD'), 'due', '01-February-2027'],
  ])
  expect(unknown.map(({ id }) => id)).toContain(idOf('BQ'))
  expect(unknown.map(({ id }) => id)).not.toContain(idOf('FMD'))
})

test('the milk advice appears only for animals in milk', () => {
  const isMilked = (animal: Parameters<typeof firstDays>[0]['animal']) => firstDays({ animal, given: [], today, locale: 'ta' }).isMilked
  expect(isMilked(cow)).toBe(true)
  expect(isMilked({ ...cow, genderId: 1 })).toBe(false)
  expect(isMilked({ categoryId: 4, breedId: null, genderId: 0 })).toBe(false)
})

test('a lot without a breed has no usual vaccinations', () => {
  expect(firstDays({ animal: { categoryId: 1, breedId: null, genderId: null }, given: [], today, locale: 'en' }).unknown).toEqual([])
})

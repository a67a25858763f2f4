import { expect, test } from 'vitest'
import { categories } from '#src/listings/reference/reference-data.ts'
import { shotOf, shotsOf } from './shots.ts'

const animals = categories.filter(({ typeId }) => typeId <= 2)
const namesOf = (categoryId: number | null, isMale = false) =>
  shotsOf(categoryId, isMale).map((shot) => String(shotOf(shot).name({}, { locale: 'en' })))

test('each species has its own photos, and goods have none', () => {
  for (const { id, en } of animals) expect(namesOf(id)[0], en).toBe('From the side')
  expect(categories.filter(({ typeId }) => typeId > 2).flatMap(({ id }) => shotsOf(id, false))).toEqual([])
  expect(namesOf(null)).toEqual(namesOf(1))
})

test('an udder is asked of females, testicles of males, and neither of hens, dogs and horses', () => {
  const asked = (isMale: boolean) =>
    animals.filter(({ id }) => namesOf(id, isMale).includes(isMale ? 'Testicles' : 'Udder')).map(({ en }) => en)
  expect(asked(false)).toEqual(['Cattle', 'Goat', 'Sheep'])
  expect(asked(true)).toEqual(['Cattle', 'Goat', 'Sheep'])
  for (const { id } of animals) expect(namesOf(id, true)).not.toContain('Udder')
})

test('only what has hooves is asked for them, and only what wears a tag for its number', () => {
  expect(animals.filter(({ id }) => shotsOf(id, false).includes('hooves')).map(({ en }) => en)).toEqual([
    'Cattle',
    'Goat',
    'Sheep',
    'Horses',
  ])
  expect(animals.filter(({ id }) => shotsOf(id, false).includes('tag')).map(({ en }) => en)).toEqual(['Cattle', 'Goat', 'Sheep'])
})

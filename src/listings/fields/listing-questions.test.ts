import { describe, expect, test } from 'vitest'
import { fitting } from './listing-questions.ts'
import { categories, colors, genders, livestockAges } from '#src/listings/reference/reference-data.ts'

describe('the answers that a form offers', () => {
  const animals = categories.filter(({ id }) => id <= 6)
  const missing = (field: Parameters<typeof fitting>[0], all: { id: number; en: string }[], chosen?: string) =>
    Object.fromEntries(
      animals.map(({ id, shortEn }) => {
        const offered = fitting(field, id, all, chosen)
        return [shortEn, all.filter((each) => !offered.includes(each)).map(({ en }) => en)]
      }),
    )

  test('leave out what no animal of the species has', () => {
    expect(missing('genderId', genders)).toEqual({ Cow: [], Goat: [], Sheep: [], Chicken: ['Castrated male'], Dog: [], Horse: [] })
    expect(missing('ageId', livestockAges)).toMatchObject({ Cow: [], Chicken: ['7-10 years', 'Above 10 years'], Horse: [] })
    expect(missing('colorId', colors)).toMatchObject({ Cow: ['Dark bay (horse)'], Chicken: ['Dark bay (horse)'], Horse: [] })
  })

  test('contain what was chosen before', () => {
    expect(missing('genderId', genders, '2').Chicken).toEqual([])
    expect(missing('colorId', colors, '17').Cow).toEqual([])
  })
})

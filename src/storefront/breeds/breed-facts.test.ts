import { describe, expect, test } from 'vitest'
import { breeds, vaccines, wordsFor } from '#src/listings/reference/reference-data.ts'
import { vaccinesOf } from '#src/listings/reference/vaccine-ages.ts'
import { breedFacts } from './breed-facts.server.ts'
import { breedPath, breedSlug, findBreed } from './breed-paths.ts'

describe('breed facts', () => {
  test('exist for every breed in both languages, with plausible figures', () => {
    expect(Object.keys(breedFacts).map(Number)).toEqual(breeds.map(({ id }) => id))
    for (const [id, { breed, tract, colors, female, male, price, milk }] of Object.entries(breedFacts)) {
      expect(breed, id).toBe(breeds.find((each) => each.id === Number(id))?.en)
      for (const text of [tract, colors]) {
        expect(text.ta, id).toMatch(/^[^A-Za-z]+$/)
        expect(text.en, id).not.toMatch(/[\u0B80-\u0BFF]/)
      }
      for (const range of [female, male, price, milk]) if (range) expect(range[0], id).toBeLessThanOrEqual(range[1])
      // A male weighs at least as much as a female; for rare breeds the ranges may touch.
      if (male) expect(male[1], id).toBeGreaterThanOrEqual(female[1])
    }
  })

  test('include stories for the most requested breeds, in both languages', () => {
    const stories = Object.entries(breedFacts).flatMap(([id, { story }]) => (story ? [[id, story] as const] : []))
    expect(stories.length).toBeGreaterThanOrEqual(10)
    for (const [id, story] of stories) {
      expect(story.ta, id).toMatch(/^[^A-Za-z]{80,}$/)
      expect(story.en.length, id).toBeGreaterThan(120)
    }
  })

  test('are available at a unique path per breed', () => {
    expect(new Set(breeds.map(breedSlug)).size).toBe(breeds.length)
    for (const breed of breeds) {
      expect(breedPath(breed)).toMatch(/^\/breeds\/[a-z-]{1,60}$/)
      expect(findBreed(breedSlug(breed).toUpperCase())?.id).toBe(breed.id)
    }
    expect(findBreed('zebra')).toBeNull()
    expect(findBreed(undefined)).toBeNull()
  })
})

const named = (en: string) => breeds.find((breed) => breed.en === en)!
const codesOf = (en: string) => vaccinesOf(named(en)).map(({ code }) => code)

test('every species has its vaccines, earliest first', () => {
  for (const breed of breeds) {
    const list = vaccinesOf(breed)
    expect(list.length, breed.en).toBeGreaterThan(0)
    for (const { first, code } of list) expect(first, code).toBeDefined()
  }
  expect(codesOf('Siruvidai')).toEqual(['MD', 'RD', 'IB', 'IBD', 'FP'])
})

test('a broiler, sold at six weeks, lists no later vaccine', () => {
  expect(codesOf('Broiler')).toEqual(['RD', 'IBD'])
  expect(vaccinesOf(named('Broiler'))[0]!.repeat).toEqual({ boosterDays: 21 })
  expect(vaccinesOf(named('Siruvidai')).find(({ code }) => code === 'RD')!.repeat).toEqual({ boosterDays: 21, thirdDays: 28 })
})

test('a buffalo lists no theileriosis vaccine, and neither cattle nor buffaloes list yearly rabies', () => {
  expect(codesOf('Murrah buffalo')).not.toContain('THL')
  expect(codesOf('Kangayam')).toContain('THL')
  for (const breed of ['Murrah buffalo', 'Kangayam']) expect(codesOf(breed)).not.toContain('RAB')
  expect(codesOf('Rajapalayam')).toContain('RAB')
})

test('anthrax is marked for endemic areas, brucellosis for female calves', () => {
  const vaccine = (code: string) => vaccines.find((each) => each.code === code)!
  expect(vaccine('AX')).toMatchObject({ en: expect.stringContaining('endemic'), ta: expect.stringContaining('நோய் உள்ள பகுதிகளில் மட்டும்') })
  expect(vaccine('BRU')).toMatchObject({
    en: expect.stringContaining('female calves'),
    ta: expect.stringContaining('கிடேரிக் கன்றுகளுக்கு மட்டும்'),
  })
})

test('a buffalo is neither cow nor bull, and only a castrated bull is எருது', () => {
  const words = (breed: string) => wordsFor(named(breed).categoryId, named(breed).id)!
  expect([words('Murrah buffalo').female.ta, words('Murrah buffalo').male.ta]).toEqual(['எருமை (பெட்டை)', 'எருமைக் கிடா'])
  expect(['Kangayam', 'Salem Black', 'Murrah buffalo'].map((breed) => words(breed).castrated!.ta)).toEqual([
    'எருது',
    'காயடித்த கிடா',
    'காயடித்த எருமைக் கிடா',
  ])
})

import { describe, expect, test } from 'vitest'
import { breedFacts } from './breed-facts.ts'
import { breedPath, breedSlug, findBreed } from './breed-paths.ts'
import { breedStories } from './breed-stories.ts'
import { breeds, categories } from './reference-data.ts'
import { vaccinesOf } from './vaccine-ages.ts'

describe('what is known of each breed', () => {
  test('is there for every one, in both languages, with figures that make sense', () => {
    expect(Object.keys(breedFacts).map(Number)).toEqual(breeds.map(({ id }) => id))
    for (const [id, { tract, colors, female, male, price, milk }] of Object.entries(breedFacts)) {
      for (const text of [tract, colors]) {
        expect(text.ta, id).toMatch(/^[^A-Za-z]+$/)
        expect(text.en, id).not.toMatch(/[\u0B80-\u0BFF]/)
      }
      for (const range of [female, male, price, milk]) if (range) expect(range[0], id).toBeLessThanOrEqual(range[1])
      // A bull weighs as much as a cow at least; of rare ones the ranges may touch.
      if (male) expect(male[1], id).toBeGreaterThanOrEqual(female[1])
    }
  })

  test('is told at length of those asked for most, in both languages', () => {
    expect(Object.keys(breedStories).length).toBeGreaterThanOrEqual(10)
    for (const [id, story] of Object.entries(breedStories)) {
      expect(breedFacts[Number(id)], id).toBeDefined()
      expect(story.ta, id).toMatch(/^[^A-Za-z]{80,}$/)
      expect(story.en.length, id).toBeGreaterThan(120)
    }
  })

  test('has an address of its own, by which it is found again', () => {
    expect(new Set(breeds.map(breedSlug)).size).toBe(breeds.length)
    for (const breed of breeds) {
      expect(breedPath(breed)).toMatch(/^\/breeds\/[a-z-]{1,60}$/)
      expect(findBreed(breedSlug(breed).toUpperCase())?.id).toBe(breed.id)
    }
    expect(findBreed('zebra')).toBeNull()
    expect(findBreed(undefined)).toBeNull()
  })
})

test('every kind of animal has its vaccines, the earliest first', () => {
  for (const { id } of categories.filter((category) => category.variantType > 0)) {
    const list = vaccinesOf(id)
    expect(list.length, String(id)).toBeGreaterThan(0)
    for (const { first, code } of list) expect(first, code).toBeDefined()
  }
  expect(vaccinesOf(4).map(({ code }) => code)).toEqual(['MD', 'RD', 'IB', 'IBD', 'FP'])
})

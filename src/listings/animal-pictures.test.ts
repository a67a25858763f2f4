import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { breeds } from '#src/listings/reference/reference-data.ts'
import { breedPicture, undrawn } from './animal-pictures.ts'

const folder = 'public/breeds'
const drawn = readdirSync(folder).map((file) => Number.parseInt(file))

test('every breed has a drawing or is listed in `undrawn`', () => {
  expect(breeds.filter(({ id }) => !drawn.includes(id) && !undrawn.includes(id))).toEqual([])
  expect(drawn.filter((id) => undrawn.includes(id) || !breeds.some((breed) => breed.id === id))).toEqual([])
  expect(breedPicture(101)).toBe('/breeds/101.svg')
  expect(breedPicture(506)).toBeNull()
})

test('no drawing is larger than 3 KB, and no two breeds share one', () => {
  const files = readdirSync(folder).map((file) => `${folder}/${file}`)
  expect(files.filter((file) => statSync(file).size > 3072)).toEqual([])
  expect(new Set(files.map((file) => readFileSync(file, 'utf8'))).size).toBe(files.length)
})

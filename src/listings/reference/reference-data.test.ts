import { expect, test } from 'vitest'

import * as people from '#src/accounts/reference-data.ts'
import * as market from './reference-data.ts'

const {
  animalWords,
  breeds,
  buffaloBreedIds,
  buffaloWords,
  categories,
  categoryAliases,
  categoryTypes,
  colors,
  genders,
  marketWords,
  vaccines,
} = market

const numberedLists = {
  categoryTypes,
  categories,
  breeds,
  vaccines,
  colors,
  genders,
  vaccineDoses: market.vaccineDoses,
  livestockAges: market.livestockAges,
  feedTypes: market.feedTypes,
  userTypes: people.userTypes,
  internalTypes: people.internalTypes,
  userTitles: people.userTitles,
  addressTypes: people.addressTypes,
}

const categoryIds = new Set(categories.map((category) => category.id))

const meaning = (word: string) => marketWords.find((entry) => entry.words.includes(word))?.colorIds

/** A zero-width joiner or a look-alike letter of another Indian script looks right, but no search matches it. */
const foreign = (text: string) =>
  [...text].some((letter) => !/\p{Script_Extensions=Tamil}|\p{ASCII}/u.test(letter) || /\p{Cf}/u.test(letter))

/** Every text of the reference data with the list that contains it. */
function texts(): { where: string; text: string }[] {
  const found: { where: string; text: string }[] = []
  const walk = (where: string, value: unknown): void => {
    if (typeof value === 'string') found.push({ where, text: value })
    else if (value && typeof value === 'object') for (const [key, inner] of Object.entries(value)) walk(`${where}.${key}`, inner)
  }
  walk('market', market)
  walk('people', people)
  return found
}

test.each(Object.entries(numberedLists))('no two entries of %s share an id', (_, list) => {
  expect(new Set(list.map((entry) => entry.id)).size).toBe(list.length)
})

test('the ids match those that the specification fixes', () => {
  expect(categories.filter((category) => category.id <= 6).map((category) => [category.id, category.shortEn, category.typeId])).toEqual([
    [1, 'Cow', 1],
    [2, 'Goat', 1],
    [3, 'Sheep', 1],
    [4, 'Chicken', 1],
    [5, 'Dog', 2],
    [6, 'Horse', 1],
  ])
  expect(genders.find((gender) => gender.id === 0)?.en).toBe('Female')
  expect(market.vaccineDoses.map((dose) => dose.id)).toEqual([1, 2, 3])
  expect(market.feedTypes.find((feed) => feed.id === 2)?.en).toMatch(/mixed/)
  expect(people.userTypes.map((type) => type.id)).toEqual([0, 1, 2, 3, 4, 5, 9])
  expect(people.userTypes.filter((type) => type.hidden).map((type) => type.id)).toEqual([0, 9])
})

test('the doses and the categories have the names of A §3', () => {
  expect(market.vaccineDoses.map(({ id, en }) => `${en} (${id})`)).toEqual([
    'Primary dose (1)',
    'Booster dose (2)',
    'Revaccination dose (3)',
  ])
  expect(categories.filter(({ id }) => id <= 6).map(({ id, en }) => `${id} ${en}`)).toEqual([
    '1 Cattle',
    '2 Goat',
    '3 Sheep',
    '4 Chicken',
    '5 Country Dogs',
    '6 Horses',
  ])
})

test('the form asks for breed and age of livestock and pets, and for vaccinations of livestock only', () => {
  expect(categoryTypes.filter((type) => type.asksBreedAndAge).map((type) => type.id)).toEqual([1, 2])
  expect(categoryTypes.filter((type) => type.asksVaccination).map((type) => type.id)).toEqual([1])
})

test('the form asks for teeth and milk of cattle, goats and sheep, and for none of them with feeds and ropes', () => {
  expect(categories.filter((category) => category.variantType === 1).map((category) => category.id)).toEqual([1, 2, 3])
  expect(categories.filter((category) => category.variantType === 0).every((category) => category.typeId >= 3)).toBe(true)
  expect(categories.every((category) => categoryTypes.some((type) => type.id === category.typeId))).toBe(true)
})

test('each category has the breeds of its table, numbered from one', () => {
  const counts = { 1: 23, 2: 14, 3: 13, 4: 15, 5: 11, 6: 9 }
  for (const [id, count] of Object.entries(counts)) {
    const ids = breeds.filter((breed) => breed.categoryId === Number(id)).map((breed) => breed.id)
    expect(ids).toEqual(Array.from({ length: count }, (_, row) => Number(id) * 100 + row + 1))
  }
  expect(breeds.filter((breed) => !categoryIds.has(breed.categoryId))).toEqual([])
  expect(breeds).toHaveLength(85)
})

test('the buffalo breeds are the four buffaloes of the cattle category, and only they match எருமை', () => {
  expect(buffaloBreedIds).toEqual(breeds.filter((breed) => breed.en.endsWith(' buffalo')).map((breed) => breed.id))
  expect(breeds.filter((breed) => breed.aliases.includes('எருமை')).map((breed) => breed.id)).toEqual(buffaloBreedIds)
  expect(
    Object.values(categoryAliases)
      .flat()
      .filter((alias) => buffaloWords.includes(alias)),
  ).toEqual([])
})

test('a spelling means at most one breed of a category', () => {
  for (const categoryId of categoryIds) {
    const owners = new Map<string, string>()
    for (const breed of breeds.filter((each) => each.categoryId === categoryId)) {
      const spellings = [breed.en.toLowerCase(), breed.ta, ...breed.aliases].filter((spelling) => !buffaloWords.includes(spelling))
      for (const spelling of spellings) {
        expect(owners.get(spelling), `${spelling} is ${owners.get(spelling)} and ${breed.en}`).toBeUndefined()
        owners.set(spelling, breed.en)
      }
    }
  }
})

test('every breed has a Tamil and a Latin spelling, and a short Latin name', () => {
  for (const breed of breeds) {
    expect(
      breed.aliases.some((alias) => /^[a-z]/.test(alias)),
      breed.en,
    ).toBe(true)
    expect(
      breed.aliases.some((alias) => /^\p{Script=Tamil}/u.test(alias)),
      breed.en,
    ).toBe(true)
    expect(breed.shortName).toMatch(/^[A-Za-z][A-Za-z .-]{1,15}$/)
  }
})

test.each([
  ['kangeyam', 'Kangayam'],
  ['காங்கயம்', 'Kangayam'],
  ['hf', 'Holstein Friesian cross'],
  ['எச்எஃப்', 'Holstein Friesian cross'],
  ['karunkozhi', 'Kadaknath (black meat)'],
  ['கருங்கோழி', 'Kadaknath (black meat)'],
  ['murra erumai', 'Murrah buffalo'],
])('%s means %s', (spelling, name) => {
  expect(breeds.filter((breed) => breed.aliases.includes(spelling)).map((breed) => breed.en)).toEqual([name])
})

test('every category has search words in Tamil and in Latin letters', () => {
  expect(Object.keys(categoryAliases).map(Number)).toEqual(categories.map((category) => category.id))
  for (const words of Object.values(categoryAliases)) {
    expect(new Set(words).size).toBe(words.length)
    expect(words.some((word) => /^[a-z]/.test(word))).toBe(true)
    expect(words.some((word) => /^\p{Script=Tamil}/u.test(word))).toBe(true)
  }
  expect(categoryAliases[2]).toContain('aadu')
  expect(categoryAliases[3]).toContain('aadu')
})

test('search words are lower case without extra spaces', () => {
  const words = [
    ...breeds.flatMap((breed) => breed.aliases),
    ...Object.values(categoryAliases).flat(),
    ...marketWords.flatMap((word) => word.words),
  ]
  expect(words.filter((word) => word !== word.trim().toLowerCase() || /\s{2}/.test(word) || word === '')).toEqual([])
})

test("the trade's colour words map to existing colours", () => {
  expect(meaning('மயிலை')).toEqual([6])
  expect(meaning('செவலை')).toEqual([5])
  expect(meaning('காரி')).toEqual([2, 7])
  expect(meaning('நுக்ரா')).toEqual([1])
  for (const { colorIds, categoryIds: animals } of marketWords) {
    expect(colorIds.every((id) => colors.some((color) => color.id === id))).toBe(true)
    expect(animals.every((id) => categoryIds.has(id))).toBe(true)
  }
})

test('every vaccine is for a species that we sell, and every species has one', () => {
  expect(new Set(vaccines.flatMap((vaccine) => vaccine.categoryIds))).toEqual(new Set([1, 2, 3, 4, 5, 6]))
  expect(new Set(vaccines.map((vaccine) => vaccine.code)).size).toBe(23)
})

test('the six animal categories have words for female, male and young', () => {
  expect(animalWords.map((words) => words.categoryId)).toEqual([1, 2, 3, 4, 5, 6])
})

test('all 38 districts and all 36 states and union territories have distinct names', () => {
  expect(new Set(people.districts.map((district) => district.ta)).size).toBe(38)
  expect(new Set(people.states.map((state) => state.ta)).size).toBe(36)
})

test('Tamil names are in Tamil script and English names in Latin script', () => {
  const wrong = texts().filter(({ where, text }) => {
    if (/\.(ta|shortTa)$/.test(where)) return !/\p{Script=Tamil}/u.test(text) || /[A-Za-z]/.test(text)
    if (/\.(en|shortEn)$/.test(where)) return !/[A-Za-z]/.test(text) || /\p{Script=Tamil}/u.test(text)
    return text === ''
  })
  expect(wrong).toEqual([])
})

test('no spelling mixes the two scripts, and all text is NFC', () => {
  expect(texts().filter(({ text }) => text !== text.normalize('NFC'))).toEqual([])
  expect(texts().filter(({ text }) => /[A-Za-z]/.test(text) && /\p{Script=Tamil}/u.test(text))).toEqual([])
  expect(texts().filter(({ text }) => foreign(text))).toEqual([])
})

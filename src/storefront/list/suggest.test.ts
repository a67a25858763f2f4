import { expect, test } from 'vitest'
import { findPlace } from '#src/addresses/places.server.ts'
import { suggestionsFor } from './suggest.ts'

const texts = (...asked: Parameters<typeof suggestionsFor>) => suggestionsFor(...asked).map(({ text }) => text)

test('a breed is suggested in either script, by other spellings, and by a later word of its name', () => {
  for (const typed of ['kang', 'காங்', 'kankeyam', 'KANG']) expect(texts(typed, 'en'), typed).toContain('Kangayam')
  expect(texts('kang', 'ta')).toContain('காங்கேயம்')
  expect(texts('hound', 'en')).toContain('Mudhol Hound')
})

test('species and districts are suggested too; a district fills the place field', () => {
  expect(texts('goa', 'en')).toContain('Goat')
  expect(suggestionsFor('madur', 'ta')[0]).toMatchObject({ text: 'மதுரை', field: 'near' })
})

test('market towns are suggested by their everyday names, each place once, and the search knows each', () => {
  for (const typed of ['polla', 'பொள்ளா']) expect(texts(typed, 'ta'), typed).toContain('பொள்ளாச்சி')
  expect(texts('kovai', 'en')).toEqual(['Coimbatore'])
  expect(texts('madurai', 'en')).toEqual(['Madurai'])
  // A breed and the town that gave it its name.
  expect(suggestionsFor('kangeyam', 'en').map(({ field }) => field)).toEqual(['q', 'near'])
  for (const locale of ['ta', 'en'] as const)
    for (const { text } of [...'abcdefghijklmnopqrstuvwxyz']
      .flatMap((first) => suggestionsFor(first, locale))
      .filter(({ field }) => field === 'near'))
      expect(findPlace(text), text).not.toBeNull()
})

test("a person's last searches come first, and alone while nothing is typed; each text appears once, six at most", () => {
  expect(texts('', 'en', ['red cow', 'goat'])).toEqual(['red cow', 'goat'])
  expect(texts('goat', 'en', ['Goat'])[0]).toBe('Goat')
  expect(texts('goat', 'en', ['Goat']).filter((text) => text === 'Goat')).toHaveLength(1)
  expect(texts('k', 'en').slice(6)).toEqual([])
  expect(texts('zzz', 'en')).toEqual([])
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findPlace, placeName } from '#src/addresses/places.server.ts'
import { districts } from '#src/accounts/reference-data.ts'
import { wordsOf } from '#src/kit/text/sound-keys.ts'
import { isEmptyWord } from '#src/listings/reference/vocabulary.server.ts'
import { readSentence } from './sentence.server.ts'

/** A search as buyers type it, the filters that it states, and the words that stay. */
interface Search {
  kind: string
  search: string
  want: Record<string, string | number>
  rest: string[]
}

const corpus = (name: string): Search[] =>
  readFileSync(join(import.meta.dirname, `corpus/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Search)

const read = (q: string, locale: 'ta' | 'en' = 'en') => readSentence(new URLSearchParams({ q }), locale).query
const filtersIn = (query: URLSearchParams) => Object.fromEntries([...query].filter(([name]) => name !== 'q'))
/** The name of a place differs between the corpus and the language of the page. */
const comparable = (filters: Search['want']) =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, name === 'near' ? (findPlace(String(value))?.name ?? value) : String(value)]),
  )
/** Numbers of animals and months of pregnancy have no filter, and a search for such a number finds nothing. */
const meaningful = (words: string[]) => words.flatMap(wordsOf).filter((word) => !isEmptyWord(word) && !/^\d+$|^மாத|^month/.test(word))

const isRead = ({ search, want }: Search) => {
  const found = comparable(filtersIn(read(search)))
  const stated = comparable(want)
  return Object.keys({ ...found, ...stated }).every((name) => found[name] === stated[name])
}
const keepsWords = ({ search, rest }: Search) => meaningful([read(search).get('q')!]).join(' ') === meaningful(rest).join(' ')

describe('a search as a sentence', () => {
  test('the searches that were seen while building are read in full', () => {
    const searches = corpus('open')
    expect(searches).toHaveLength(166)
    expect(searches.filter((each) => !isRead(each) || !keepsWords(each)).map(({ search }) => search)).toEqual([])
  })

  test('of the searches that were not seen, at least 95 of 100 are read', () => {
    const searches = corpus('closed')
    expect(searches).toHaveLength(150)
    expect(searches.filter(isRead).length).toBeGreaterThanOrEqual(0.95 * searches.length)
    expect(searches.filter(keepsWords).length).toBeGreaterThanOrEqual(0.92 * searches.length)
  })

  test('every district is found beside a word for nearness, in both languages, under a name that the filter reads', () => {
    for (const { en, ta } of districts) {
      const place = findPlace(en)!
      for (const search of [`cow near ${en}`, `${ta} பக்கத்தில் மாடு`])
        for (const locale of ['ta', 'en'] as const) {
          const { near, within } = filtersIn(read(search, locale))
          expect([search, near, within]).toEqual([search, placeName(place.name, locale), '50'])
          expect(findPlace(near!)).toMatchObject({ name: place.name, district: place.district })
        }
    }
  })

  test('the filters of the address stay, and those of the sentence win', () => {
    const { query } = readSentence(new URLSearchParams({ q: 'jersey under 50000', max: '90000', milk: '10', sort: 'price-low' }), 'en')
    expect(Object.fromEntries(query)).toEqual({ q: 'jersey', max: '50000', milk: '10', sort: 'price-low' })
  })

  test.each([
    ['40-50 aayiram erumai', { q: 'erumai', min: '40000', max: '50000' }],
    ['cow between 40 and 50 thousand', { q: 'cow', min: '40000', max: '50000' }],
    ['1-1.5 lac cow', { q: 'cow', min: '100000', max: '150000' }],
    ['cow older than 5 years', { q: 'cow', age: '5-' }],
    ['sheep 20 nos', { q: 'sheep' }],
    ['bull younger than 3 years', { q: 'bull', age: '1-3' }],
  ])('%s', (search, found) => expect(Object.fromEntries(read(search))).toEqual(found))

  test.each([
    ['COW-00042', "an animal's number"],
    ['cow 00042', "an animal's number"],
    ['9000000001', 'a phone number'],
    ['trial cow 938929390', 'a name with a number'],
    ['cow under 938929390', 'more than any animal costs'],
    ['50 kg cattle feed', 'goods'],
    ['4 பல் காங்கேயம் காளை', 'teeth beside a breed that is also a town'],
    ['first aid kit', 'goods, and no first lactation'],
    ['kangayam bull', 'a breed that is also a town'],
    ['erode cow', 'a district without a word for nearness'],
    ['', 'nothing'],
  ])('"%s" stays as it is: %s', (q) => {
    expect(Object.fromEntries(read(q))).toEqual({ q })
  })

  test.each([
    ['goats near me', 'goats'],
    ['Goats nearby', 'goats'],
    ['near by goats', 'goats'],
    ['nearest cow', 'cow'],
    ['cow in my area', 'cow'],
    ['kangayam bull nearby', 'kangayam bull'],
    ['எனக்கு அருகில் ஆடு', 'ஆடு'],
    ['என் பக்கத்தில் மாடு', 'மாடு'],
    ['எங்க ஊர் பக்கம் மாடு', 'மாடு'],
    ['அருகில் உள்ள ஆடு', 'ஆடு'],
    ['பக்கத்துல ஆடு வேணும்', 'ஆடு'],
    ['pakkathula', ''],
    ['en pakkathil aadu', 'aadu'],
    ['enakku arugil aadu', 'aadu'],
    ['engal ooril aadu', 'aadu'],
  ])('"%s" asks for the order by distance from the reader', (q, rest) => {
    expect(Object.fromEntries(read(q))).toEqual({ q: rest, sort: 'nearest' })
  })

  test.each([
    ['erode pakkam aadu', { near: 'Erode', within: '50' }],
    ['erode pakkathula aadu', { near: 'Erode', within: '50' }],
    ['gobi cow near me', { near: 'Gobichettipalayam', within: '50' }],
    ['jersey nearby perundurai', { near: 'Perundurai', within: '50' }],
    ['erode cow nearby', {}],
    ['xyzzyq pakkathula aadu', {}],
    ['cow 50 km from bangalore', {}],
    ['en maadu', {}],
  ])('"%s" names a place, or none that is near: the order stays', (q, want) => {
    expect(filtersIn(read(q))).toEqual(want)
  })

  test('without a place, a distance is one from the reader', () => {
    expect(filtersIn(read('goat near me under 10000 within 40 km'))).toEqual({ sort: 'nearest', within: '50', max: '10000' })
    expect(filtersIn(read('cow within 25 km'))).toEqual({ sort: 'nearest', within: '25' })
  })

  test('"cow 50000" and "cow 638001" are a price and a place, although an animal may have that number', () => {
    expect(Object.fromEntries(read('cow 50000'))).toEqual({ q: 'cow', max: '50000' })
    expect(Object.fromEntries(read('horse under 1 crore'))).toEqual({ q: 'horse', max: '10000000' })
    expect(Object.fromEntries(read('cow 638001'))).toEqual({ q: 'cow', near: '638001', within: '50' })
  })

  test.each([
    ['cow milk below 10 litres', {}, 'below 10 litres'],
    ['10 லிட்டருக்கு கீழ் மாடு', {}, '10 லிட்டருக்கு கீழ்'],
    ['cow above 3 years', {}, 'above 3 years'],
    ['bull above 100 kg', {}, 'above 100 kg'],
    ['cow above 6 years', { age: '5-' }, ''],
    ['bull above 300 kg', { weight: '300-' }, ''],
    ['cow above 12 litres', { milk: '10' }, ''],
    ['goat below 20 kg', { weight: '10-30' }, ''],
    ['goat under 1 year', { age: '0-1' }, ''],
    ['cow above 2 lactations', {}, 'above 2 lactations'],
  ])('"%s" never becomes a filter that hides what was asked for: it is left out and named', (q, want, left) => {
    const found = readSentence(new URLSearchParams({ q }), 'en')
    expect([filtersIn(found.query), found.left.join(' ')]).toEqual([want, left])
  })
})

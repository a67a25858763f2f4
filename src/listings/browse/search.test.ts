import { describe, expect, test } from 'vitest'
import { findPincode } from '#src/addresses/places.server.ts'
import { sampleListings } from '#src/demo/sample-listings.ts'
import { samplePeople } from '#src/demo/sample-people.ts'
import { keyOf, keysOf, wordsOf } from '#src/kit/text/sound-keys.ts'
import { categories, categoryAliases } from '#src/listings/reference/reference-data.ts'
import { readProductNumber, readSearch, searchKeysFor, toTsQuery, toTsVector, type SearchKeys, type Weight } from './search.server.ts'
import { breedLexeme, isEmptyWord, meaningOf, quoted, splitCompound } from '#src/listings/reference/vocabulary.server.ts'

const market = sampleListings
  .filter((sample) => sample.verification === 'passed' && !sample.sold && sample.stock > 0 && sample.touchedDaysAgo <= 100)
  .map((sample) => {
    const place = findPincode(samplePeople.find((person) => person.key === sample.seller)!.pickup!.pincode)!
    const keys = searchKeysFor({
      ...sample,
      categoryId: sample.category,
      breedId: sample.breed,
      ageId: sample.age,
      genderId: sample.gender,
      colorId: sample.color,
      milkLitresPerDay: sample.milkLitresPerDay ?? null,
      pregnancies: sample.pregnancies ?? null,
      offspring: sample.offspring ?? null,
      taluk: place.taluk,
      district: place.district,
      stateName: place.state,
    })
    return { key: sample.key, days: sample.listedDaysAgo, sample, keys }
  })

const weights: Record<Weight, number> = { A: 1, B: 0.5, C: 0.15, D: 0.05 }
const matchesOperand = (keys: SearchKeys, operand: string): Weight[] => {
  const [, lexeme, star, allowed] = /^'(.*)'(?::(\*?)([A-D]*))?$/.exec(operand)!
  return [...keys]
    .filter(([key, weight]) => (star ? key.startsWith(lexeme!) : key === lexeme) && (!allowed || allowed.includes(weight)))
    .map(([, weight]) => weight)
}

/** PostgreSQL's match for our queries: operands, and, or, brackets. */
function matches(keys: SearchKeys, query: string): boolean {
  const tokens = query.match(/'[^']*'(?::\*?[A-D]*)?|[()&|]/g)!
  let at = 0
  const factor = (): boolean => {
    if (tokens[at] !== '(') return matchesOperand(keys, tokens[at++]!).length > 0
    at++
    const inner = either()
    at++
    return inner
  }
  const all = (): boolean => {
    let met = factor()
    while (tokens[at] === '&') {
      at++
      met = factor() && met
    }
    return met
  }
  const either = (): boolean => {
    let met = all()
    while (tokens[at] === '|') {
      at++
      met = all() || met
    }
    return met
  }
  return either()
}

const rank = (keys: SearchKeys, query: string) =>
  [...new Set(query.match(/'[^']*'(?::\*?[A-D]*)?/g))]
    .flatMap((operand) => matchesOperand(keys, operand).slice(0, 1))
    .reduce((sum, weight) => sum + weights[weight], 0)

function find(text: string): string[] {
  const words = readSearch(text)
  if (words.length === 0) return market.map(({ key }) => key)
  const query = toTsQuery(words)
  return market
    .filter(({ keys }) => matches(keys, query))
    .toSorted((a, b) => rank(b.keys, query) - rank(a.keys, query) || a.days - b.days)
    .map(({ key }) => key)
}
const where = (is: (sample: (typeof sampleListings)[number]) => boolean) => market.filter(({ sample }) => is(sample)).map(({ key }) => key)

const isBuffalo = (breed: number | null) => breed !== null && breed >= 120 && breed <= 123
const cows = where((s) => s.category === 1 && s.gender === 0 && !isBuffalo(s.breed))
const cattle = where((s) => s.category === 1)
const bulls = where((s) => s.category === 1 && s.gender !== 0)
const goats = where((s) => s.category === 2)
const sheep = where((s) => s.category === 3)
const chickens = where((s) => s.category === 4)
const dogs = where((s) => s.category === 5)
const horses = where((s) => s.category === 6)
const milkers = where((s) => s.category === 1 && (s.milkLitresPerDay ?? 0) > 0)
const milkCows = milkers.filter((key) => cows.includes(key))

describe('in the sample market', () => {
  const calves = ['kangayam-cow', 'murrah-buffalo']
  const exact: [string, string[]][] = [
    ['மாடு', cattle],
    ['maadu', cattle],
    ['maattai', cattle],
    ['aattukku', [...goats, ...sheep]],
    ['மாட்டுக்குட்டி', []],
    ['நாட்டுக்கோழி', where((s) => s.category === 4 && ![408, 409, 410, 411, 412, 413, 414].includes(s.breed!))],
    ['nattukozhi', where((s) => s.category === 4 && ![408, 409, 410, 411, 412, 413, 414].includes(s.breed!))],
    ['nattu naai kutti', ['country-dog', 'kombai-dog']],
    ['எருமையை', where((s) => isBuffalo(s.breed))],
    ['காளைகள்', bulls],
    ['சேவல்', where((s) => s.category === 4 && (s.gender === 1 || s.gender === 3))],
    ['சேவலை', where((s) => s.category === 4 && (s.gender === 1 || s.gender === 3))],
    ['தஞ்சை பசு', ['umblachery-cow']],
    ['மாட்டை', cattle],
    ['மாடுகள்', cattle],
    ['cow', [...cows, ...bulls]],
    ['low price cow', [...cows, ...bulls]],
    ['பசு', cows],
    ['பசுவை', cows],
    ['pasu', cows],
    ['காளை', bulls],
    ['kaalai', bulls],
    ['bull', bulls],
    ['எருமை', where((s) => isBuffalo(s.breed))],
    ['buffelo', where((s) => isBuffalo(s.breed))],
    ['கறவை மாடு', milkers],
    ['karavai maadu', milkers],
    ['பால் மாடு', milkers],
    ['paal maadu', milkers],
    ['கறவை பசு', milkCows],
    ['கறவைப்பசு', milkCows],
    ['milk cow', milkCows],
    ['milking cow', milkCows],
    ['kandru', calves],
    ['kandrukutti', calves],
    ['கன்றுக்குட்டி', calves],
    ['கன்னுக்குட்டி', calves],
    ['kannu kutty', calves],
    ['calf', calves],
    ['calves', calves],
    ['kidari', ['malai-madu-heifer']],
    ['heifer', ['malai-madu-heifer']],
    ['ஆடு', [...goats, ...sheep]],
    ['ஆட்டின்', [...goats, ...sheep]],
    ['ஆட்டுக்கு', [...goats, ...sheep]],
    ['goat', goats],
    ['want to buy goat', goats],
    ['cheap goat', goats],
    ['where do i buy a goat, how much', goats],
    ['aadu vilai enna', [...goats, ...sheep]],
    ['ஆடு எவ்வளவு, கிடைக்குமா?', [...goats, ...sheep]],
    ['male goat', where((s) => s.category === 2 && s.gender !== 0)],
    ['female goat', where((s) => s.category === 2 && (s.gender === 0 || s.gender === 3))],
    ['ஆண் ஆடு', where((s) => (s.category === 2 || s.category === 3) && s.gender !== 0)],
    ['பெண் ஆடு', where((s) => (s.category === 2 || s.category === 3) && (s.gender === 0 || s.gender === 3))],
    ['செம்மறி', sheep],
    ['sheep', sheep],
    ['கோழி', chickens],
    ['hen', where((s) => s.category === 4 && (s.gender === 0 || s.gender === 3))],
    ['rooster', where((s) => s.category === 4 && (s.gender === 1 || s.gender === 3))],
    ['kunju', ['country-chicks']],
    ['கோழிக்குஞ்சு', ['country-chicks']],
    ['நாய்', dogs],
    ['நாய்க்குட்டி', ['country-dog', 'kombai-dog']],
    ['நாய் குட்டி', ['country-dog', 'kombai-dog']],
    ['naai kutti', ['country-dog', 'kombai-dog']],
    ['puppy', ['country-dog', 'kombai-dog']],
    ['குதிரை', horses],
    ['chippi parai', ['chippiparai-dog']],
    ['raja palayam', ['rajapalayam-dog']],
    ['jamna pari', ['jamunapari-buck']],
    ['mecheri', ['mecheri-ewe']],
    ['kangayam', ['kangayam-bull', 'kangayam-cow']],
    ['காங்கேயத்தில்', ['kangayam-bull', 'kangayam-cow']],
    ['kangeyam kaalai', ['kangayam-bull']],
    ['காங்கேயம் காளை', ['kangayam-bull']],
    ['gir cow', ['gir-cow']],
    ['salem karuppu', ['salem-black']],
    ['maattu mani', ['bell-and-rope']],
    ['chaff cutter', ['chaff-cutter']],
    ['jersy', ['jersey-cow']],
    ['hf', ['hf-cow']],
    ['karampasu', []],
    ['kaari kaalai', ['alambadi-bullock', 'pulikulam-bull']],
    ['kang', ['kangayam-bull', 'kangayam-cow']],
    ['வாத்து', []],
    ['vaathu', []],
    ['பூனை', []],
    ['யானை', []],
    ['புறா', []],
    ['காடை', []],
    ['panni', []],
    ['பன்றி', []],
    ['zebra', []],
  ]
  test.each(exact)('"%s" finds exactly the expected listings', (text, keys) => expect(find(text).toSorted()).toEqual(keys.toSorted()))

  const first: [string, string[]][] = [
    ['cow', cows],
    ['கன்று', calves],
    ['kutti', ['country-kids', 'country-dog', 'kombai-dog']],
    ['குட்டி', ['country-kids', 'country-dog', 'kombai-dog']],
    ['எருது', ['alambadi-bullock']],
    ['நாட்டு மாடு', ['country-cow']],
    ['naattu kozhi kunju', ['country-chicks']],
    ['milk can', ['milk-can']],
    ['punnakku', ['groundnut-cake']],
    ['வைக்கோல்', ['paddy-straw']],
    ['மயிலை', ['kangayam-bull']],
    ['salem', ['salem-black']],
    ['white cow', ['kangayam-cow', 'gir-cow', 'bargur-cow', 'hf-cow', 'malai-madu-heifer', 'ongole-bull']],
    ['சினை', ['country-cow', 'sahiwal-cow', 'tellicherry-doe']],
  ]
  test.each(first)('"%s" ranks the expected listings first', (text, keys) => {
    const found = find(text).slice(0, keys.length)
    expect(keys).toEqual(expect.arrayContaining(found.slice(0, 1)))
    expect(found.filter((key) => keys.includes(key)).length).toBeGreaterThan(0)
  })

  test('cows rank before bulls', () => expect(find('cow').slice(0, cows.length).toSorted()).toEqual(cows.toSorted()))

  test.each(['tiruppur goat', 'ஈரோட்டில் மாடு', 'கோவையில் குதிரை', 'theni dog', 'trichy kozhi', 'pollachi maadu'])(
    '"%s" finds by place',
    (text) => expect(find(text).length).toBeGreaterThan(0),
  )
})

describe('parsing a search', () => {
  test.each([
    ['COW-00001', 1, [1]],
    ['cow 00042', 42, [1]],
    ['Goa-00007', 7, [2]],
  ])('%s is a product number', (text, id, categoryIds) => expect(readProductNumber(text)).toEqual({ id, categoryIds }))
  test.each(['cow 5000', 'xyz-00001', 'goat', '00001 cow'])('%s is no product number', (text) => expect(readProductNumber(text)).toBeNull())

  test.each(['hf pasu', 'h f pasu', 'hf பசு', 'hf maadu'])(
    '"%s" keeps the breed, although the words together sound like the last',
    (text) => {
      const read = readSearch(text)
      expect(read).toHaveLength(2)
      expect(toTsQuery(read)).toContain(quoted(breedLexeme(119)))
    },
  )

  test('a search without a readable word matches nothing, and beside another word it is left out', () => {
    expect(find('zzzz')).toEqual([])
    expect(find('cow zzzz')).toEqual(find('cow'))
  })

  test('an animal that its words call pregnant is found in both languages, and one that they call empty is not', () => {
    const cow = { ...market[0]!.sample, categoryId: 1, breedId: 118, ageId: 7, genderId: 0, colorId: null, milkLitresPerDay: 0 }
    const place = {
      taluk: '',
      district: 'Erode',
      stateName: 'Tamil Nadu',
      pregnancies: null,
      offspring: null,
      nameEn: null,
      descriptionEn: null,
    }
    const keysOfCow = (description: string, genderId = 0) => searchKeysFor({ ...cow, ...place, name: 'Jersey', description, genderId })
    for (const words of ['ஏழு மாத சினை', '7 months pregnant', 'sinai 5 masam'])
      for (const search of ['pregnant cow', 'சினை மாடு', 'sinai maadu'])
        expect(matches(keysOfCow(words), toTsQuery(readSearch(search))), `${search}: ${words}`).toBe(true)
    expect(matches(keysOfCow('சினை இல்லை'), toTsQuery(readSearch('pregnant cow')))).toBe(false)
    expect([...keysOfCow('not pregnant').keys(), ...keysOfCow('7 months pregnant', 1).keys()]).not.toContain('+pregnant')
  })

  test.each(['for sale', 'நல்ல', 'best price', '', '!!', 'a'])('"%s" is an empty search', (text) => expect(readSearch(text)).toEqual([]))

  test.each(['vaathu', 'வாத்து', 'பூனை', 'யானை', 'புறா', 'காடை', 'panni', 'பன்றி', 'nellai', 'sinai', 'சினை', 'mini', 'ஈத்து', 'ஜோடி', 'வண்டி'])(
    '%s is never read as a breed',
    (text) => expect(readSearch(text).map(({ readAs }) => readAs)).toEqual([null]),
  )

  test.each([
    ['kangyam', 'Kangayam'],
    ['rajapalaymm', 'Rajapalayam'],
    ['chipiparia', 'Chippiparai'],
  ])('the typing error %s is read as %s', (text, breed) => expect(readSearch(text)[0]!.readAs?.en).toBe(breed))

  test('the shown correction is the search, and only one word', () => {
    expect(toTsQuery(readSearch('kangyam'))).toBe("('kankyam' | '+b101' | 'kankayam':AB | '~kankyam')")
  })

  test('an empty word of one script is not empty in the other', () => {
    expect(isEmptyWord('an')).toBe(true)
    expect(isEmptyWord('ஆண்')).toBe(false)
    expect(isEmptyWord('எங்கள்')).toBe(true)
  })

  test('quotes and backslashes cannot break out of their lexeme', () => {
    for (const text of ["o'neil", "a\\'b", "'); drop", "it''s"]) expect(toTsQuery(readSearch(text))).toMatch(/^[^;]*$/)
    expect(toTsVector(new Map([["a'b\\c", 'A']]))).toBe("'abc':1A")
  })

  test('every single-word alias of an animal category is a known word', () => {
    const unknown = categories
      .filter(({ typeId }) => typeId <= 2)
      .flatMap(({ id }) => categoryAliases[id]!)
      .filter((alias) => wordsOf(alias).length === 1 && !meaningOf(alias)?.tradeWords.length && !splitCompound(keyOf(alias)))
    expect(unknown).toEqual([])
  })

  test('different numbers have different keys, and no key is a single letter', () => {
    expect(keyOf('5000')).not.toBe(keyOf('50'))
    expect(keysOf('a 5 b')).toEqual([])
    expect(keyOf('six')).not.toBe(keyOf('chick'))
  })
})

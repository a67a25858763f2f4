import { describe, expect, test } from 'vitest'
import { fieldTable, isAsked, type Field } from '#src/listings/fields/field-table.ts'
import { checkListing, readTyped } from './listing-input.ts'
import { questionsFor, weightByTape } from '#src/listings/fields/listing-questions.ts'
import { prohibitedIn, wildlifeNamed } from './prohibited.ts'
import { categories } from '#src/listings/reference/reference-data.ts'
import type { TypedListing } from '#src/listings/fields/typed-figures.ts'

const today = '2026-11-21'
const cow: Record<string, string> = {
  categoryId: '1',
  breedId: '101',
  ageId: '7',
  genderId: '0',
  colorId: '6',
  name: 'காங்கேயம் பசு',
  description: 'நல்ல குணம்',
  stock: '1',
  weightKg: '320',
  originalPrice: '85000',
}
const rope: Record<string, string> = {
  categoryId: '11',
  name: 'Rope',
  description: 'Coir',
  stock: '20',
  weightKg: '0',
  originalPrice: '120',
}
const puppy = { ...cow, categoryId: '5', breedId: '501', ageId: '1', genderId: '1', isOldEnough: '1' }
const problemsOf = (typed: TypedListing, isStrict = false) => checkListing(typed, { today, isStrict }).problems.map(({ field }) => field)
const factsOf = (typed: TypedListing, isStrict = false) => checkListing(typed, { today, isStrict }).facts

describe('a cow', () => {
  test('is accepted as described', () => {
    expect(
      factsOf({ ...cow, offerPrice: '80000.5', milkLitresPerDay: '8.5', pregnancies: '2', teethPairs: '4', tag: '123456789012' }),
    ).toMatchObject({
      categoryId: 1,
      breedId: 101,
      genderId: 0,
      stock: 1,
      weightKg: 320,
      originalPrice: 850_000_000n,
      offerPrice: 800_005_000n,
      milkLitresPerDay: 8.5,
      pregnancies: 2,
      teethPairs: 4,
      tag: '123456789012',
      lactation: null,
      vaccinations: [],
    })
  })

  test('without any answer gets an error for every missing field at once', () => {
    expect(problemsOf({}).sort()).toEqual(['categoryId', 'description', 'name', 'originalPrice', 'stock', 'weightKg'])
    expect(problemsOf({ categoryId: '1' }).sort()).toEqual(
      ['ageId', 'breedId', 'colorId', 'description', 'genderId', 'name', 'originalPrice', 'stock', 'weightKg'].sort(),
    )
  })

  const bad: [field: string, values: string[]][] = [
    ['categoryId', ['', '0', '7', '99', '-1', '1.0', 'cow', '௧', '1 OR 1=1']],
    ['breedId', ['', '201', '9999', '0', '-1', 'Kangayam']],
    ['ageId', ['', '0', '12', 'old']],
    ['genderId', ['', '4', '-0', 'female']],
    ['colorId', ['', '0', '19', 'white']],
    ['name', ['', '   ', 'x'.repeat(121), '\u0000', '\u202E', '\uD800', '\u0007']],
    ['description', ['', '\n', 'x'.repeat(2001), '\u0000', '\u2066']],
    ['stock', ['', '0', '-1', '10001', '1.5', '1e3', '0x10', '1_000', ' ', 'NaN', '99999999999999999999']],
    ['weightKg', ['', '-1', '5000.01', '5001', '1.005', '1e3', 'heavy', '.5', '1.']],
    ['originalPrice', ['', '0', '0.0000', '-1', '100000000', '1.00005', '1e5', 'NaN', 'Infinity', '1,000', '0x10', '٣', '1.']],
    ['offerPrice', ['85000', '85000.0001', '-1', '1.00005', 'cheap', '100000000']],
    ['teethPairs', ['11', '100', '-1', '1.5', 'two']],
    ['pregnancies', ['11', '-1', '0.5']],
    ['milkLitresPerDay', ['101', '100.1', '100.5', '8.55', '4.3', '0.1', '4.25', '-1', 'much']],
    ['offspring', ['101', '-1', '1.5']],
    ['lactation', ['16', '-1']],
    ['hornShape', ['horned', 'Up', '1', 'none,up', 'toString']],
    ['girthCm', ['19', '351', '150.5', '-1']],
    ['lengthCm', ['19', '351', 'long']],
    ['tag', ['12345678901', '1234567890123', '12345678901x', '１２３４５６７８９０１２']],
  ]
  test.each(bad)('an invalid %s is refused, with no other error', (field, values) => {
    for (const value of values) expect([value, problemsOf({ ...cow, [field]: value })]).toEqual([value, [field]])
  })

  const good: [field: string, values: string[]][] = [
    ['name', ['x'.repeat(120), 'O’Brien & <b>', '  Cow  ', '🐄 பசு']],
    ['description', ['x'.repeat(2000), 'one\ntwo', '<script>alert(1)</script>']],
    ['stock', ['1', '10000']],
    ['weightKg', ['0', '0.01', '5000', '5000.00', '320.25']],
    ['originalPrice', ['0.0001', '99999999.9999', '85000.5']],
    ['offerPrice', ['', '0', '0.0', '84999.9999']],
    ['teethPairs', ['', '0', '4', '8', '10']],
    ['milkLitresPerDay', ['', '0', '0.5', '8.5', '4.0', '100']],
    ['pregnancies', ['', '0', '10']],
    ['lactation', ['', '0', '15']],
    ['offspring', ['', '0', '100']],
    ['hornShape', ['', 'none', 'up', 'out', 'curved']],
    ['girthCm', ['', '20', '350']],
    ['lengthCm', ['', '20', '350']],
  ]
  test.each(good)('%s is accepted up to its limits', (field, values) => {
    for (const value of values) expect([value, problemsOf({ ...cow, [field]: value })]).toEqual([value, []])
  })

  test.each(Object.keys(fieldTable))('the optional fact %s is tested on both sides of its limits', (fact) => {
    for (const tried of [bad, good]) expect(tried.map(([field]) => field)).toContain(fact)
  })

  test('an empty offer and an offer of zero are the same', () => {
    for (const offerPrice of ['', '0', '0.0000']) expect(factsOf({ ...cow, offerPrice })?.offerPrice).toBeNull()
  })

  test('length counts code points, and a name is stored in NFC', () => {
    expect(problemsOf({ ...cow, name: `A${'🐄'.repeat(119)}` })).toEqual([])
    expect(factsOf({ ...cow, name: 'e\u0301' })?.name).toBe('\u00e9')
  })
})

describe('the questions of the form', () => {
  const questionsOf = (id: number, ageId: number | null = null) =>
    questionsFor(
      categories.find((category) => category.id === id)!,
      ageId,
    )
  test.each([
    [1, { animal: true, breed: true, age: true, vaccines: true, tag: true }],
    [2, { animal: true, breed: true, age: true, vaccines: true, tag: true }],
    [4, { animal: true, breed: true, age: true, vaccines: true, tag: false }],
    [5, { animal: true, breed: true, age: true, vaccines: false, tag: false }],
    [6, { animal: true, breed: true, age: true, vaccines: true, tag: false }],
    [11, { animal: false, breed: false, age: false, vaccines: false, tag: false }],
    [31, { animal: false, breed: false, age: false, vaccines: false, tag: false }],
  ])('category %i has its own', (id, expected) => expect(questionsOf(id)).toMatchObject(expected))

  test('milk and pregnancies are for females only, where 0 is female', () => {
    for (const field of [fieldTable.milkLitresPerDay, fieldTable.pregnancies, fieldTable.lactation]) {
      expect([0, 1, 2, 3, null].map((gender) => isAsked(field, 1, gender))).toEqual([true, false, false, false, false])
      expect(isAsked(field, 4, 0)).toBe(false)
    }
  })

  test('teeth, offspring and horns are for ruminants of either sex, the tape is for cattle only', () => {
    const isAskedOf = (field: Field) => [1, 2, 3, 4, 5, 6, 11, 31, null].filter((id) => isAsked(field, id, 1))
    for (const field of [fieldTable.teethPairs, fieldTable.offspring, fieldTable.hornShape]) {
      expect(isAskedOf(field)).toEqual([1, 2, 3])
      expect(isAskedOf(field)).toEqual(categories.filter(({ variantType }) => variantType === 1).map(({ id }) => id))
    }
    for (const field of [fieldTable.girthCm, fieldTable.lengthCm]) expect(isAskedOf(field)).toEqual([1])
  })

  test('a form drops answers to questions of another species; the API refuses them', () => {
    const bull = { ...cow, genderId: '1', milkLitresPerDay: '9', pregnancies: '2', lactation: '3' }
    expect(factsOf(bull)).toMatchObject({ milkLitresPerDay: null, pregnancies: null, lactation: null })
    expect(problemsOf(bull, true).sort()).toEqual(['lactation', 'milkLitresPerDay', 'pregnancies'])
    expect(problemsOf({ ...bull, milkLitresPerDay: '0', pregnancies: '', lactation: '0' }, true)).toEqual([])
    const overfilledRope = { ...cow, ...rope, vaccine1: '1', dose1: '1', vaccinated1: '2026-01-01', teethPairs: '2', girthCm: '150' }
    expect(factsOf(overfilledRope)).toMatchObject({
      breedId: null,
      ageId: null,
      genderId: null,
      colorId: null,
      teethPairs: null,
      girthCm: null,
      vaccinations: [],
    })
    expect(problemsOf(overfilledRope, true).sort()).toEqual(['ageId', 'breedId', 'colorId', 'girthCm', 'teethPairs', 'vaccine1'])
  })

  test('a breed must belong to its category', () => {
    expect(problemsOf({ ...cow, breedId: '201' })).toEqual(['breedId'])
    expect(problemsOf({ ...cow, categoryId: '2' })).toEqual(['breedId'])
  })
})

describe('vaccinations', () => {
  const vaccinated = (changes: Record<string, string>) => ({ ...cow, vaccine1: '1', dose1: '2', vaccinated1: '2026-05-04', ...changes })
  test('may be two, each with its dose and day', () => {
    expect(factsOf(vaccinated({ vaccine2: '7', dose2: '1', vaccinated2: today }))?.vaccinations).toEqual([
      { vaccineId: 1, dose: 2, vaccinatedOn: '2026-05-04' },
      { vaccineId: 7, dose: 1, vaccinatedOn: today },
    ])
  })
  test.each([
    [{ dose1: '' }, ['dose1']],
    [{ dose1: '4' }, ['dose1']],
    [{ vaccinated1: '' }, ['vaccinated1']],
    [{ vaccinated1: '2026-11-22' }, ['vaccinated1']],
    [{ vaccinated1: '2026-02-30' }, ['vaccinated1']],
    [{ vaccinated1: '1989-12-31' }, ['vaccinated1']],
    [{ vaccinated1: '99999-01-01' }, ['vaccinated1']],
    [{ vaccinated1: '04.05.2026' }, ['vaccinated1']],
    [{ vaccine1: '16' }, ['vaccine1']],
    [{ vaccine1: '99', dose1: '', vaccinated1: '' }, ['vaccine1', 'dose1', 'vaccinated1']],
  ] as [Record<string, string>, string[]][])('%j is refused', (changes, fields) => expect(problemsOf(vaccinated(changes))).toEqual(fields))
  test('29 February is valid in a leap year only', () => {
    expect(problemsOf(vaccinated({ vaccinated1: '2024-02-29' }))).toEqual([])
    expect(problemsOf(vaccinated({ vaccinated1: '2025-02-29' }))).toEqual(['vaccinated1'])
  })
})

describe('prohibited animals', () => {
  const type = (id: number) => categories.find((category) => category.id === id)!
  test('are refused by their words', () => {
    for (const [text, id] of [
      ['Star tortoise pair', 13],
      ['பச்சைக்கிளி ஜோடி', 4],
      ['உடும்பு', 13],
      ['Pit bull puppies', 5],
      ['Tosa', 5],
      ['Tosa pups, 3 months', 5],
      ['டோசா குட்டி', 5],
      ['ராட்வைலர் குட்டி', 5],
      ['Oxytocin injection', 33],
      ['enrofloxacin 100 ml', 31],
      ['Ivermectin injection 50 ml', 31],
      ['ஐவர்மெக்டின்', 31],
      ['Doramectin', 32],
    ] as const)
      expect([text, prohibitedIn(text, type(id))]).not.toEqual([text, null])
  })
  test('are not confused with words that only sound alike', () => {
    for (const [text, id] of [
      ['புலிக்குளம் காளை', 1],
      ['மயிலை காளை, நல்ல வருமானம்', 1],
      ['Treated with oxytetracycline in May', 1],
      ['Dewormed with ivermectin', 2],
      ['Neem dewormer', 31],
      ['Rajapalayam pup', 5],
      ['கிளி மூக்கு சேவல், மயில் நிறம்', 4],
      ['Parrot beak aseel', 4],
    ] as const)
      expect([text, prohibitedIn(text, type(id))]).toEqual([text, null])
  })
  test("a wild animal's name alerts an admin and does not stop the seller", () => {
    for (const [text, id, words] of [
      ['Peacock pair', 4, ['peacock']],
      ['Talking parrot, two foxes', 13, ['parrot', 'foxes']],
      ['Monkey', 5, ['monkey']],
      ['மயில் குஞ்சு', 4, ['மயில்']],
      ['கிளிகள் விற்பனைக்கு', 13, ['கிளிகள்']],
      ['குரங்குக்குட்டி', 13, ['குரங்குக்குட்டி']],
      ['யானை', 1, ['யானை']],
      ['நரி', 5, ['நரி']],
      ['Elephant calf', 1, ['elephant']],
    ] as const) {
      expect([text, wildlifeNamed(text, id)]).toEqual([text, words])
      expect([text, prohibitedIn(text, type(id))]).toEqual([text, null])
    }
    for (const [text, id] of [
      ['புலிக்குளம் காளை', 1],
      ['மயிலை காளை', 1],
      ['கிளி மூக்கு சேவல், மயில் நிறம்', 4],
      ['Parrot beak aseel', 4],
      ['Foxtail millet straw', 21],
    ] as const)
      expect([text, wildlifeNamed(text, id)]).toEqual([text, []])
  })
  test('a puppy in the youngest age band needs the confirmation that it is older than eight weeks', () => {
    expect(problemsOf(puppy)).toEqual([])
    expect(problemsOf({ ...puppy, isOldEnough: '' })).toEqual(['isOldEnough'])
    expect(problemsOf({ ...puppy, isOldEnough: '', ageId: '2' })).toEqual([])
    expect(problemsOf({ ...puppy, name: 'Rottweiler' })).toEqual(['name'])
  })
})

test('figures are accepted in the ways in which people write them', () => {
  const typed = readTyped({ ...cow, originalPrice: ' ₹ ௮௫,௦௦௦ ', tag: '1234 5678 9012', weightKg: '௩௨௦.௫', name: 'A, 1 B' })
  expect(factsOf(typed)).toMatchObject({ originalPrice: 850_000_000n, tag: '123456789012', weightKg: 320.5, name: 'A, 1 B' })
})

test('a girth of 150 cm and a length of 130 cm give about 270 kg', () => {
  expect(weightByTape(150, 130)).toBe(270)
  expect([weightByTape(19, 130), weightByTape(150, 351), weightByTape(Number.NaN, 130)]).toEqual([null, null, null])
})

describe('texts', () => {
  const messageFor = (field: 'name' | 'description', text: string) =>
    checkListing({ ...cow, [field]: text }, { today }).problems.find((problem) => problem.field === field)?.message

  test.each(['\u3164', '\u115F\u1160', '\uFFA0', '\u034F', '\u200B', '\u00AD', '\uFEFF\u2060', '\u202E', '\u{E0041}'])(
    'lose their invisible characters, and alone these are no text (%j)',
    (text) => {
      expect(factsOf({ ...cow, name: `Co${text}w`, description: `Ca${text}lm` })).toMatchObject({ name: 'Cow', description: 'Calm' })
      expect([messageFor('name', text), messageFor('description', text)]).toEqual(['field_listing_name', 'field_listing_description'])
    },
  )

  test('need at least one letter or digit', () => {
    for (const text of ['...', '🐄', '- / -']) expect(messageFor('name', text)).toBe('field_listing_words')
    expect(messageFor('description', '!!!')).toBe('field_listing_words')
    for (const text of ['7', 'பசு 🐄', '🐄 ௭']) expect(messageFor('name', text)).toBeUndefined()
  })

  test('in Tamil with marks and joiners are accepted; stacks of marks are cut', () => {
    for (const text of ['கொங்கு ஸ்ரீ லக்ஷ்மி', 'க்\u200Cஷ', 'ப\u200Dசு', 'कृष्णा']) expect(messageFor('name', text)).toBeUndefined()
    for (const heap of ['\u0310'.repeat(5), '\u0310\u200D'.repeat(9)])
      expect(factsOf({ ...cow, name: `Z${heap}` })?.name).toBe(`Z${'\u0310'.repeat(4)}`)
  })

  test('used as a name become one line', () => {
    for (const end of ['\n', '\r\n', '\u2028', '\t']) expect(factsOf({ ...cow, name: `Cow${end}for sale` })?.name).toBe('Cow for sale')
    expect(factsOf({ ...cow, description: 'Cow\r\nfor sale' })?.description).toBe('Cow\nfor sale')
  })
})

describe('blanks around a figure', () => {
  test('are trimmed in a form and refused by the API', () => {
    for (const field of ['categoryId', 'breedId', 'genderId', 'stock', 'weightKg', 'originalPrice', 'offerPrice', 'tag', 'girthCm'])
      expect(
        problemsOf(
          { ...cow, offerPrice: '80000', [field]: ` ${{ ...cow, offerPrice: '80000', tag: '123456789012', girthCm: '160' }[field]} ` },
          true,
        ),
        field,
      ).toContain(field)
    expect(factsOf({ ...cow, breedId: ' 101 ', stock: ' 1 ' })).toMatchObject({ breedId: 101, stock: 1 })
    expect(factsOf({ ...cow, name: ' Cow ' }, true)).toMatchObject({ name: 'Cow' })
  })
})

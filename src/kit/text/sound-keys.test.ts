import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyOf, keysOf, keysOfForms, slipsBetween, slipsForgiven, wordsOf } from './sound-keys.ts'

describe('one word in several spellings', () => {
  test.each([
    ['மாடு', 'maadu', 'madu', 'maattu'],
    ['ஆடு', 'aadu', 'adu'],
    ['காங்கேயம்', 'kangeyam', 'kaangeyam', 'kankeyam'],
    ['நாட்டு', 'naattu', 'nattu', 'naatu'],
    ['கோழி', 'kozhi', 'koli', 'kozhy'],
    ['குதிரை', 'kuthirai', 'kudhirai', 'kutirai'],
    ['செம்மறி', 'semmari', 'chemmari', 'semari'],
    ['ராஜபாளையம்', 'rajapalayam', 'raajapaalayam'],
    ['பொள்ளாச்சி', 'pollachi', 'pollaachi'],
    ['சிப்பிப்பாறை', 'chippiparai', 'sippiparai'],
    ['எருமை', 'erumai'],
    ['பசு', 'pasu', 'pashu'],
    ['நாய்', 'naai', 'nai', 'naay'],
    ['கறவை', 'karavai'],
    ['சேவல்', 'seval', 'cheval'],
    ['தஞ்சாவூர்', 'thanjavur', 'tanjavoor'],
  ])('%s and its Latin spellings %s have the same key', (tamil, ...latin) => {
    expect(latin.map(keyOf)).toEqual(latin.map(() => keyOf(tamil)))
    expect(keyOf(tamil)).not.toBe('')
  })

  test('different animals have different keys', () => {
    const animals = ['மாடு', 'ஆடு', 'கோழி', 'குதிரை', 'நாய்', 'செம்மறி', 'எருமை', 'பசு', 'காளை', 'கன்று', 'சேவல்', 'நாட்டு']
    expect(new Set(animals.map(keyOf)).size).toBe(animals.length)
  })

  test.each(['பொள்ளாச்சி', 'கோழி', 'கொம்பு', 'சௌடு', 'மாடு'])('%s in NFD has the same keys as in NFC', (word) => {
    expect(keysOf(word.normalize('NFD'))).toEqual(keysOf(word.normalize('NFC')))
  })

  test('control: some NFD words differ from NFC in their bytes', () => {
    expect('பொள்ளாச்சி'.normalize('NFD')).not.toBe('பொள்ளாச்சி'.normalize('NFC'))
  })

  test.each([
    ['மாடுகள்', 'மாடு'],
    ['மாடுகளை', 'மாடு'],
    ['மாடுகளுக்கு', 'மாடு'],
    ['ஆட்டுக்', 'ஆட்டு'],
    ['cows', 'cow'],
    ['goats', 'goat'],
    ['MAADU', 'maadu'],
    ['Māḍu', 'maadu'],
  ])('%s is found under %s', (written, plain) => expect(keysOf(written)).toEqual([keyOf(plain)]))

  test.each([
    ['கன்று', 'kandru'],
    ['கன்றுக்குட்டி', 'kandrukutti'],
    ['நாய்க்குட்டி', 'naaikutti'],
    ['நாய்', 'naay'],
  ])('%s is pronounced %s', (tamil, latin) => expect(keyOf(latin)).toBe(keyOf(tamil)))

  test.each([
    ['பசுவை', 'பசு'],
    ['பசுவுக்கு', 'பசு'],
    ['ஆட்டின்', 'ஆடு'],
    ['ஆட்டுக்கு', 'ஆடு'],
    ['கோழியை', 'கோழி'],
    ['காளைக்கு', 'காளை'],
    ['காங்கேயத்தில்', 'காங்கேயம்'],
    ['ஈரோட்டில்', 'ஈரோடு'],
    ['கோவையில்', 'கோவை'],
    ['பொள்ளாச்சியில்', 'பொள்ளாச்சி'],
    ['திருப்பூரில்', 'திருப்பூர்'],
    ['கன்றுடன்', 'கன்று'],
    ['குட்டிகளுடன்', 'குட்டி'],
    ['பசுக்கள்', 'பசு'],
  ])('%s is a form of %s', (form, word) => expect(keyOf(form)).toBe(keyOf(word)))

  test.each(['காளை', 'எருமை', 'குதிரை', 'பெட்டை', 'குட்டை', 'கோவை', 'பால்', 'மயில்', 'பிண்ணாக்கு', 'சேவல்', 'எங்கள்', 'அவர்கள்'])(
    '%s keeps its ending',
    (word) => expect(keyOf(word)).toBe(keyOf(`${word}x`).replace(/kc$/, '')),
  )

  test.each([
    ['மாட்டை', 'மாடு'],
    ['சேவலை', 'சேவல்'],
    ['ஆடும்', 'ஆடு'],
    ['maattai', 'maadu'],
  ])('%s may be a form of %s, if that is a known word', (form, word) => expect(keysOfForms(form)).toContain(keyOf(word)))

  test('numbers keep their zeros, "six" does not match a chick, and a single letter has no key', () => {
    expect(keyOf('5000')).toBe('5000')
    expect(keyOf('six')).toBe('cikc')
    expect(keysOf('a b 7 hf')).toEqual([])
  })

  test('invisible joiners and Tamil digits change nothing', () => {
    expect(keysOf('மா\u200Dடு')).toEqual(keysOf('மாடு'))
    expect(wordsOf('௧௨ Goats, மாடு!')).toEqual(['12', 'goats', 'மாடு'])
  })

  test('a key is short and never an error, and a text has at most one key per word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const keys = keysOf(text)
        expect(keys.length).toBeLessThanOrEqual(wordsOf(text).length)
        for (const key of keys) expect(key.length).toBeLessThanOrEqual(40)
      }),
    )
  })
})

describe('edit distance', () => {
  /** The recursive definition of removing, adding, changing or swapping a letter, without the table. */
  const bruteForce = (a: string, b: string): number => {
    if (a === '' || b === '') return a.length + b.length
    const cost = a.at(-1) === b.at(-1) ? 0 : 1
    const costs = [bruteForce(a.slice(0, -1), b) + 1, bruteForce(a, b.slice(0, -1)) + 1, bruteForce(a.slice(0, -1), b.slice(0, -1)) + cost]
    const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)
    return Math.min(...costs, ...(isSwap ? [bruteForce(a.slice(0, -2), b.slice(0, -2)) + 1] : []))
  }
  const word = fc.string({ unit: fc.constantFrom('a', 'k', 't', 'u'), maxLength: 6 })

  test('equals a brute-force oracle up to the limit; above it, only exceeds the limit', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, limit) => {
        const slips = bruteForce(a, b)
        const counted = slipsBetween(a, b, limit)
        if (slips <= limit) expect(counted).toBe(slips)
        else expect(counted).toBeGreaterThan(limit)
      }),
      { numRuns: 500 },
    )
  })

  test('is symmetric', () => {
    fc.assert(fc.property(word, word, (a, b) => slipsBetween(a, b, 10) === slipsBetween(b, a, 10)))
  })

  test.each([
    ['kankeyam', 'kankeyam', 0],
    ['kankeyam', 'kankyam', 1],
    ['kankeyam', 'kanekyam', 1],
    ['kankeyam', 'kankeyaam', 1],
    ['kankeyam', 'pankeyan', 2],
  ])('between %s and %s is %i', (a, b, slips) => expect(slipsBetween(a, b, 2)).toBe(slips))

  test('is not tolerated in short words, so a goat is no cow', () => {
    expect(slipsForgiven(keyOf('ஆடு'))).toBe(0)
    expect(slipsForgiven('matu')).toBe(1)
    expect(slipsForgiven('kankeyam')).toBe(2)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { multiLine, plainDigits, plainFigures, plainMeasure, searchText, singleLine } from './plain-text.ts'

const code = (text: string) =>
  [...text].map((letter) => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`).join(' ')

/** Signs that nobody sees, each with its name. */
const invisible: [name: string, sign: string][] = [
  ['NUL', '\u0000'],
  ['bell', '\u0007'],
  ['escape', '\u001b'],
  ['delete', '\u007f'],
  ['C1 control', '\u0090'],
  ['lone high surrogate', '\ud83d'],
  ['lone low surrogate', '\udc04'],
  ['soft hyphen', '\u00ad'],
  ['grapheme joiner', '\u034f'],
  ['Arabic letter mark', '\u061c'],
  ['Hangul fillers', '\u115f\u1160'],
  ['Khmer inherent vowel', '\u17b4'],
  ['Mongolian vowel separator', '\u180e'],
  ['zero-width space', '\u200b'],
  ['left-to-right mark', '\u200e'],
  ['right-to-left mark', '\u200f'],
  ['left-to-right embedding', '\u202a'],
  ['right-to-left embedding', '\u202b'],
  ['pop directional', '\u202c'],
  ['left-to-right override', '\u202d'],
  ['right-to-left override', '\u202e'],
  ['word joiner', '\u2060'],
  ['invisible times', '\u2062'],
  ['left-to-right isolate', '\u2066'],
  ['right-to-left isolate', '\u2067'],
  ['first strong isolate', '\u2068'],
  ['pop isolate', '\u2069'],
  ['symmetric swapping', '\u206a'],
  ['Hangul filler', '\u3164'],
  ['byte order mark', '\ufeff'],
  ['no characters', '\ufdd0\ufffe\uffff\u{1fffe}'],
  ['half-width filler', '\uffa0'],
  ['annotation anchor', '\ufff9'],
  ['tag letter', '\u{e0041}'],
  ['variation selector', '\ufe00'],
  ['ideographic variation selector', '\u{e0100}'],
  ['joiner between Latin letters', '\u200d'],
  ['non-joiner between Latin letters', '\u200c'],
  ['emoji selector without emoji', '\ufe0f'],
]

describe('invisible signs', () => {
  test.each(invisible)('%s goes from one line and from several', (_, sign) => {
    for (const plain of [singleLine, multiLine])
      expect([`a${sign}b`, `${sign}ab`, `ab${sign}`, `a${sign}${sign}${sign}b`].map((text) => code(plain(text)))).toEqual(
        Array.from({ length: 4 }, () => code('ab')),
      )
  })

  test.each([...invisible.map(([, sign]) => sign), '\u2800', '\u200d\u200c', '\u0301\n\u0301', ' \t\n '])(
    'alone they are no text: %j',
    (sign) => expect([singleLine(sign), multiLine(sign)]).toEqual(['', '']),
  )
})

describe('signs with a meaning stay', () => {
  test.each([
    ['a Tamil conjunct', 'க்\u200cஷ'],
    ['a joiner between Tamil letters', 'ப\u200dசு'],
    ['a Malayalam chillu at the end of a word', 'അവന്\u200d വന്നു'],
    ['a Devanagari half letter', 'क्\u200dष'],
    ['a Meetei word with a joiner', 'ꯃ\u200dꯅ'],
    ['Urdu with a non-joiner', 'می\u200cخواہم'],
    ['a family', '👨\u200d👩\u200d👧'],
    ['an emoji with its style', '❤\ufe0f\u200d🔥'],
    ['a keycap', '7\ufe0f\u20e3'],
    ['an astral emoji', '🐄 பசு'],
    ['a skin colour', '👩🏽\u200d🌾'],
    ['a no-break space', '98765\u00a043210'],
    ['small figures and signs', '½ kg №1 ™ m²'],
    ['Tamil digits', '௮௫,௦௦௦'],
    ['four marks on a letter', 'e\u0327\u0330\u0331\u0339'.normalize('NFC')],
  ])('%s', (_, text) => expect([singleLine(text), multiLine(text)].map(code)).toEqual([code(text), code(text)]))
})

test.each([
  ['a\tb', 'a b', 'a b'],
  ['a\nb', 'a b', 'a\nb'],
  ['a\r\nb', 'a b', 'a\nb'],
  ['a\rb', 'a b', 'a\nb'],
  ['a \v\f\u0085 \u2028\u2029b', 'a b', 'a \n\n\n \n\nb'],
  ['  a  b ', 'a  b', 'a  b'],
])('tabs and line ends: %j', (text, one, several) => expect([singleLine(text), multiLine(text)]).toEqual([one, several]))

test.each([
  ['𝐑𝐬. 𝟖𝟓𝟎𝟎𝟎 𝑎𝒷ℎ 𝕏ℝ 𝚣', 'Rs. 85000 abh XR z'],
  ['ｆｕｌｌ　ｗｉｄｔｈ！', 'full　width!'],
  ['e\u0301 ெ\u0bbe', '\u00e9 ொ'],
  [`Z${'\u0310'.repeat(40)}!`, `Z${'\u0310'.repeat(4)}!`],
  [`Z${'\u0310\u200d'.repeat(40)}!`, `Z${'\u0310'.repeat(4)}!`],
  [`q${'\u0489'.repeat(40)}`, `q${'\u0489'.repeat(4)}`],
])('%j reads as its letters', (text, plain) => expect(singleLine(text)).toBe(plain))

describe('digits', () => {
  test.each([
    ['Devanagari', '०१२३४५६७८९'],
    ['Bengali', '০১২৩৪৫৬৭৮৯'],
    ['Gurmukhi', '੦੧੨੩੪੫੬੭੮੯'],
    ['Gujarati', '૦૧૨૩૪૫૬૭૮૯'],
    ['Odia', '୦୧୨୩୪୫୬୭୮୯'],
    ['Tamil', '௦௧௨௩௪௫௬௭௮௯'],
    ['Telugu', '౦౧౨౩౪౫౬౭౮౯'],
    ['Kannada', '೦೧೨೩೪೫೬೭೮೯'],
    ['Malayalam', '൦൧൨൩൪൫൬൭൮൯'],
    ['Urdu', '۰۱۲۳۴۵۶۷۸۹'],
    ['Arabic', '٠١٢٣٤٥٦٧٨٩'],
    ['Ol Chiki', '᱐᱑᱒᱓᱔᱕᱖᱗᱘᱙'],
    ['Meetei', '꯰꯱꯲꯳꯴꯵꯶꯷꯸꯹'],
    ['full width', '０１２３４５６７８９'],
    ['mathematical', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗𝟢𝟿'.slice(0, 20)],
    ['circled', '⓪①②③④⑤⑥⑦⑧⑨'],
    ['dark circles', '⓿❶❷❸❹❺❻❼❽❾'],
    ['sans circles', '⓪➀➁➂➃➄➅➆➇➈'],
    ['double circles', '⓪⓵⓶⓷⓸⓹⓺⓻⓼⓽'],
    ['raised', '⁰¹²³⁴⁵⁶⁷⁸⁹'],
    ['lowered', '₀₁₂₃₄₅₆₇₈₉'],
    ['keycaps', '0️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣8️⃣9️⃣'],
    ['keycaps without their style', '0⃣1⃣2⃣3⃣4⃣5⃣6⃣7⃣8⃣9⃣'],
  ])('%s are read', (_, digits) => expect([plainDigits(digits), plainFigures(digits)]).toEqual(['0123456789', '0123456789']))

  test.each(['12,5', '85,00', '9,50,00', ',500'])('the comma of %s stays, so that its field refuses it', (text) =>
    expect(plainFigures(text)).toBe(text),
  )

  test.each([
    '350 kg',
    '350kg',
    '350 Kgs.',
    '௩௫௦ கிலோ',
    '350 கி.கி',
    '350',
    '350 cm',
    '350 cms',
    '350 litres',
    '350 ltr',
    '350 லிட்டர்கள்',
    '350 கேஜி',
    '350 K.G.',
  ])('%j is a measure of 350', (text) => expect(plainMeasure(text)).toBe('350'))
  test.each(['350 g', '3-4 kg', 'kg', '2 years', '12 kg 5'])('%j is left to its field', (text) =>
    expect(plainMeasure(text)).not.toMatch(/^\d+$/),
  )

  test('a figure loses blanks, commas and the rupee sign', () => expect(plainFigures(' \u202a₹ ௮௫,௦௦௦\u202c ')).toBe('85000'))
})

test('a search is one line with single blanks, cut between characters', () => {
  expect(searchText(' cow \n\t\u202e calf ', 80)).toBe('cow calf')
  expect(searchText('🐄🐄🐄', 2)).toBe('🐄🐄')
})

test('whatever comes, the result is its own canonical form, well formed, and without invisible signs', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      ...invisible.map(([, sign]) => sign),
      'க',
      '்',
      'ന',
      '്',
      '👩',
      '\ufe0f',
      '\u0301',
      '\u093c',
      'क',
      ' ',
      '\n',
      '𝐚',
      '7',
      '\u20e3',
    ),
    fc.string({ unit: 'binary', maxLength: 2 }),
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      for (const plain of [singleLine, multiLine]) {
        const stored = plain(units.join(''))
        expect(plain(stored)).toBe(stored)
        expect(stored.isWellFormed()).toBe(true)
        expect(stored).not.toMatch(/(?!\n|\p{Join_Control}|\ufe0e|\ufe0f)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u)
      }
      expect(singleLine(units.join(''))).not.toContain('\n')
    }),
    { numRuns: 3000 },
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emailAddress, paragraphs, textLine } from './text.ts'

const read = (text: unknown) => emailAddress.safeParse(text).data ?? null

describe('an e-mail address', () => {
  test.each([
    ['selvi@example.com', 'selvi@example.com'],
    ['\u202aselvi@example.com\u202c', 'selvi@example.com'],
    ['selvi\u0000\ud800\u200b@example.com', 'selvi@example.com'],
    ['mailto:selvi@example.com', 'selvi@example.com'],
    ['mailto://selvi@example.com', 'selvi@example.com'],
    ['mailto:selvi@example.com?subject=Cow', 'selvi@example.com'],
    ['Email - selvi@example.com', 'selvi@example.com'],
    ['email id: selvi@example.com', 'selvi@example.com'],
    ['மின்னஞ்சல்: selvi@example.com', 'selvi@example.com'],
    ['Selvi (selvi@example.com)', 'selvi@example.com'],
    ['‘selvi@example.com’', 'selvi@example.com'],
    ['selvi@example.com mani@example.com', null],
    ['<selvi@example.com>', 'selvi@example.com'],
    ['Selvi <selvi@example.com>', 'selvi@example.com'],
    ['"K. Selvi" <selvi@example.com>', 'selvi@example.com'],
    ['selvi@example.com.', 'selvi@example.com'],
    ['selvi@example.com,', 'selvi@example.com'],
    ['ｓｅｌｖｉ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'selvi@example.com'],
    ['  Selvi.K+market@Example.CO.IN ', 'selvi.k+market@example.co.in'],
    ["o'neil_1@a-b.example", "o'neil_1@a-b.example"],
    ['செல்வி@சந்தை.இந்தியா', 'செல்வி@சந்தை.இந்தியா'],
    ['e\u0301va@example.com', 'éva@example.com'],
    // Cyrillic letters that look like Latin ones: a different address, which is accepted as it is.
    ['ѕelvi@exаmple.com', 'ѕelvi@exаmple.com'],
    ['x@xn--clchc0ea0b2g2a9gcd', null],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%j is stored as %j', (text, stored) => expect(read(text)).toBe(stored))

  test.each([
    '',
    ' ',
    'selvi',
    '@example.com',
    'selvi@',
    'selvi@localhost',
    'selvi@example',
    'selvi@@example.com',
    'selvi@exam ple.com',
    'sel vi@example.com',
    'selvi@example..com',
    '.selvi@example.com',
    'selvi.@example.com',
    'selvi@-example.com',
    'selvi@example.com-',
    'selvi@example.-com',
    'a@example.-a',
    'selvi@example-.com',
    'selvi@shop.-example.com',
    `selvi@example.${'c'.repeat(64)}`,
    'selvi@1.2.3.4',
    'selvi@[1.2.3.4]',
    '"selvi"@example.com',
    'selvi@example.com <bala@example.com>',
    'Selvi <selvi@example.com> <bala@example.com>',
    'selvi@example.com,bala@example.com',
    'selvi@example.com;bala@example.com',
    'selvi@example.com\r\nBcc: all@example.com',
    'selvi\r\nBcc: all@example.com',
    'selvi@example.com%0d%0aBcc: x@example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.com`,
    'a'.repeat(60_000),
    `a@${'a.'.repeat(30_000)}`,
    null,
    undefined,
    7,
    true,
    ['selvi@example.com'],
    { email: 'selvi@example.com' },
  ])('%j is refused', (text) => expect(read(text)).toBeNull())

  test('an accepted address is one line without special mail-header characters, and is its own canonical form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const stored = read(`${a}@${b}.example`)
        if (stored === null) return
        expect(stored).not.toMatch(/[\s<>()[\]\\,;:"\p{C}]/u)
        expect(stored.split('@')).toHaveLength(2)
        expect(read(stored)).toBe(stored)
      }),
      { numRuns: 2000 },
    )
  })
})

test('a line of text is plain, and its length counts after that', () => {
  expect(textLine(5).parse(' ஆடு ')).toBe('ஆடு')
  expect(textLine(20).parse('கெ\u0bbe')).toBe('கொ'.normalize('NFC'))
  for (const text of ['a\nb', 'a\tb', 'a\u0085b']) expect(textLine(5).parse(text)).toBe('a b')
  expect(textLine(5).parse(' \u202axxxxx\u202c ')).toBe('xxxxx')
  expect(textLine(5).safeParse('x'.repeat(6)).success).toBe(false)
})

describe('a text of several lines', () => {
  const read = (schema: ReturnType<typeof paragraphs>, text: unknown) => {
    const { data, error } = schema.safeParse(text)
    return error ? error.issues[0]!.message : data
  }
  const needed = paragraphs(5, 'field_comment_long', 'field_note_blank')
  const optional = paragraphs(5, 'field_comment_long')

  test.each([
    [' a\tb\r\nc ', 'a b\nc'],
    ['ab\u202Ec\u200B', 'abc'],
    ['கொள்', 'கொள்'],
    ['🐄'.repeat(5), '🐄'.repeat(5)],
    ['🐄'.repeat(6), 'field_comment_long'],
    ['x'.repeat(26), 'field_comment_long'],
    ['a\u0000', 'a'],
    ['a\ud800', 'a'],
    [7, /^field_(wrong|note_blank)$/],
    ['a' + '\u0302\u0302\u0303\u0304\u0305\u0306', 'â\u0302\u0303\u0304'],
  ])('%j: %s', (text, stored) => {
    for (const schema of [needed, optional])
      expect(read(schema, text)).toEqual(typeof stored === 'string' ? stored : expect.stringMatching(stored))
  })

  test.each([
    '',
    ' \n',
    '\u200B',
    '\u202E',
    '\u3164',
    '\u115F\u1160',
    '\uFFA0\u2800',
    '\u200D\u200C',
    '\u0301\n\u0301',
    '\ud800',
    '\u0008',
  ])('invisible text counts as empty: %j', (text) => expect([read(needed, text), read(optional, text)]).toEqual(['field_note_blank', '']))
})

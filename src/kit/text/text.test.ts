import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emailAddress, paragraphs, textLine } from './text.ts'

const read = (text: unknown) => emailAddress.safeParse(text).data ?? null

describe('an e-mail address', () => {
  test.each([
    ['selvi@example.com', 'selvi@example.com'],
    ['  Selvi.K+market@Example.CO.IN ', 'selvi.k+market@example.co.in'],
    ["o'neil_1@a-b.example", "o'neil_1@a-b.example"],
    ['செல்வி@சந்தை.இந்தியா', 'செல்வி@சந்தை.இந்தியா'],
    ['e\u0301va@example.com', 'éva@example.com'],
    // Cyrillic letters that look like ours: another address, and not for us to judge.
    ['ѕelvi@exаmple.com', 'ѕelvi@exаmple.com'],
    ['x@xn--clchc0ea0b2g2a9gcd', null],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%j is kept as %j', (text, kept) => expect(read(text)).toBe(kept))

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
    'Selvi <selvi@example.com>',
    'selvi@example.com,bala@example.com',
    'selvi@example.com;bala@example.com',
    'selvi@example.com\r\nBcc: all@example.com',
    'selvi\r\nBcc: all@example.com',
    'selvi@example.com\u0000',
    'selvi\u0000@example.com',
    'selvi\ud800@example.com',
    'selvi\u202e@example.com',
    'selvi\u200b@example.com',
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
  ])('%j is none', (text) => expect(read(text)).toBeNull())

  test('that passes is one line that means nothing else in a mail header, and is its own canonical form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const kept = read(`${a}@${b}.example`)
        if (kept === null) return
        expect(kept).not.toMatch(/[\s<>()[\]\\,;:"\p{C}]/u)
        expect(kept.split('@')).toHaveLength(2)
        expect(read(kept)).toBe(kept)
      }),
      { numRuns: 2000 },
    )
  })
})

test('a line of text is trimmed and composed, and counts its characters before that', () => {
  expect(textLine(5).parse(' ஆடு ')).toBe('ஆடு')
  expect(textLine(20).parse('ெ\u0bbe')).toBe('ொ'.normalize('NFC'))
  for (const text of ['a\nb', 'a\tb', 'a\u007fb', 'a\u0085b', 'a\udc00', 'x'.repeat(6)])
    expect(textLine(5).safeParse(text).success).toBe(false)
})

describe('some lines of what people write', () => {
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
    ['a\u0000', 'field_wrong'],
    ['a\ud800', 'field_wrong'],
    ['\ud800', 'field_wrong'],
    ['\u0008', 'field_wrong'],
    [7, /^field_(wrong|note_blank)$/],
    ['a' + '\u0301\u0302\u0303\u0304\u0305\u0306', 'field_listing_letters'],
  ])('%j: %s', (text, kept) => {
    for (const schema of [needed, optional])
      expect(read(schema, text)).toEqual(typeof kept === 'string' ? kept : expect.stringMatching(kept))
  })

  test.each(['', ' \n', '\u200B', '\u202E', '\u3164', '\u115F\u1160', '\uFFA0\u2800', '\u200D\u200C', '\u0301\n\u0301'])(
    'nothing to see is nothing: %j',
    (text) => expect([read(needed, text), read(optional, text)]).toEqual(['field_note_blank', '']),
  )
})

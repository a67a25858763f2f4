import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from './pagination.ts'

const NUMBER = /^\d{1,15}$/
const cursor = fc.record({ value: fc.stringMatching(NUMBER), id: fc.nat({ max: 999_999_999_999_999 }) })

describe('the keyset cursor of a list', () => {
  test('round-trips, and needs no escaping in a URL', () => {
    fc.assert(
      fc.property(fc.constantFrom('newest', 'price', 'near'), cursor, (sort, made) => {
        const text = encodeCursor(sort, made)
        expect(encodeURIComponent(text)).toBe(text)
        expect(decodeCursor(text, sort, NUMBER)).toEqual(made)
      }),
    )
  })

  test('of another sort order gives the first page', () => {
    fc.assert(fc.property(cursor, (made) => decodeCursor(encodeCursor('price', made), 'newest', NUMBER) === null))
  })

  test('with a value of the wrong type gives the first page', () => {
    expect(decodeCursor(encodeCursor('newest', { value: '2026-11-21', id: 1 }), 'newest', NUMBER)).toBeNull()
    expect(decodeCursor(encodeCursor('newest', { value: "1' or 1=1", id: 1 }), 'newest', NUMBER)).toBeNull()
  })

  test.each([
    null,
    '',
    '=',
    '!!!!',
    'bmV3ZXN0',
    btoa('newest|1'),
    btoa('newest|1|2|3'),
    btoa('newest|1|-2'),
    btoa('newest|1|1e3'),
    btoa('newest|1|'),
    btoa('|1|2'),
    'a'.repeat(121),
    'மாடு',
    'bmV3ZXN0fDF8Mg==',
  ])('garbage %j gives the first page', (text) => expect(decodeCursor(text, 'newest', NUMBER)).toBeNull())

  test('any text gives null or a valid cursor, never an error', () => {
    const text = fc.oneof(fc.string(), fc.base64String(), fc.stringMatching(/^[\w-]{1,130}$/))
    fc.assert(
      fc.property(text, (typed) => {
        const found = decodeCursor(typed, 'newest', NUMBER)
        expect(found === null || (NUMBER.test(found.value) && Number.isSafeInteger(found.id))).toBe(true)
      }),
    )
  })

  test('with one changed letter gives null or another valid place in the same list', () => {
    fc.assert(
      fc.property(cursor, fc.nat(), fc.constantFrom(...'ABCxyz019-_'), (made, at, letter) => {
        const text = encodeCursor('newest', made)
        const position = at % text.length
        const found = decodeCursor(text.slice(0, position) + letter + text.slice(position + 1), 'newest', NUMBER)
        expect(found === null || (NUMBER.test(found.value) && Number.isSafeInteger(found.id))).toBe(true)
      }),
    )
  })
})

import { describe, expect, test } from 'vitest'
import { Problem } from '#src/kit/base/problem.ts'
import { ensureStorable } from './storable-text.ts'

const refused = (body: unknown): string[] => {
  try {
    ensureStorable(body)
    return []
  } catch (error) {
    return (error as Problem).fields!.map(({ field }) => field)
  }
}

describe('a body whose text cannot be stored', () => {
  test.each<[string, string]>([
    ['NUL', 'a\u0000b'],
    ['the first half of a character', 'a\ud83d'],
    ['the second half of a character', '\udc04b'],
    ['two halves in the wrong order', '\udc04\ud83d'],
  ])('with %s is refused by the path of its field', (_, text) => {
    expect(refused({ name: 'Kangayam', product: { name: text, photos: [{ words: text }] } })).toEqual([
      'product.name',
      'product.photos.0.words',
    ])
  })

  test('every other text, number and file passes', () => {
    expect(refused({ name: 'க்\u200dஷ 🐄 a\u202eb\n\t', stock: 4, weight: null, tags: ['x'], file: new Blob(['\u0000']) })).toEqual([])
    expect(refused(null)).toEqual([])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wordChanges, type WordChange } from './word-changes.server.ts'

/** As text with markers, as an admin without colour vision reads it. */
const marked = (before: string, after: string) =>
  wordChanges(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `[+${text}+]` })[kind])
    .join('')

describe('the word diff of a listing', () => {
  test.each([
    ['Calm cow', 'Calm cow', 'Calm cow'],
    ['Calm cow', 'Calm white cow', 'Calm [+white +]cow'],
    ['Calm white cow', 'Calm cow', 'Calm [-white -]cow'],
    ['Calm cow, 8 litres', 'Calm cow, 12 litres', 'Calm cow, [-8 -][+12 +]litres'],
    ['', 'Calm cow', '[+Calm cow+]'],
    ['Calm   cow', 'Calm cow', 'Calm cow'],
    ['Calm cow\nEats all', 'Calm cow Eats all', 'Calm [-cow\n-][+cow +]Eats all'],
  ])('from "%s" to "%s"', (before, after, expected) => {
    expect(marked(before, after)).toBe(expected)
  })

  test('a Tamil word is replaced as a whole, not by letters', () => {
    expect(marked('நல்ல உழவு காளை', 'நல்ல உழவுக் காளை')).toBe('நல்ல [-உழவு -][+உழவுக் +]காளை')
  })

  test('for any two texts, the diff contains all of both', () => {
    const text = fc.array(fc.constantFrom('பசு', 'calm', 'cow', '8', 'litres')).map((words) => words.join(' '))
    const without = (kind: WordChange['kind'], changes: WordChange[]) =>
      changes
        .filter((change) => change.kind !== kind)
        .map((change) => change.text.trim())
        .filter(Boolean)
        .join(' ')
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = wordChanges(before, after)
        expect(without('added', changes)).toBe(before)
        expect(without('removed', changes)).toBe(after)
      }),
    )
  })
})

import { diffArrays } from 'diff'

export interface WordChange {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/**
 * Word diff of a text, in reading order, removed before added. Splits words at spaces only, because the library's own tokens break Tamil
 * words at vowel signs. A new line counts as a change, a different number of spaces does not.
 */
export function wordChanges(before: string, after: string): WordChange[] {
  return diffArrays(wordsOf(before), wordsOf(after), { comparator: isSameWord }).map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }))
}

const wordsOf = (text: string): string[] => text.trim().match(/\S+\s*/g) ?? []

const isSameWord = (one: string, other: string) => one.trim() === other.trim() && one.includes('\n') === other.includes('\n')

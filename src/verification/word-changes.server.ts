import { diffArrays } from 'diff'

export interface WordChange {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/**
 * What became of a text, word by word, in reading order; what was removed stands before what was added in its place. Words are parted by
 * spaces only: the library's own words break Tamil ones at their vowel signs. A new line counts as a change, another number of spaces does
 * not.
 */
export function wordChanges(before: string, after: string): WordChange[] {
  return diffArrays(wordsOf(before), wordsOf(after), { comparator: isSameWord }).map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }))
}

/** Each word with the space that follows it. */
const wordsOf = (text: string): string[] => text.trim().match(/\S+\s*/g) ?? []

const isSameWord = (one: string, other: string) => one.trim() === other.trim() && one.includes('\n') === other.includes('\n')

/** One figure: two things measured in turn in this run, and their ratio; or something counted, against what it may be. */
export interface Figure {
  name: string
  /** What the number is: a share of something else measured beside it, or a count (no unit). */
  value: number
  unit: '×' | '/s' | 'KB' | 'statements' | 's' | 'MiB' | 'MB' | ''
  /** The promise holds when `value` is at least, or at most, this. */
  atLeast?: number
  atMost?: number
  /** How it was come by: both measurements, sizes. */
  note: string
}

export interface Section {
  title: string
  /** What is compared with what. */
  explains: string
  figures: Figure[]
}

export const isMet = ({ value, atLeast, atMost }: Figure) =>
  (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost)

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
export const kilobytes = (bytes: number) => Math.round(bytes / 100) / 10

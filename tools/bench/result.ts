/** One figure: a ratio of two alternating measurements of this run, or a count against its limit. */
export interface Figure {
  name: string
  /** A ratio to a reference, or a count (no unit). */
  value: number
  unit: '×' | '/s' | 'KB' | 'statements' | 's' | 'MiB' | 'MB' | ''
  /** The promise: `value` must be at least or at most this. */
  atLeast?: number
  atMost?: number
  /** The underlying measurements and sizes. */
  note: string
}

export interface Section {
  title: string
  /** The comparison that the figures make. */
  explains: string
  figures: Figure[]
}

export const isMet = ({ value, atLeast, atMost }: Figure) =>
  (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost)

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
export const kilobytes = (bytes: number) => Math.round(bytes / 100) / 10

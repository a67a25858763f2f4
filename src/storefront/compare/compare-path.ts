import { ID_PATTERN } from '#src/kit/ids.ts'

/** A phone has room for three side by side. */
export const MAX_COMPARED = 3

export const comparePath = (ids: readonly number[]): string => `/compare?ids=${ids.join(',')}`

/** Drops unreadable ids, like a list URL. */
export const readCompared = (text: string | null): number[] =>
  [...new Set((text ?? '').split(',').filter((id) => ID_PATTERN.test(id)))].slice(0, MAX_COMPARED).map(Number)

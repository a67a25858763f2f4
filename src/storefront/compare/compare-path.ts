import { ID_PATTERN } from '#src/kit/ids.ts'

/** As many as stand side by side on a phone. */
export const MAX_COMPARED = 3

export const comparePath = (ids: readonly number[]): string => `/compare?ids=${ids.join(',')}`

/** What cannot be read is left out, like in the address of a list. */
export const readCompared = (text: string | null): number[] =>
  [...new Set((text ?? '').split(',').filter((id) => ID_PATTERN.test(id)))].slice(0, MAX_COMPARED).map(Number)

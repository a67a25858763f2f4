import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'

/** How many animals each value of a filter would leave. */
export interface Facet {
  /** The number of examined rows. */
  looked: number
  counts: Record<string, number> | null
}
export type Facets = Record<'species' | 'breed' | 'within' | 'max', Facet>

/** "340+" is a lower bound; empty means unknown. */
export function facetText({ looked, counts }: Facet, value: number): string {
  const count = counts?.[value] ?? 0
  const isMore = looked > COUNT_UP_TO
  return isMore && count === 0 ? '' : `${count.toLocaleString('en-IN')}${isMore ? '+' : ''}`
}

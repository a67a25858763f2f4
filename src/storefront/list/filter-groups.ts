import type { Locale } from '#src/kit/text/locale.ts'

export interface FilterGroup {
  id: number
  name: string
  hasBreeds: boolean
  /** How many animals it would leave, as text; empty: unknown. */
  count: string
  /** Null: not sent with the page. */
  breeds: NamedBreed[] | null
}
interface NamedBreed {
  id: number
  name: string
  count?: string
}

/** Sorted by the reader's alphabet. */
export function inOrder(breeds: NamedBreed[], locale: Locale): NamedBreed[] {
  const collator = new Intl.Collator(locale)
  return breeds.toSorted((a, b) => collator.compare(a.name, b.name))
}

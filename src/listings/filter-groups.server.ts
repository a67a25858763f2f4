import type { Locale } from '#src/kit/locale.ts'
import { breeds, categories } from './reference-data.ts'

export interface FilterGroup {
  id: number
  name: string
  breeds: { id: number; name: string }[]
}

/** Categories with their breeds in the reader's alphabet, for the Filter dialog. */
export function filterGroups(locale: Locale): FilterGroup[] {
  const collator = new Intl.Collator(locale)
  return categories.map((category) => ({
    id: category.id,
    name: category[locale],
    breeds: breeds
      .filter((breed) => breed.categoryId === category.id)
      .map((breed) => ({ id: breed.id, name: breed[locale] }))
      .sort((a, b) => collator.compare(a.name, b.name)),
  }))
}

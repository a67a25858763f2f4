import type { Locale } from '#src/kit/locale.ts'
import { breeds, categories } from './reference-data.ts'
import { inOrder, type FilterGroup } from './filter-groups.ts'

/**
 * Categories for the Filter dialog. Breeds stand with those that are chosen, or of which one is; the others' are fetched when
 * somebody looks for them (filter-groups.ts), because a hundred and thirty names on every page are a burden on a slow line.
 */
export function filterGroups(locale: Locale, chosen: { categoryIds: number[]; breedIds: number[] }): FilterGroup[] {
  return categories.map((category) => {
    const own = breeds.filter((breed) => breed.categoryId === category.id)
    const isOpen = chosen.categoryIds.includes(category.id) || own.some(({ id }) => chosen.breedIds.includes(id))
    return {
      id: category.id,
      name: category[locale],
      hasBreeds: own.length > 0,
      breeds: isOpen
        ? inOrder(
            own.map((breed) => ({ id: breed.id, name: breed[locale] })),
            locale,
          )
        : null,
    }
  })
}

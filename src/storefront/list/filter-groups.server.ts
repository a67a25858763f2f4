import type { Locale } from '#src/kit/text/locale.ts'
import { facetText, type Facets } from '#src/listings/browse/facets.ts'
import { breeds, categories } from '#src/listings/reference/reference-data.ts'
import { inOrder, type FilterGroup } from './filter-groups.ts'

/**
 * Categories for the Filter dialog. The page contains the breeds that leave animals, of the chosen categories and of
 * those with a chosen breed. The others load when somebody unfolds them (list-breeds.ts), because 130 names on every
 * page are too much for a slow connection.
 */
export function filterGroups(locale: Locale, chosen: { categoryIds: number[]; breedIds: number[] }, facets: Facets | null): FilterGroup[] {
  return categories.map((category) => {
    const own = breeds.filter((breed) => breed.categoryId === category.id)
    const countOf = (id: number) => (facets ? facetText(facets.breed, id) : '')
    const isOpen = chosen.categoryIds.includes(category.id) || own.some(({ id }) => chosen.breedIds.includes(id))
    return {
      id: category.id,
      name: category[locale],
      hasBreeds: own.length > 0,
      count: facets ? facetText(facets.species, category.id) : '',
      breeds: isOpen
        ? inOrder(
            own
              .map((breed) => ({ id: breed.id, name: breed[locale], count: countOf(breed.id) }))
              .filter(({ id, count }) => count !== '0' || chosen.breedIds.includes(id)),
            locale,
          )
        : null,
    }
  })
}

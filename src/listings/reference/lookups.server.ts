import { m } from '#src/paraglide/messages.js'
import type { Locale } from '#src/kit/text/locale.ts'
import type { Named } from '#src/accounts/reference-data.ts'
import { breeds, categories, categoryTypes, colors, genders, livestockAges, vaccineDoses, vaccines, wordsFor } from './reference-data.ts'

const byId = <T extends { id: number }>(rows: T[]) => {
  const map = new Map(rows.map((row) => [row.id, row]))
  return (id: number): T => {
    const row = map.get(id)
    if (!row) throw new Error(`No lookup row with id ${id}`)
    return row
  }
}

/** The fixed lists by id. The database holds the same rows for its foreign keys (decision 0008). */
export const lookups = {
  category: byId(categories),
  categoryType: byId(categoryTypes),
  breed: byId(breeds),
  age: byId(livestockAges),
  color: byId(colors),
  gender: byId(genders),
  vaccine: byId(vaccines),
  dose: byId(vaccineDoses),
}
export const knownIds = { categoryIds: new Set(categories.map((c) => c.id)), breedIds: new Set(breeds.map((b) => b.id)) }

export const nameOf = (row: Named, locale: Locale) => row[locale]
export const nameOrNull = (find: (id: number) => Named, id: number | null, locale: Locale) => (id === null ? null : find(id)[locale])

const CASTRATED = 2

/** The gender in keepers' words for the species: a castrated bull is எருது, a castrated buck is not. Null for goods. */
export function genderName(
  animal: { categoryId: number | null; breedId: number | null; genderId: number | null },
  locale: Locale,
): string | null {
  const word = animal.genderId === CASTRATED ? wordsFor(animal.categoryId, animal.breedId)?.castrated : undefined
  return word ? word[locale] : nameOrNull(lookups.gender, animal.genderId, locale)
}

/** The seller's name, or the agent's name with the owner for whom they list. */
export const listedFor = (seller: string, owner: string | null | undefined, locale: Locale): string =>
  owner ? m.owner_for({ agent: seller, owner }, { locale }) : seller

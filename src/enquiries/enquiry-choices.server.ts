import type { Locale } from '#src/kit/text/locale.ts'
import { breeds, categories, categoryTypes, colors, genders, livestockAges } from '#src/listings/reference/reference-data.ts'

/** Each type with its categories and their breeds; sent as a whole, so that the next question needs no request. */
export function enquiryChoices(locale: Locale) {
  const named = (rows: readonly { id: number; en: string; ta: string }[]) => rows.map((row) => ({ id: row.id, name: row[locale] }))
  return {
    types: categoryTypes.map((type) => ({
      id: type.id,
      name: type[locale],
      isAnimal: type.asksBreedAndAge,
      categories: categories
        .filter(({ typeId }) => typeId === type.id)
        .map((category) => ({
          id: category.id,
          name: category[locale],
          breeds: type.asksBreedAndAge ? named(breeds.filter(({ categoryId }) => categoryId === category.id)) : [],
        })),
    })),
    ages: named(livestockAges),
    genders: named(genders),
    colors: named(colors),
  }
}
export type EnquiryChoices = ReturnType<typeof enquiryChoices>

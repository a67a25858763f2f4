import type { Locale } from '#src/kit/text/locale.ts'
import { breeds, categories, colors, genders, livestockAges, vaccineDoses, vaccines } from '#src/listings/reference-data.ts'

interface Named {
  id: number
  name: string
}

/** Every list of the form in the reader's language; sent whole, so that the next question needs no request. */
export interface FormLookups {
  categories: (Named & { typeId: number; variantType: number; isShown: boolean })[]
  breeds: (Named & { categoryId: number })[]
  ages: Named[]
  colors: Named[]
  genders: Named[]
  vaccines: (Named & { categoryIds: number[] })[]
  doses: Named[]
}

/** With a picture of their own on the form, in the order of the category row; the others stand behind "More". */
const shown = [1, 2, 3, 4, 6, 5]

export function formLookups(locale: Locale): FormLookups {
  const named = (rows: readonly { id: number; en: string; ta: string }[]) => rows.map((row) => ({ id: row.id, name: row[locale] }))
  const order = (id: number) => (shown.includes(id) ? shown.indexOf(id) : id + shown.length)
  return {
    categories: categories
      .map(({ id, typeId, variantType, ...c }) => {
        const isShown = shown.includes(id)
        const name = isShown ? (locale === 'ta' ? c.shortTa : c.shortEn) : c[locale]
        return { id, typeId, variantType, name, isShown }
      })
      .toSorted((a, b) => order(a.id) - order(b.id)),
    breeds: breeds.map((breed) => ({ id: breed.id, categoryId: breed.categoryId, name: breed[locale] })),
    ages: named(livestockAges),
    colors: named(colors),
    genders: named(genders),
    vaccines: vaccines.map((vaccine) => ({
      id: vaccine.id,
      name: `${vaccine[locale]} (${vaccine.code})`,
      categoryIds: vaccine.categoryIds,
    })),
    doses: named(vaccineDoses),
  }
}

import type { Locale } from '#src/kit/text/locale.ts'
import { breeds, categories, colors, genders, livestockAges, vaccineDoses, vaccines, wordsFor } from '#src/listings/reference-data.ts'

interface Named {
  id: number
  name: string
}

/** Every list of the form in the reader's language; sent whole, so that the next question needs no request. */
export interface FormLookups {
  categories: (Named & { typeId: number; variantType: number; isShown: boolean })[]
  /** `called`: what its animals are called, by place in `called` below. */
  breeds: (Named & { categoryId: number; called: number })[]
  /** Words for a female, a male and a castrated one, by gender id; empty where keepers have none. */
  called: string[][]
  /** `inWords`: as part of a name. */
  ages: (Named & { inWords: string })[]
  colors: Named[]
  genders: Named[]
  vaccines: (Named & { categoryIds: number[] })[]
  doses: Named[]
}

/** With a picture of their own on the form, in the order of the category row; the others stand behind "More". */
const shown = [1, 2, 3, 4, 6, 5]

const allWords = [...new Set(breeds.map(({ id, categoryId }) => wordsFor(categoryId, id)))]

const calledIn = (words: (typeof allWords)[number], locale: Locale): string[] =>
  words ? [words.female, words.male, words.castrated].map((word) => word?.[locale].toLowerCase() ?? '') : []

/** "2-3 வயது", as keepers say it, of "2-3 ஆண்டுகள்". */
const spokenAge = (age: string) => age.replace('ஆண்டுகளுக்கு', 'வயதுக்கு').replace('ஆண்டுகள்', 'வயது').replace('மாதங்கள்', 'மாதம்')

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
    breeds: breeds.map(({ id, categoryId, ...breed }) => ({
      id,
      categoryId,
      name: breed[locale],
      called: allWords.indexOf(wordsFor(categoryId, id)),
    })),
    called: allWords.map((words) => calledIn(words, locale)),
    ages: named(livestockAges).map((age) => ({ ...age, inWords: locale === 'ta' ? spokenAge(age.name) : age.name })),
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

import type { Locale } from '#src/kit/text/locale.ts'
import { allAnimals, categories } from '#src/listings/reference/reference-data.ts'
import type { CategoryShortcut } from './category-row.tsx'

/** The order of A §2.4, with sheep beside goats. */
const shortcutIds = [1, 2, 3, 4, 6, 5]

export function categoryShortcuts(locale: Locale): { shortcuts: CategoryShortcut[]; more: CategoryShortcut[] } {
  const short = (id: number) => {
    const category = categories.find((c) => c.id === id)!
    return { id, name: locale === 'ta' ? category.shortTa : category.shortEn }
  }
  return {
    shortcuts: [{ id: 0, name: allAnimals[locale] }, ...shortcutIds.map(short)],
    more: categories.filter((c) => !shortcutIds.includes(c.id)).map((c) => ({ id: c.id, name: c[locale] })),
  }
}

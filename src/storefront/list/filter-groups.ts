import type { Locale } from '#src/kit/text/locale.ts'

export interface FilterGroup {
  id: number
  name: string
  hasBreeds: boolean
  /** How many it would leave, as it reads; empty: unknown. */
  count: string
  /** Null: not sent with the page. */
  breeds: NamedBreed[] | null
}
export interface NamedBreed {
  id: number
  name: string
  count?: string
}

/** In the reader's alphabet. */
export function inOrder(breeds: NamedBreed[], locale: Locale): NamedBreed[] {
  const collator = new Intl.Collator(locale)
  return breeds.toSorted((a, b) => collator.compare(a.name, b.name))
}

let fetched: { locale: Locale; tree: Promise<CategoryTree> } | undefined
type CategoryTree = { categories: { id: number; breeds: NamedBreed[] }[] }[]

/** The breeds of one category, from the same call that apps use; the first request loads all of them. Rejects when offline. */
export async function fetchBreeds(categoryId: number, locale: Locale): Promise<NamedBreed[]> {
  if (fetched?.locale !== locale) fetched = { locale, tree: fetchTree(locale) }
  try {
    const tree = await fetched.tree
    const category = tree.flatMap(({ categories }) => categories).find(({ id }) => id === categoryId)
    return inOrder(category?.breeds ?? [], locale)
  } catch (error) {
    fetched = undefined
    throw error
  }
}

async function fetchTree(locale: Locale): Promise<CategoryTree> {
  const response = await fetch('/api/v1/category-type', { headers: { 'Accept-Language': locale } })
  if (!response.ok) throw new Error(`category-type answered ${response.status}`)
  return response.json()
}

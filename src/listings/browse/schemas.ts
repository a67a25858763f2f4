import { decodeCursor, shortHash, type Cursor } from '#src/kit/http/pagination.ts'
import { typedRupees } from '#src/kit/time-money/amounts.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { fieldRupees, parseRupees, type Money } from '#src/kit/time-money/money.ts'
import { readTraits, traitNames, type ChosenTraits } from '#src/listings/traits/traits.ts'
import { MAX_SEARCH_CHARACTERS } from './search-limits.ts'

export const PAGE_SIZE = 24
/** The maximum list length of the API; `top=0` means this many. */
export const MAX_TOP = 60

/** `best` sorts by relevance to the search text, and needs one. */
export const sorts = ['best', 'newest', 'price-low', 'price-high', 'nearest'] as const
export type Sort = (typeof sorts)[number]

/** The default order: best match with a search text, else newest. It stays out of the URL. */
export const defaultSort = (text: string | undefined): Sort => (text ? 'best' : 'newest')

type Order = Pick<BrowseChoices, 'sort' | 'near' | 'text'>
/** The order by distance waits for a place. Until then the list has its usual order. */
export const isPlaceMissing = ({ sort, near }: Order): boolean => sort === 'nearest' && near === ''
export const orderOf = (choices: Order): Sort => (isPlaceMissing(choices) ? defaultSort(choices.text) : choices.sort)

/** The radii around a place, in kilometres. */
export const radii = [25, 50, 100, 200] as const

/** The radius offered as a single tap. */
export const USUAL_KM = 50
/** The common maximum price of a species, in rupees. */
const usualPrices: Record<number, number> = { 1: 80_000, 2: 15_000, 3: 15_000, 4: 1_000, 5: 10_000, 6: 100_000 }
export const usualMaxPrice = ([first, ...more]: readonly number[]): number => (more.length === 0 && usualPrices[first ?? 0]) || 50_000

/** All choices on the list page, as the URL states them. */
export interface BrowseChoices {
  /** Empty: all. */
  categoryIds: number[]
  breedIds: number[]
  text: string
  minPrice: Money | null
  maxPrice: Money | null
  /** As typed: a PIN code or a town. */
  near: string
  withinKm: number | null
  traits: ChosenTraits
  sort: Sort
  after: Cursor | null
}

/** An unusable value. The page reports it beside the field. */
export type BrowseNotice = 'min-price' | 'max-price' | 'min-above-max'

const cursorValues: Record<Sort, RegExp> = {
  best: /^\d{1,8}:\d{1,14}$/,
  newest: /^\d{1,14}$/,
  'price-low': /^\d{1,16}$/,
  'price-high': /^\d{1,16}$/,
  // Two digits of exponent: PostgreSQL writes a distance like this, and the value stays within the readable range.
  nearest: /^\d{1,6}(\.\d{1,20})?(e-\d{1,2})?$/,
}

/**
 * Parses `/buy/:typeId` with its query. Drops unknown ids and unreadable values instead of failing, because a link that a chat has cut should still
 * show animals. Categories in the query replace the one in the path.
 */
export function readBrowse(
  typeId: number,
  query: URLSearchParams,
  known: { categoryIds: ReadonlySet<number>; breedIds: ReadonlySet<number> },
): { choices: BrowseChoices; notices: BrowseNotice[] } {
  const notices: BrowseNotice[] = []
  const ids = (name: string, allowed: ReadonlySet<number>) =>
    [
      ...new Set(
        query
          .getAll(name)
          .filter((text) => /^\d{1,4}$/.test(text))
          .map(Number)
          .filter((id) => allowed.has(id)),
      ),
    ].slice(0, 60)
  const price = (name: 'min' | 'max') => {
    const text = typedRupees(query.get(name) ?? '')
    if (text === '') return null
    const money = parseRupees(text)
    if (money === null) notices.push(`${name}-price`)
    return money
  }
  const categoryIds = ids('category', known.categoryIds)
  const minPrice = price('min')
  const maxPrice = price('max')
  if (minPrice !== null && maxPrice !== null && minPrice > maxPrice) notices.push('min-above-max')
  const near = searchText(query.get('near') ?? '', 60)
  const withinKm = radii.find((km) => String(km) === query.get('within')) ?? null
  const text = searchText(query.get('q') ?? '', MAX_SEARCH_CHARACTERS)
  const wanted = sorts.find((sort) => sort === query.get('sort')) ?? defaultSort(text)
  const sort = text === '' && wanted === 'best' ? defaultSort(text) : wanted
  const choices = {
    categoryIds: categoryIds.length > 0 || typeId === 0 ? categoryIds : [typeId],
    breedIds: ids('breed', known.breedIds),
    text,
    minPrice,
    maxPrice,
    near,
    withinKm: near === '' && sort !== 'nearest' ? null : withinKm,
    traits: readTraits(query),
    sort,
  }
  return { choices: { ...choices, after: decodeCursor(query.get('after'), cursorList(choices), cursorValues[orderOf(choices)]) }, notices }
}

/** Identifies the list of a cursor: its order and all filters. */
export const cursorList = (choices: Omit<BrowseChoices, 'after'>): string =>
  `${choices.sort}.${shortHash(browsePath({ ...choices, after: null }))}`

/** The bare path and query of a set of choices, with the form's field names. A single chosen category becomes part of the path. */
export function browsePath(choices: Partial<Omit<BrowseChoices, 'after'>> & { after?: string | null }): string {
  const query = new URLSearchParams()
  const categoryIds = choices.categoryIds ?? []
  const typeId = categoryIds.length === 1 ? categoryIds[0]! : 0
  if (categoryIds.length > 1) for (const id of categoryIds) query.append('category', String(id))
  for (const id of choices.breedIds ?? []) query.append('breed', String(id))
  if (choices.text) query.set('q', choices.text)
  if (choices.minPrice != null) query.set('min', fieldRupees(choices.minPrice))
  if (choices.maxPrice != null) query.set('max', fieldRupees(choices.maxPrice))
  if (choices.near) query.set('near', choices.near)
  if (choices.withinKm) query.set('within', String(choices.withinKm))
  for (const name of traitNames) if (choices.traits?.[name]) query.set(name, choices.traits[name])
  if (choices.sort && choices.sort !== defaultSort(choices.text)) query.set('sort', choices.sort)
  if (choices.after) query.set('after', choices.after)
  const text = query.toString()
  return `/buy/${typeId}${text ? `?${text}` : ''}`
}

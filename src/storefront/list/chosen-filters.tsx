import { readCell } from '#src/addresses/places.ts'
import { formatRupees, rupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { FILTER_ID } from '#src/listings/browse/filter-ids.ts'
import { browsePath, defaultSort, isPlaceMissing, USUAL_KM, usualMaxPrice, type BrowseChoices } from '#src/listings/browse/schemas.ts'
import { facetText, type Facet, type Facets } from '#src/listings/browse/facets.ts'
import type { FilterGroup } from './filter-groups.ts'
import type { TraitChip, TraitGroup } from './trait-groups.server.ts'

type Choices = Omit<BrowseChoices, 'after'>
/** The current query. */
export interface Chosen {
  choices: Choices
  /** The words as the search reads them. */
  words: string[]
  groups: FilterGroup[]
  traits: TraitGroup[]
}
interface Page extends Chosen {
  usual: TraitChip[]
  facets: Facets | null
}

/** The number of active filters, without the search words, which the box shows. */
export const filtersOn = (choices: Choices): number =>
  choices.categoryIds.length +
  choices.breedIds.length +
  [choices.minPrice, choices.maxPrice].filter((price) => price !== null).length +
  Number(choices.near !== '') +
  Object.keys(choices.traits).length

const nearLabel = (near: string) => (near === '' ? m.list_sort_nearest() : readCell(near) ? m.list_near_me() : near)

/** Each search word and active filter, with the choices that remain without it. */
export function chosenOf({ choices, words, groups, traits }: Chosen): { label: string; rest: Choices }[] {
  const breeds = groups.flatMap((group) => group.breeds ?? [])
  const without = (list: number[], id: number) => list.filter((other) => other !== id)
  return [
    ...(choices.text
      ? [{ label: `“${choices.text}”`, rest: { ...choices, text: '', sort: choices.sort === 'best' ? defaultSort('') : choices.sort } }]
      : []),
    ...(words.length < 2
      ? []
      : words.map((word) => ({ label: `“${word}”`, rest: { ...choices, text: words.filter((other) => other !== word).join(' ') } }))),
    ...groups
      .filter(({ id }) => choices.categoryIds.includes(id))
      .map(({ id, name }) => ({ label: name, rest: { ...choices, categoryIds: without(choices.categoryIds, id) } })),
    ...breeds
      .filter(({ id }) => choices.breedIds.includes(id))
      .map(({ id, name }) => ({ label: name, rest: { ...choices, breedIds: without(choices.breedIds, id) } })),
    ...(choices.minPrice === null ? [] : [{ label: `≥ ${formatRupees(choices.minPrice)}`, rest: { ...choices, minPrice: null } }]),
    ...(choices.maxPrice === null ? [] : [{ label: `≤ ${formatRupees(choices.maxPrice)}`, rest: { ...choices, maxPrice: null } }]),
    ...(choices.near || isPlaceMissing(choices)
      ? [
          {
            label: [nearLabel(choices.near), choices.withinKm && m.list_within_km({ km: choices.withinKm })].filter(Boolean).join(' · '),
            rest: { ...choices, near: '', withinKm: null, sort: defaultSort(choices.text) },
          },
        ]
      : []),
    ...traits.flatMap(({ name, options }) =>
      options
        .filter(({ isChosen }) => isChosen)
        .map(({ label }) => ({ label, rest: { ...choices, traits: { ...choices.traits, [name]: undefined } } })),
    ),
  ]
}

/** Active filters as filled chips whose link removes them. */
export function ChosenFilters({ page }: { page: Chosen }) {
  const to = useLocalPath()
  // Here the search is one chip; the search box shows its words.
  const chosen = chosenOf({ ...page, words: [] })
  if (chosen.length === 0) return null
  return (
    <ul aria-label={m.list_chosen()} className="list-chips">
      {chosen.map(({ label, rest }) => (
        <li key={label}>
          <a href={to(browsePath(rest))} aria-label={m.list_remove({ what: label })} className="chosen-filter">
            {label}
            <Icon name="close" size={16} />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Common filters of the species as single taps. */
export function UsualFilters({ page }: { page: Page }) {
  const to = useLocalPath()
  return (
    <ul aria-label={m.list_usual()} className="list-chips">
      <QuickFilters page={page} />
      {page.usual.map(({ name, value, label }) => (
        <li key={`${name}${value}`}>
          <a href={to(browsePath({ ...page.choices, traits: { ...page.choices.traits, [name]: value } }))} className="usual-filter">
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Without scripts, or when the phone gives no location, it links to the field for a PIN code or town. */
export function NearMe({ choices }: { choices: Choices }) {
  const to = useLocalPath()
  return (
    <a
      href={`#${FILTER_ID}`}
      data-near-me={to(browsePath({ ...choices, sort: 'nearest' }))}
      data-looking={m.list_near_me_looking()}
      className="usual-filter gap-1"
    >
      <Icon name="pin" size={16} />
      <span>{m.list_near_me()}</span>
    </a>
  )
}

/** Distance and price: one tap sets the common value. */
function QuickFilters({ page: { choices, facets } }: { page: Page }) {
  const to = useLocalPath()
  const max = usualMaxPrice(choices.categoryIds)
  const isWorth = (facet: Facet, value: number) => facetText(facet, value) !== '0'
  return (
    <>
      {choices.near === '' && !isPlaceMissing(choices) && (
        <li>
          <NearMe choices={choices} />
        </li>
      )}
      {facets && choices.near !== '' && choices.withinKm === null && isWorth(facets.within, USUAL_KM) && (
        <li>
          <a href={to(browsePath({ ...choices, withinKm: USUAL_KM }))} className="usual-filter">
            {m.list_within_km({ km: USUAL_KM })}
          </a>
        </li>
      )}
      {facets && choices.minPrice === null && choices.maxPrice === null && isWorth(facets.max, max) && (
        <li>
          <a href={to(browsePath({ ...choices, maxPrice: rupees(max) }))} className="usual-filter">
            ≤ {formatRupees(rupees(max))}
          </a>
        </li>
      )}
    </>
  )
}

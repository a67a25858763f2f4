import { MAX_AMOUNT_TEXT } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Select } from '#src/ui/select.tsx'
import { facetText, type Facet, type Facets } from '#src/listings/browse/facets.ts'
import { BROWSE_FORM, FILTER_ID } from '#src/listings/browse/filter-ids.ts'
import { radii, type BrowseNotice } from '#src/listings/browse/schemas.ts'
import { BreedChoices } from './breed-choices.tsx'
import { FilterChoice } from './filter-choice.tsx'
import type { FilterGroup } from './filter-groups.ts'
import { TraitFields } from './trait-fields.tsx'
import type { TraitGroup } from './trait-groups.server.ts'

interface FilterChoices {
  categoryIds: number[]
  breedIds: number[]
  near: string
  withinKm: number | null
  /** As typed, even if unreadable. */
  min: string
  max: string
}

interface FilterPanelProps {
  groups: FilterGroup[]
  traits: TraitGroup[]
  facets: Facets | null
  choices: FilterChoices
  /** The invalid field and its message. Passed in because the list shows the same text and this code loads later. */
  notices: [BrowseNotice, string][]
  /** The list of a single category with all other choices. */
  pathOf: (categoryId: number) => string
}

/**
 * The Filter dialog of A §2.5. Without JavaScript the 'Filter Options' link targets it and `:target` shows it; with JavaScript it opens as a modal.
 * On a wide screen it is always beside the list.
 */
export function FilterPanel({ groups, traits, facets, choices, notices, pathOf }: FilterPanelProps) {
  const to = useLocalPath()
  const isSpeciesKnown = groups.some(({ breeds }) => breeds !== null)
  const kinds = <KindFields groups={groups} choices={choices} pathOf={pathOf} isSpeciesKnown={isSpeciesKnown} />
  return (
    <dialog
      id={FILTER_ID}
      aria-labelledby="filter-title"
      className="list-filter fixed inset-0 z-40 m-0 h-dvh max-h-none w-full max-w-none scroll-pt-16 scroll-pb-24 overflow-y-auto bg-paper p-0 backdrop:bg-ink/50 open:block not-open:target:block lg:sticky lg:top-18 lg:z-0 lg:block lg:h-[calc(100dvh-6.5rem)] lg:rounded-card lg:border lg:border-line"
    >
      <div className="sheet-head">
        <h2 id="filter-title" className="text-lg">
          {m.list_filter_results()}
        </h2>
        <a href="#list" aria-label={m.close()} data-close className="icon-button hover:bg-leaf-soft lg:hidden">
          <Icon name="close" />
        </a>
      </div>
      <div className="space-y-5 px-4 py-4">
        {isSpeciesKnown && kinds}
        <PlaceFields near={choices.near} withinKm={choices.withinKm} counts={facets?.within} />
        <PriceFields choices={choices} notices={notices} />
        <TraitFields groups={traits} />
        {!isSpeciesKnown && kinds}
      </div>
      <div className="sticky bottom-0 grid grid-cols-[auto_1fr] gap-2 border-t border-line bg-paper p-3 lg:rounded-b-card">
        <a href={to('/buy/0')} className="button-plain px-2">
          {m.list_clear()}
        </a>
        <button form={BROWSE_FORM} type="submit" className="button-primary px-2">
          {m.list_confirm()} <span data-leaves></span>
        </button>
      </div>
    </dialog>
  )
}

type KindProps = Pick<FilterPanelProps, 'groups' | 'choices' | 'pathOf'> & { isSpeciesKnown: boolean }

/** The breeds come first if the species is known. */
function KindFields({ groups, choices, pathOf, isSpeciesKnown }: KindProps) {
  const shownGroups = groups.filter((group) => group.hasBreeds)
  const inUse = shownGroups.filter(({ count, breeds }) => count !== '0' || breeds?.length)
  const withBreeds = inUse.toSorted((a, b) => Number(b.breeds !== null) - Number(a.breeds !== null))
  const goods = groups.filter((group) => !group.hasBreeds)
  const categoryChoice = ({ id, name, count }: FilterGroup) => (
    <FilterChoice
      key={id}
      type="checkbox"
      name="category"
      value={id}
      label={name}
      count={count}
      isChosen={choices.categoryIds.includes(id)}
    />
  )
  const categories = (
    <fieldset key="categories" className="filter-lines">
      <legend>{m.list_by_category()}</legend>
      {shownGroups.map(categoryChoice)}
    </fieldset>
  )
  const breeds = (
    <fieldset key="breeds" className="filter-lines">
      <legend>{m.list_by_breed()}</legend>
      {withBreeds.map((group) => (
        <BreedChoices
          key={group.id}
          group={group}
          chosen={choices.breedIds}
          isChosen={choices.categoryIds.includes(group.id)}
          path={pathOf(group.id)}
        />
      ))}
    </fieldset>
  )
  return (
    <>
      {isSpeciesKnown ? [breeds, categories] : [categories, breeds]}
      {goods.some(({ id, count }) => count !== '0' || choices.categoryIds.includes(id)) && (
        <details className="filter-lines" open={goods.some(({ id }) => choices.categoryIds.includes(id)) || undefined}>
          <summary>{m.list_by_goods()}</summary>
          {goods.map(categoryChoice)}
        </details>
      )}
    </>
  )
}

function PlaceFields({ near, withinKm, counts }: Pick<FilterChoices, 'near' | 'withinKm'> & { counts: Facet | undefined }) {
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1">{m.list_by_place()}</legend>
      <label className="block">
        <span className="label">{m.list_near()}</span>
        <Input
          form={BROWSE_FORM}
          name="near"
          defaultValue={near}
          maxLength={60}
          placeholder={m.list_near_hint()}
          autoComplete="postal-code"
        />
      </label>
      <p role="alert" data-near-failed={m.list_near_me_failed()} className="text-sm font-semibold text-brick"></p>
      <label className="block">
        <span className="label">{m.list_within()}</span>
        <Select form={BROWSE_FORM} name="within" defaultValue={withinKm ?? ''}>
          <option value="">{m.list_within_any()}</option>
          {radii.map((km) => {
            const count = near !== '' && counts ? facetText(counts, km) : undefined
            if (count === '0' && km !== withinKm) return null
            return (
              <option key={km} value={km}>
                {m.list_within_km({ km })}
                {count && ` (${count})`}
              </option>
            )
          })}
        </Select>
      </label>
    </fieldset>
  )
}

function PriceFields({ choices, notices }: Pick<FilterPanelProps, 'choices' | 'notices'>) {
  const errorAt = (own: BrowseNotice) => notices.find(([notice]) => notice === own || notice === 'min-above-max')?.[0]
  return (
    <fieldset>
      <legend>{m.list_by_price()}</legend>
      <div className="grid grid-cols-2 gap-2">
        <PriceField name="min" label={m.list_min()} value={choices.min} error={errorAt('min-price')} />
        <PriceField name="max" label={m.list_max()} value={choices.max} error={errorAt('max-price')} />
      </div>
      {notices.map(([notice, text]) => (
        <p key={notice} id={notice} className="mt-1 text-sm font-semibold text-brick">
          {text}
        </p>
      ))}
    </fieldset>
  )
}

function PriceField({ name, label, value, error }: { name: 'min' | 'max'; label: string; value: string; error: string | undefined }) {
  return (
    <label>
      <span className="label">{label}</span>
      <Input
        form={BROWSE_FORM}
        id={`price-${name}`}
        name={name}
        defaultValue={value}
        inputMode="decimal"
        maxLength={MAX_AMOUNT_TEXT}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error}
      />
    </label>
  )
}

import { use } from 'react'
import { speciesPicture } from '#src/listings/animal-pictures.ts'
import { m } from '#src/paraglide/messages.js'
import { Tick } from '#src/ui/choice.tsx'
import { FieldError, RequiredMark } from '#src/ui/field.tsx'
import { ChoiceCard } from '#src/ui/radio-cards.tsx'
import { ListingForm } from './form-parts.tsx'
import type { FormLookups } from '../lookups.server.ts'

export const SpeciesPicture = ({ categoryId, size }: { categoryId: number; size: 'size-8' | 'size-14' }) => (
  <img src={speciesPicture(categoryId, 'none')} alt="" width={56} height={56} className={size} />
)

/**
 * Asks by pictures which animal it is; the rest of the form asks only what that animal needs. Once it is chosen, the pictures stand in one row. Without
 * scripts a button brings the questions.
 */
export function SpeciesQuestion({ categories, isChosen }: { categories: FormLookups['categories']; isChosen: boolean }) {
  const { typed, errors } = use(ListingForm)
  const error = errors.categoryId
  const more = categories.filter(({ isShown }) => !isShown)
  return (
    <fieldset
      id="species"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error && 'listing-categoryId-error'}
      className="form-panel gap-2 sm:p-5"
    >
      <legend className="float-left w-full text-lg leading-tight font-bold">
        {m.sell_species_title()}
        <RequiredMark />
      </legend>
      <div className={isChosen ? 'clear-both flex flex-wrap gap-2 py-1' : 'clear-both grid grid-cols-3 gap-2 sm:grid-cols-6'}>
        {categories
          .filter(({ isShown }) => isShown)
          .map((category) => (
            <SpeciesCard key={category.id} category={category} isSmall={isChosen} />
          ))}
      </div>
      <details open={more.some(({ id }) => typed.categoryId === String(id)) || undefined}>
        <summary className="tap-link font-semibold">{m.sell_species_more()}</summary>
        <div className="grid gap-2 sm:grid-cols-2">
          {more.map(({ id, name }) => (
            <ChoiceCard key={id} type="radio" name="categoryId" value={id} defaultChecked={typed.categoryId === String(id)}>
              {name}
            </ChoiceCard>
          ))}
        </div>
      </details>
      <FieldError id="listing-categoryId" error={error} />
      <button
        type="submit"
        name="act"
        value="species"
        className={`hidden noscript:inline-flex ${isChosen ? 'button-plain' : 'button-primary'}`}
      >
        {isChosen ? m.sell_species_change() : m.sell_next()}
      </button>
    </fieldset>
  )
}

function SpeciesCard({ category: { id, name }, isSmall }: { category: FormLookups['categories'][number]; isSmall: boolean }) {
  const { typed } = use(ListingForm)
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- Tick is its control
    <label
      className={`relative flex shrink-0 cursor-pointer items-center justify-center rounded-card border-2 border-line bg-field p-1 text-center font-semibold max-[22rem]:text-sm has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-3 has-focus-visible:outline-turmeric ${isSmall ? 'min-h-11 gap-1 pr-3' : 'min-h-24 flex-col'}`}
    >
      <Tick
        type="radio"
        name="categoryId"
        value={id}
        defaultChecked={typed.categoryId === String(id)}
        tick="absolute inset-0 z-1 m-0 h-full w-full cursor-pointer opacity-0"
      />
      <SpeciesPicture categoryId={id} size={isSmall ? 'size-8' : 'size-14'} />
      {name}
    </label>
  )
}

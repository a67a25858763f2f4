import { use } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Tick } from '#src/ui/choice.tsx'
import { FieldError, RequiredMark } from '#src/ui/field.tsx'
import { ChoiceCard } from '#src/ui/radio-cards.tsx'
import { ListingForm } from './form-parts.tsx'
import type { FormLookups } from '#src/selling/lookups.server.ts'

/** Pictures of the species in public/species/, by category id. */
const pictures: Record<number, string> = { 1: 'cow', 2: 'goat', 3: 'sheep', 4: 'chicken', 5: 'dog', 6: 'horse' }

/** What is it? By picture; the rest of the form asks only what that animal needs. Without scripts a button brings it. */
export function SpeciesStep({ categories, isChosen }: { categories: FormLookups['categories']; isChosen: boolean }) {
  const { typed, errors, isAlive } = use(ListingForm)
  const error = errors.categoryId
  const more = categories.filter(({ isShown }) => !isShown)
  return (
    <fieldset
      id="species"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error && 'listing-categoryId-error'}
      className="form-panel gap-3 sm:p-5"
    >
      <legend className="float-left w-full text-lg leading-tight font-bold">
        {m.sell_species_title()}
        <RequiredMark />
      </legend>
      <div className="clear-both grid grid-cols-3 gap-2 sm:grid-cols-6">
        {categories
          .filter(({ isShown }) => isShown)
          .map(({ id, name }) => (
            // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- Tick is its control
            <label
              key={id}
              className="relative flex min-h-24 cursor-pointer flex-col items-center justify-center rounded-card border-2 border-line bg-field p-1 text-center font-semibold max-[22rem]:text-sm has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-3 has-focus-visible:outline-turmeric"
            >
              <Tick
                type="radio"
                name="categoryId"
                value={id}
                defaultChecked={typed.categoryId === String(id)}
                tick="absolute top-1.5 left-1.5 size-4"
              />
              <img src={`/species/${pictures[id]}.webp`} alt="" width={56} height={56} className="ml-3 size-14" />
              {name}
            </label>
          ))}
      </div>
      <details open={more.some(({ id }) => typed.categoryId === String(id)) || undefined}>
        <summary className="link min-h-11 content-center font-semibold">{m.sell_species_more()}</summary>
        <div className="grid gap-2 sm:grid-cols-2">
          {more.map(({ id, name }) => (
            <ChoiceCard key={id} type="radio" name="categoryId" value={id} defaultChecked={typed.categoryId === String(id)}>
              {name}
            </ChoiceCard>
          ))}
        </div>
      </details>
      <FieldError id="listing-categoryId" error={error} />
      {isChosen ? (
        <button type="submit" name="act" value="species" className="button-plain hidden noscript:inline-flex">
          {m.sell_species_change()}
        </button>
      ) : (
        // Its place stays reserved: what is below must not move away under a finger.
        <button type="submit" name="act" value="species" disabled={isAlive} className="button-primary disabled:invisible">
          {m.sell_next()}
        </button>
      )}
    </fieldset>
  )
}

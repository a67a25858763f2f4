import { use, useEffect, useRef } from 'react'
import { m } from '#src/paraglide/messages.js'
import { isAnimalType, type AskedOf } from '#src/listings/fields/listing-questions.ts'
import type { FormLookups } from '../lookups.server.ts'
import { proposedWords } from '#src/selling/paste/proposed-words.ts'
import { ListingForm, LongQuestion, Section, TextQuestion } from './form-parts.tsx'

/** The same limits as the checks have (listing-input.ts), which a browser need not load. */
const MAX_NAME = 120
const MAX_DESCRIPTION = 2000

type Field = 'name' | 'description'
const fields: readonly Field[] = ['name', 'description']

/**
 * Name and description. A proposal from the other answers stands greyed in an empty field, and becomes the seller's words only when they tap the
 * field or confirm it: nobody signs a description that they have not read.
 */
export function WordsSection({ category, lookups }: { category: AskedOf; lookups: FormLookups }) {
  const { typed, isAlive, write } = use(ListingForm)
  const proposed = isAlive ? proposedWords(typed, lookups) : null
  useRenewal(proposed)
  const isAnimal = isAnimalType(category.typeId)
  const isOpen = (field: Field) => proposed !== null && !typed[field]?.trim()
  const take = (field: Field) => isOpen(field) && write(field, proposed![field])
  const proposal = (field: Field) => ({ placeholder: proposed?.[field], onClick: () => take(field) })
  return (
    <Section id="words" title={m.sell_words_title()} {...(isAnimal && { hint: m.sell_words_hint() })}>
      <TextQuestion
        name="name"
        label={m.sell_name()}
        {...(!isAnimal && { hint: m.sell_name_thing() })}
        isRequired
        maxLength={MAX_NAME}
        {...proposal('name')}
      />
      <LongQuestion
        name="description"
        label={m.product_description()}
        hint={isAnimal ? m.sell_description_hint() : m.sell_description_thing()}
        rows={5}
        maxLength={MAX_DESCRIPTION}
        isRequired
        {...proposal('description')}
      />
      {fields.some(isOpen) && (
        <button type="button" onClick={() => fields.forEach(take)} className="button-plain min-h-12">
          {m.sell_words_use()}
        </button>
      )}
    </Section>
  )
}

/** Writes the new proposal where the seller has taken the last one and left it as it was. */
function useRenewal(proposed: ReturnType<typeof proposedWords>): void {
  const { typed, write } = use(ListingForm)
  const before = useRef(proposed)
  const { name, description } = proposed ?? {}
  useEffect(() => {
    if (name === undefined || description === undefined) return
    const now = { name, description }
    const last = before.current
    before.current = now
    for (const field of fields) if (last && typed[field] === last[field] && now[field] !== last[field]) write(field, now[field])
    // oxlint-disable-next-line react/exhaustive-deps -- when the proposal changes; what is typed here changes none
  }, [name, description])
}

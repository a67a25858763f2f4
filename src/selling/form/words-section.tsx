import { use, useEffect, useRef } from 'react'
import { m } from '#src/paraglide/messages.js'
import { isAnimalType, type AskedOf } from '#src/listings/listing-questions.ts'
import type { FormLookups } from '#src/selling/lookups.server.ts'
import { ListingForm, LongQuestion, Section, TextQuestion } from './form-parts.tsx'
import { proposedWords } from './proposed-words.ts'

/** The same limits as the checks have (listing-input.ts), which a browser need not load. */
const MAX_NAME = 120
const MAX_DESCRIPTION = 2000

/** Name and description: proposed from the other answers, and the seller's own as soon as they write here. */
export function WordsSection({ category, lookups }: { category: AskedOf; lookups: FormLookups }) {
  useProposals(lookups)
  const isAnimal = isAnimalType(category.typeId)
  return (
    <Section id="words" title={m.sell_words_title()} {...(isAnimal && { hint: m.sell_words_hint() })}>
      <TextQuestion name="name" label={m.sell_name()} {...(!isAnimal && { hint: m.sell_name_thing() })} isRequired maxLength={MAX_NAME} />
      <LongQuestion
        name="description"
        label={m.product_description()}
        hint={isAnimal ? m.sell_description_hint() : m.sell_description_thing()}
        rows={5}
        maxLength={MAX_DESCRIPTION}
        isRequired
      />
    </Section>
  )
}

/** Writes a new proposal where the last one still stands, or nothing does. */
function useProposals(lookups: FormLookups): void {
  const { typed, isAlive, write } = use(ListingForm)
  const proposed = proposedWords(typed, lookups)
  const before = useRef<ReturnType<typeof proposedWords>>(null)
  const { name, description } = proposed ?? {}
  useEffect(() => {
    if (!isAlive || name === undefined || description === undefined) return
    for (const [field, text] of Object.entries({ name, description }) as ['name' | 'description', string][]) {
      const stands = typed[field] ?? ''
      if (text !== stands && text !== before.current?.[field] && (stands === '' || stands === before.current?.[field])) write(field, text)
    }
    before.current = { name, description }
    // oxlint-disable-next-line react/exhaustive-deps -- when the proposal changes; what is typed here changes none
  }, [isAlive, name, description])
}

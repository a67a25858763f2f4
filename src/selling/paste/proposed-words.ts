import { fieldTable } from '#src/listings/fields/field-table.ts'
import { factsTyped, shownFacts, type ShownFact } from '#src/listings/fields/shown-facts.ts'
import { teethOf } from '#src/listings/fields/teeth.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { m } from '#src/paraglide/messages.js'
import type { FormLookups } from '../lookups.server.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'

interface Words {
  name: string
  description: string
}

/** The optional facts typed so far, as the animal's page will show them. */
export const previewedFacts = (
  typed: Typed,
  animal: { categoryId: number | null; genderId: number | null },
  table: typeof fieldTable = fieldTable,
): ShownFact[] => shownFacts({ categoryId: animal.categoryId ?? 0, ...factsTyped(typed, animal, table) }, 'preview', { table })

/**
 * Name and description as the answers so far give them: "Kangayam bull, 2-3 years, 4 teeth". Null before breed and sex are chosen, and for
 * what is no animal.
 */
export function proposedWords(typed: Typed, lookups: FormLookups): Words | null {
  const breed = lookups.breeds.find(({ id, categoryId }) => String(id) === typed.breedId && String(categoryId) === typed.categoryId)
  if (!breed || !typed.genderId) return null
  const genderId = Number(typed.genderId)
  const age = lookups.ages.find(({ id }) => String(id) === typed.ageId)
  const animal = { categoryId: breed.categoryId, genderId }
  const { teethPairs } = factsTyped(typed, animal)
  const teeth = teethPairs === null || teethPairs === 0 ? null : teethOf(teethPairs)
  const kind = [breed.name, lookups.called[breed.called]?.[genderId]].filter(Boolean).join(' ')
  const name = [kind, age?.inWords, teeth !== null && m.sell_words_teeth({ teeth })].filter(Boolean).join(', ')
  const color = lookups.colors.find(({ id }) => String(id) === typed.colorId)
  const weight = Number(plainFigures(typed.weightKg ?? '')) || 0
  const facts = [
    ...(color ? [`${m.product_color()}: ${color.name}`] : []),
    ...(weight > 0 ? [`${m.product_weight()}: ${m.card_weight({ kg: weight })}`] : []),
    ...previewedFacts(typed, animal).map(({ label, text }) => `${label}: ${text}`),
  ]
  return { name, description: [name, ...facts].map((sentence) => `${sentence}.`).join(' ') }
}

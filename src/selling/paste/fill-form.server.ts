import { can } from '#src/accounts/policy.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { listAddresses } from '#src/addresses/addresses.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { isAsked, fieldTable } from '#src/listings/fields/field-table.ts'
import { ageOfMonths } from '#src/listings/paste/age-of-months.ts'
import { understand, type Understanding } from '#src/listings/paste/understand.server.ts'
import { MAX_DESCRIPTION, MAX_NAME } from '#src/listings/listing-input.ts'
import { m } from '#src/paraglide/messages.js'
import type { Typed } from '../form/draft-fields.ts'
import { findDraft } from '../form/drafts.server.ts'
import { proposedWords } from '../form/proposed-words.ts'
import { formLookups } from '../lookups.server.ts'

/** What a message fills into the sell form: the fields as they would be typed, and the words that each came from. */
export interface FilledForm {
  values: Typed
  /** By field. */
  words: Record<string, string>
  /** The district that was named, where no pickup address of the seller lies in it. */
  elsewhere: string | null
}

/** Reads a seller's message; nothing is stored, and nothing that the message does not say is filled. */
export async function fillFromText(ctx: Ctx, message: string): Promise<FilledForm> {
  const found = understand(message)
  const filled = fieldsOf(found)
  const pickup = found.district && (await pickupIn(ctx, found.district.value))
  if (pickup) filled.pickup = { value: String(pickup), words: found.district!.words }
  const values: Typed = Object.fromEntries(Object.entries(filled).map(([name, { value }]) => [name, value]))
  const words = Object.fromEntries(Object.entries(filled).flatMap(([name, { words }]) => (words ? [[name, words]] : [])))
  const { name, description } = wordsFor(ctx, found, values)
  return {
    values: { ...values, ...(name && { name }), ...(description && { description }) },
    words: { ...words, ...(found.pregnant && name && { name: found.pregnant.words }) },
    elsewhere: found.district && !pickup ? placeName(found.district.value, ctx.locale) : null,
  }
}

/** As they would be typed; an answer to a question that is not asked of such an animal is left out. */
function fieldsOf(found: Understanding): Record<string, { value: string; words: string }> {
  const category = found.categoryId?.value ?? null
  const fields: Record<string, { value: number; words: string } | null | undefined> = {
    categoryId: found.categoryId,
    breedId: found.breedId,
    genderId: found.genderId,
    ageId: found.ageMonths && { value: ageOfMonths(found.ageMonths.value), words: found.ageMonths.words },
    colorId: found.colorId,
    stock: found.stock,
    weightKg: found.weightKg,
    originalPrice: found.price,
    teethPairs: found.teeth && { value: found.teeth.value / 2, words: found.teeth.words },
    lactation: found.lactation,
    milkLitresPerDay: found.milkLitres,
    offspring: found.offspring,
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, fact]) => {
      const field = fieldTable[name as keyof typeof fieldTable]
      if (!fact || (field && !isAsked(field, category, found.genderId?.value ?? null))) return []
      return [[name, { value: String(fact.value), words: fact.words }]]
    }),
  )
}

/** Of the seller for whom the form is filled in: an admin's is chosen in the draft. */
async function pickupIn(ctx: Ctx, district: string): Promise<number | null> {
  const chosen = can(ctx.viewer, 'operate') ? Number((await findDraft(ctx))?.typed.sellerId ?? 0) : ctx.viewer!.id
  if (!chosen) return null
  return (await listAddresses(ctx, chosen)).find((address) => address.district === district)?.id ?? null
}

/** A name as the form proposes it, with the pregnancy, which no field asks (traits/trait-table.server.ts); the message as description. */
function wordsFor(ctx: Ctx, found: Understanding, values: Typed): { name: string; description: string } {
  const proposed = proposedWords(values, formLookups(ctx.locale))
  const name = proposed && [proposed.name, found.pregnant && m.sell_words_pregnant({}, { locale: ctx.locale })].filter(Boolean).join(', ')
  return { name: name?.slice(0, MAX_NAME) ?? '', description: found.text.slice(0, MAX_DESCRIPTION) }
}

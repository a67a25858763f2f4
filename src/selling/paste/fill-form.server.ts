import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { listAddresses } from '#src/addresses/addresses.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { isAsked, fieldTable } from '#src/listings/fields/field-table.ts'
import { ageOfMonths } from '#src/listings/paste/age-of-months.ts'
import { fieldRupees, rupees } from '#src/kit/time-money/money.ts'
import { understand, type Understanding } from '#src/listings/paste/understand.server.ts'
import { MAX_DESCRIPTION, MAX_NAME } from '#src/listings/write/listing-input.ts'
import { m } from '#src/paraglide/messages.js'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import { findDraft } from '#src/selling/unsent/drafts.server.ts'
import { formLookups } from '../lookups.server.ts'
import { proposedWords } from './proposed-words.ts'
import type { Hint } from './understood.ts'

/** The sell form's fields read from a message, and the words that each came from. */
export interface FilledForm {
  values: Typed
  /** By field name. */
  words: Record<string, string>
  hint: Hint | null
  /** The district in the message, when the seller has no pickup address there. */
  elsewhere: string | null
}

/** Reads a seller's message. Stores nothing, and fills only what the message states. */
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
    hint: found.hint ?? null,
    elsewhere: found.district && !pickup ? placeName(found.district.value, ctx.locale) : null,
  }
}

/** Values as the form sends them, without answers to questions that the form does not ask for this species. */
function fieldsOf(found: Understanding): Record<string, { value: string; words: string }> {
  const category = found.categoryId?.value ?? null
  const fields: Record<string, { value: number | string; words: string } | null | undefined> = {
    categoryId: found.categoryId,
    breedId: found.breedId,
    genderId: found.genderId,
    ageId: found.ageMonths && { value: ageOfMonths(found.ageMonths.value), words: found.ageMonths.words },
    colorId: found.colorId,
    stock: found.stock,
    weightKg: found.weightKg,
    originalPrice: found.price && { ...found.price, value: fieldRupees(rupees(found.price.value)) },
    teethPairs: found.teeth && { value: found.teeth.value / 2, words: found.teeth.words },
    lactation: found.lactation,
    // A §5: the form takes halves of a litre; a message may say 4.3.
    milkLitresPerDay: found.milkLitres && { ...found.milkLitres, value: Math.floor(found.milkLitres.value * 2) / 2 },
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

/** The address belongs to the seller of the listing, whom an admin has chosen in the draft. */
async function pickupIn(ctx: Ctx, district: string): Promise<number | null> {
  const chosen = can(ctx.viewer, 'operate') ? Number((await findDraft(ctx))?.typed.sellerId ?? 0) : requireLoggedIn(ctx).id
  if (!chosen) return null
  return (await listAddresses(ctx, chosen)).find((address) => address.district === district)?.id ?? null
}

/** The form's proposed name, plus the pregnancy, which no field asks (listings/traits/trait-table.server.ts); the message becomes the description. */
function wordsFor(ctx: Ctx, found: Understanding, values: Typed): { name: string; description: string } {
  const proposed = proposedWords(values, formLookups(ctx.locale))
  const name = proposed && [proposed.name, found.pregnant && m.sell_words_pregnant({}, { locale: ctx.locale })].filter(Boolean).join(', ')
  return { name: name?.slice(0, MAX_NAME) ?? '', description: found.text.slice(0, MAX_DESCRIPTION) }
}

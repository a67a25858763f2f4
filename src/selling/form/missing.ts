import { questionsFor, type AskedOf } from '#src/listings/fields/listing-questions.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'

/** The required fields (marked with *) that are still empty, in the order in which they stand on the form. */
export function missingIn(typed: Typed, { category, photos }: { category: AskedOf | null; photos: number }): string[] {
  const number = (text: string | undefined) => (text ? Number(text) : null)
  const asks = questionsFor(category, number(typed.ageId))
  const isForOwner = typed.whose === 'other'
  const required: [string, boolean][] = [
    ['name', true],
    ['breedId', asks.breed],
    ['genderId', asks.animal],
    ['ageId', asks.age],
    ['isOldEnough', asks.weeks],
    ['colorId', asks.animal],
    ['stock', true],
    ['weightKg', true],
    ['description', true],
    ['originalPrice', true],
    ['pickup', true],
    ['isAllowed', true],
  ]
  return [
    ...(isForOwner ? ['ownerName', 'ownerPhone', 'ownerFee'].filter((name) => !typed[name]?.trim()) : []),
    ...(photos === 0 ? ['image'] : []),
    ...(category ? [] : ['categoryId']),
    ...required.filter(([name, isAsked]) => isAsked && !typed[name]?.trim()).map(([name]) => name),
  ]
}

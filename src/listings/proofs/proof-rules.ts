import { DAY } from '#src/kit/time-money/dates.ts'
import { FEMALE } from '#src/listings/fields/listing-questions.ts'

/** A seller's proofs besides photos: milkings. For browser and server. */

export const MILKING_TIMES = ['morning', 'evening'] as const
export type MilkingTime = (typeof MILKING_TIMES)[number]

export const MAX_MILKINGS = 3
/** An older milking proves nothing about the animal today. */
export const PROOF_DAYS = 30
export const MAX_LITRES = 100

/** Whether the seller can show milkings: the animal is a female of a dairy species that gives milk. */
export const isInMilk = (animal: { genderId: number | null; milkLitresPerDay: number | null }, variantType: number): boolean =>
  variantType === 1 && animal.genderId === FEMALE && (animal.milkLitresPerDay ?? 0) > 0

/** The earliest day of a milking that a seller may add today. */
export const earliestMilking = (today: string): string => new Date(Date.parse(today) - PROOF_DAYS * DAY).toISOString().slice(0, 10)

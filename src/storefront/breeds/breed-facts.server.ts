import { z } from 'zod'
import facts from './breed-facts.json' with { type: 'json' }

const inBothLanguages = z.strictObject({ en: z.string(), ta: z.string() })
const range = z.tuple([z.number(), z.number()])

/**
 * Facts about each breed by id, as keepers report them. Weights are of grown animals in kilograms. The price is the usual one at shandies of Tamil
 * Nadu in 2025 and 2026, in rupees for one animal in ordinary condition (for dogs, a pup): a rough guide, and every page that shows it says so. Milk
 * is litres a day in good keeping; missing where nobody milks for sale. The most requested breeds have a story.
 */
const breedFactsSchema = z.strictObject({
  /** The English name, for people who edit the file. */
  breed: z.string(),
  /** The region of origin. */
  tract: inBothLanguages,
  /** For both sexes when `male` is null. */
  female: range,
  male: range.nullable(),
  price: range,
  colors: inBothLanguages,
  milk: range.optional(),
  story: inBothLanguages.optional(),
})
export type BreedFacts = z.infer<typeof breedFactsSchema>

export const breedFacts: Record<string, BreedFacts> = z.record(z.string().regex(/^\d{3}$/), breedFactsSchema).parse(facts)

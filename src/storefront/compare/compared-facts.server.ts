import type { Locale } from '#src/kit/text/locale.ts'
import { alignedFacts, type AlignedFact } from '#src/listings/animal-facts.server.ts'
import type { fieldTable } from '#src/listings/fields/field-table.ts'
import type { Product } from '#src/listings/queries.server.ts'

/** One line of a comparison. */
export interface ComparedFact extends AlignedFact {
  /** The animals are not all the same in it; "not known" differs from any answer. */
  differs: boolean
}

export const markDifferences = (facts: AlignedFact[]): ComparedFact[] =>
  facts.map((fact) => ({ ...fact, differs: new Set(fact.texts).size > 1 }))

/** The facts of several animals side by side, in the order of their pages. What is known of none of them has no line. */
export const comparedFacts = (products: readonly Product[], locale: Locale, table?: typeof fieldTable): ComparedFact[] =>
  markDifferences(alignedFacts(products, 'compare', locale, table))

import type { Locale } from '#src/kit/text/locale.ts'
import { alignedFacts, type AlignedFact } from '#src/listings/animal-facts.server.ts'
import type { fieldTable } from '#src/listings/fields/field-table.ts'
import type { Product } from '#src/listings/queries.server.ts'

interface ComparedFact extends AlignedFact {
  /** The animals differ in it. "Not known" differs from every answer. */
  differs: boolean
}

export const markDifferences = (facts: AlignedFact[]): ComparedFact[] =>
  facts.map((fact) => ({ ...fact, differs: new Set(fact.texts).size > 1 }))

/** The facts of several animals side by side, in page order, without facts that no animal has. */
export const comparedFacts = (products: readonly Product[], locale: Locale, table?: typeof fieldTable): ComparedFact[] =>
  markDifferences(alignedFacts(products, 'compare', locale, table))

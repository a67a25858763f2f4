import type { Locale } from '#src/kit/text/locale.ts'
import { animalFacts } from '#src/listings/animal-facts.server.ts'
import type { fieldTable } from '#src/listings/fields/field-table.ts'
import type { Product } from '#src/listings/queries.server.ts'

/** One line of a comparison. */
export interface ComparedFact {
  name: string
  label: string
  /** One for each animal, in their order; null where it is not known of one. */
  texts: (string | null)[]
  /** The animals are not all the same in it; "not known" differs from any answer. */
  differs: boolean
}

/** The facts of several animals side by side, in the order of their pages. What is known of none of them has no line. */
export function comparedFacts(products: readonly Product[], locale: Locale, table?: typeof fieldTable): ComparedFact[] {
  const columns = products.map((product) => animalFacts(product, 'compare', locale, table))
  const names = columns.reduce<string[]>(
    (merged, facts) =>
      mergeInOrder(
        merged,
        facts.map(({ name }) => name),
      ),
    [],
  )
  return names.map((name) => {
    const cells = columns.map((facts) => facts.find((fact) => fact.name === name))
    const texts = cells.map((cell) => cell?.text ?? null)
    return { name, label: cells.find((cell) => cell)!.label, texts, differs: new Set(texts).size > 1 }
  })
}

/** Both lists are in the order of the page: what only the second has comes after the last name that both have before it. */
function mergeInOrder(first: string[], second: string[]): string[] {
  const merged = [...first]
  let place = 0
  for (const name of second) {
    const found = merged.indexOf(name)
    if (found >= 0) place = found + 1
    else merged.splice(place++, 0, name)
  }
  return merged
}

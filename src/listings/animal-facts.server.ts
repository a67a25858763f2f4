import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { genderName, lookups, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import type { Place, fieldTable } from './fields/field-table.ts'
import { shownFacts, type ShownFact } from './fields/shown-facts.ts'
import type { Product } from './queries.server.ts'

/** All facts of the animal that this place shows, in the reader's language: the standard facts, then the optional ones. */
export function animalFacts(product: Product, place: Place, locale: Locale, table?: typeof fieldTable): ShownFact[] {
  const options = { locale }
  const kg = product.weightKg
  const always: [name: string, label: string, text: string | null][] = [
    ['ageId', m.product_age({}, options), nameOrNull(lookups.age, product.ageId, locale)],
    ['genderId', m.product_gender({}, options), genderName(product, locale)],
    ['colorId', m.product_color({}, options), nameOrNull(lookups.color, product.colorId, locale)],
    ['weightKg', m.product_weight({}, options), kg > 0 ? m.card_weight({ kg }, options) : m.product_not_weighed({}, options)],
    ['stock', m.product_stock({}, options), String(product.stock)],
  ]
  return [
    ...always.flatMap(([name, label, text]) => (text === null ? [] : [{ name, label, text }])),
    ...shownFacts(product, place, { locale, ...(table && { table }) }),
    ...(product.hasTag ? [{ name: 'tag', label: m.product_tag({}, options), text: m.product_tag_on_record({}, options) }] : []),
  ]
}

export interface AlignedFact {
  name: string
  label: string
  /** One text per animal, in the same order; null where it is unknown. */
  texts: (string | null)[]
}

/** The facts of several animals, each fact once, in page order. Leaves out facts that no animal has. */
export function alignedFacts(products: readonly Product[], place: Place, locale: Locale, table?: typeof fieldTable): AlignedFact[] {
  const ofEach = products.map((product) => new Map(animalFacts(product, place, locale, table).map((fact) => [fact.name, fact])))
  const names = ofEach.reduce<string[]>((merged, facts) => mergeInOrder(merged, [...facts.keys()]), [])
  return names.map((name) => ({
    name,
    label: ofEach.find((facts) => facts.has(name))!.get(name)!.label,
    texts: ofEach.map((facts) => facts.get(name)?.text ?? null),
  }))
}

/** Both lists are in page order. A name that only the second list has follows the last name that both have before it. */
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

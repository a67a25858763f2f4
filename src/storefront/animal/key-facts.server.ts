import type { Locale } from '#src/kit/text/locale.ts'
import { FEMALE, isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { genderName, lookups, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import type { Product } from '#src/listings/queries.server.ts'
import { isPregnant } from '#src/listings/paste/mother-facts.server.ts'
import { milkProofText } from '#src/listings/proofs/milk-proof-text.ts'
import { teethOf } from '#src/listings/fields/teeth.ts'
import { m } from '#src/paraglide/messages.js'
import type { IconName } from '#src/ui/icon.tsx'

/** A fact that matters to buyers of this species, short enough for the first screen. */
export interface KeyFact {
  icon: IconName
  /** For people who cannot see the icon. */
  label: string
  text: string
  /** The fact opens its proof (first-screen.tsx). */
  hasProof?: boolean
}

type Name = 'age' | 'sex' | 'weight' | 'milk' | 'pregnant' | 'lactation' | 'teeth' | 'color' | 'stock'

const CATTLE = 1
const CHICKEN = 4
const SHOWN = 4

/** The facts that buyers ask first, in order. An unknown fact gives its place to the next. */
function factsInOrder({ categoryId, genderId, milkLitresPerDay }: Product): Name[] {
  const { typeId, variantType } = lookups.category(categoryId)
  if (!isAnimalType(typeId)) return ['weight', 'stock']
  if (categoryId === CATTLE && genderId === FEMALE) return ['milk', 'pregnant', 'lactation', 'age', 'weight', 'sex']
  if (variantType === 1) return milkLitresPerDay ? ['milk', 'age', 'weight', 'sex'] : ['pregnant', 'age', 'sex', 'weight', 'teeth', 'color']
  if (categoryId === CHICKEN) return ['age', 'sex', 'weight', 'stock']
  return ['age', 'sex', 'weight', 'color']
}

export function keyFactsOf(product: Product, locale: Locale): KeyFact[] {
  const options = { locale }
  const { weightKg: kg, lactation: number, teethPairs, stock } = product
  const teeth = teethPairs === null ? null : teethOf(teethPairs)
  const known: Record<Name, KeyFact | null> = {
    age: fact('calendar', m.product_age({}, options), nameOrNull(lookups.age, product.ageId, locale)),
    sex: fact('sex', m.product_gender({}, options), genderName(product, locale)),
    weight: fact('weight', m.product_weight({}, options), kg > 0 ? m.card_weight({ kg }, options) : null),
    milk: milkFact(product, locale),
    pregnant: isPregnant(product) ? fact('lactation', m.product_facts({}, options), m.list_pregnant({}, options)) : null,
    lactation: fact('lactation', m.product_lactation({}, options), number ? m.product_key_lactation({ number }, options) : null),
    teeth: fact('teeth', m.product_teeth({}, options), teeth === null ? null : m.product_key_teeth({ count: teeth }, options)),
    color: fact('palette', m.product_color({}, options), nameOrNull(lookups.color, product.colorId, locale)),
    stock: fact('boxes', m.product_stock({}, options), stock > 1 ? m.card_stock({ count: stock }, options) : null),
  }
  return factsInOrder(product)
    .flatMap((name) => known[name] ?? [])
    .slice(0, SHOWN)
}

/** None for an animal that gives no milk now: the details below say so. */
function milkFact({ milkLitresPerDay: litres, milkings }: Product, locale: Locale): KeyFact | null {
  if (!litres) return null
  const text = m.product_key_milk({ litres }, { locale })
  const shown = milkings.filter(({ clip }) => clip !== null).length
  return {
    icon: 'milk',
    label: m.product_milk({}, { locale }),
    text: `${text} · ${milkProofText(shown, locale)}`,
    hasProof: milkings.length > 0,
  }
}

const fact = (icon: IconName, label: string, text: string | null): KeyFact | null => (text === null ? null : { icon, label, text })

import type { Locale } from '#src/kit/text/locale.ts'
import { FEMALE, isAnimalType } from '#src/listings/listing-questions.ts'
import { genderName, lookups, nameOrNull } from '#src/listings/lookups.server.ts'
import type { Product } from '#src/listings/queries.server.ts'
import { teethOf } from '#src/listings/teeth.ts'
import { m } from '#src/paraglide/messages.js'
import type { IconName } from '#src/ui/icon.tsx'

/** A fact by which animals of this species are bought, short enough for the first screen. */
export interface KeyFact {
  icon: IconName
  /** Said to those who do not see the icon. */
  label: string
  text: string
}

type Name = 'age' | 'sex' | 'weight' | 'milk' | 'lactation' | 'teeth' | 'color' | 'stock'

const CATTLE = 1
const CHICKEN = 4
const SHOWN = 4

/** What a buyer of that kind asks first. What is not known of one animal leaves its place to the next. */
function wanted({ categoryId, genderId }: Product): Name[] {
  const { typeId, variantType } = lookups.category(categoryId)
  if (!isAnimalType(typeId)) return ['weight', 'stock']
  if (categoryId === CATTLE && genderId === FEMALE) return ['milk', 'lactation', 'age', 'weight', 'sex']
  if (variantType === 1) return ['age', 'sex', 'weight', 'teeth', 'color']
  if (categoryId === CHICKEN) return ['age', 'sex', 'weight', 'stock']
  return ['age', 'sex', 'weight', 'color']
}

export function keyFactsOf(product: Product, locale: Locale): KeyFact[] {
  const options = { locale }
  const { weightKg: kg, milkLitresPerDay: litres, lactation: number, teethPairs, stock } = product
  const teeth = teethPairs === null ? null : teethOf(teethPairs)
  const known: Record<Name, KeyFact | null> = {
    age: fact('calendar', m.product_age({}, options), nameOrNull(lookups.age, product.ageId, locale)),
    sex: fact('sex', m.product_gender({}, options), genderName(product, locale)),
    weight: fact('weight', m.product_weight({}, options), kg > 0 ? m.card_weight({ kg }, options) : null),
    milk: fact('milk', m.product_milk({}, options), litres === null ? null : m.product_key_milk({ litres }, options)),
    lactation: fact('lactation', m.product_lactation({}, options), number ? m.product_key_lactation({ number }, options) : null),
    teeth: fact('teeth', m.product_teeth({}, options), teeth === null ? null : m.product_key_teeth({ count: teeth }, options)),
    color: fact('palette', m.product_color({}, options), nameOrNull(lookups.color, product.colorId, locale)),
    stock: fact('boxes', m.product_stock({}, options), stock > 1 ? m.card_stock({ count: stock }, options) : null),
  }
  return wanted(product)
    .flatMap((name) => known[name] ?? [])
    .slice(0, SHOWN)
}

const fact = (icon: IconName, label: string, text: string | null): KeyFact | null => (text === null ? null : { icon, label, text })

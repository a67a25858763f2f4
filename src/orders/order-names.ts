import type { Locale } from '#src/kit/text/locale.ts'
import type { AnimalSnapshot } from '#src/orders/tables.ts'
import { m } from '#src/paraglide/messages.js'

/** The seller's name for the animal in this language, else as typed. */
export const animalName = ({ name, nameEn }: Pick<AnimalSnapshot, 'name' | 'nameEn'>, locale: Locale): string =>
  (locale === 'en' ? nameEn : null) ?? name

/** The same, plus the owner for whom an agent sold it. */
export const animalFor = (animal: Pick<AnimalSnapshot, 'name' | 'nameEn' | 'ownerName'>, locale: Locale): string =>
  animal.ownerName
    ? m.order_animal_for({ name: animalName(animal, locale), owner: animal.ownerName }, { locale })
    : animalName(animal, locale)

/** The name with the number of animals, unless the order has only one. */
export const countedName = (order: Pick<AnimalSnapshot, 'name' | 'nameEn'> & { count: number }, locale: Locale): string =>
  order.count === 1 ? animalName(order, locale) : `${animalName(order, locale)}\u00a0×\u00a0${order.count}`

import type { Locale } from '#src/kit/text/locale.ts'
import type { AnimalSnapshot } from '#src/orders/tables.ts'

/** As the seller gave it in the reader's language, else as they typed it. */
export const animalName = ({ name, nameEn }: Pick<AnimalSnapshot, 'name' | 'nameEn'>, locale: Locale): string =>
  (locale === 'en' ? nameEn : null) ?? name

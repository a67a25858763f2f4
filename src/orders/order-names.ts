import type { Locale } from '#src/kit/locale.ts'
import type { AnimalSnapshot } from './tables.ts'

/** As the seller gave it in the reader's language, else as he typed it. */
export const animalName = ({ name, nameEn }: Pick<AnimalSnapshot, 'name' | 'nameEn'>, locale: Locale): string =>
  (locale === 'en' ? nameEn : null) ?? name

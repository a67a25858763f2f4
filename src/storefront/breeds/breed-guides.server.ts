import type { Locale } from '#src/kit/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { breedPath } from './breed-paths.ts'
import { breeds } from './reference-data.ts'

/** Links to what is said of these breeds, with their words: lists and animals lead there without carrying either. */
export const breedGuides = (locale: Locale, breedIds: number[]): { path: string; text: string }[] =>
  breeds
    .filter(({ id }) => breedIds.includes(id))
    .map((breed) => ({ path: breedPath(breed), text: m.breed_guide({ breed: breed[locale] }, { locale }) }))

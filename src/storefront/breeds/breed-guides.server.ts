import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { breeds } from '#src/listings/reference/reference-data.ts'
import { breedPath } from './breed-paths.ts'

/** Links to the guides of these breeds, so that lists and product pages need not contain the guides. */
export const breedGuides = (locale: Locale, breedIds: number[]): { path: string; text: string }[] =>
  breeds
    .filter(({ id }) => breedIds.includes(id))
    .map((breed) => ({ path: breedPath(breed), text: m.breed_guide({ breed: breed[locale] }, { locale }) }))

import { breeds, type Breed } from '#src/listings/reference-data.ts'

/** `Tellicherry (Malabari)` is found at /breeds/tellicherry-malabari, in both languages. */
export const breedSlug = ({ en }: Pick<Breed, 'en'>): string =>
  en
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')

export const breedPath = (breed: Pick<Breed, 'en'>): string => `/breeds/${breedSlug(breed)}`

const bySlug = new Map(breeds.map((breed) => [breedSlug(breed), breed]))
export const findBreed = (slug: string | undefined): Breed | null => bySlug.get(slug?.toLowerCase() ?? '') ?? null

import { breeds, type Breed } from '#src/listings/reference/reference-data.ts'

/** The slug in both languages: `Tellicherry (Malabari)` has the page /breeds/tellicherry-malabari. */
export const breedSlug = ({ en }: Pick<Breed, 'en'>): string =>
  en
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')

export const breedPath = (breed: Pick<Breed, 'en'>): string => `/breeds/${breedSlug(breed)}`

const bySlug = new Map(breeds.map((breed) => [breedSlug(breed), breed]))
export const findBreed = (slug: string | undefined): Breed | null => bySlug.get(slug?.toLowerCase() ?? '') ?? null

/** Descriptions of these breeds differ too much for a drawing. */
export const undrawn: readonly number[] = [
  506, // Alangu
]

/** The drawing of a breed in its most common colour; null where there is none. */
export const breedPicture = (breedId: number): string | null => (undrawn.includes(breedId) ? null : `/breeds/${breedId}.svg`)

const species: Record<number, string> = { 1: 'cow', 2: 'goat', 3: 'sheep', 4: 'chicken', 5: 'dog', 6: 'horse' }

/** The small drawing of a category in public/species/; `other` is that of all animals (0), and of goods. */
export const speciesPicture = (categoryId: number, other: 'all' | 'none' = 'all') => `/species/${species[categoryId] ?? other}.webp`

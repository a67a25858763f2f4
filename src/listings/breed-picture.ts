/** Accounts of these breeds differ so much that a drawing would claim what nobody knows. */
export const undrawn: readonly number[] = [
  506, // Alangu
]

/** The drawing of a breed in its commonest colour (scripts/draw-breeds.ts); null where there is none. */
export const breedPicture = (breedId: number): string | null => (undrawn.includes(breedId) ? null : `/breeds/${breedId}.svg`)

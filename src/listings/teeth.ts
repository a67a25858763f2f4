/** The lower jaw has eight front teeth, so four pairs at most. */
export const MAX_TEETH_PAIRS = 4

/** Teeth as keepers count them, from pairs; null for what is not known, and for more than a mouth has. */
export const teethOf = (pairs: number | null): number | null => (pairs === null || pairs > MAX_TEETH_PAIRS ? null : pairs * 2)

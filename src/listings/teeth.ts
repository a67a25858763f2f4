/** The lower jaw has eight front teeth, so four pairs at most. */
export const MAX_TEETH_PAIRS = 4

/** Converts pairs to teeth, as keepers count them; null for unknown and impossible counts. */
export const teethOf = (pairs: number | null): number | null => (pairs === null || pairs > MAX_TEETH_PAIRS ? null : pairs * 2)

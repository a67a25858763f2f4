/** A §5: teeth count 0 to 10. A full mouth has four pairs. */
export const MAX_TEETH_PAIRS = 10

/** Converts pairs to teeth, as keepers count them. */
export const teethOf = (pairs: number): number => pairs * 2

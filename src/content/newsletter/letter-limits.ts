/** Maximum lengths in characters. */
export const LONGEST_SUBJECT = 100
export const LONGEST_LETTER = 8000

/** Maximum lengths of the office's texts, in characters. */
export const LONGEST_TITLE = 60
export const LONGEST_TEXT = 300
export const LONGEST_PLACE = 80

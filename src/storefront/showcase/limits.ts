/** Letters of what the office writes on the market's front. */
export const LONGEST_TITLE = 60
export const LONGEST_TEXT = 300
export const LONGEST_PLACE = 80

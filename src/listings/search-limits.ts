/** A search is at most this long; the rest is cut off. (Apart from search.ts, whose vocabulary stays on the server.) */
export const MAX_SEARCH_CHARACTERS = 100

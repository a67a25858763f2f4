/** The maximum length of a search; the rest is cut off. (A separate file, because the search vocabulary must stay on the server.) */
export const MAX_SEARCH_CHARACTERS = 100

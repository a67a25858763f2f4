export const MAX_SAVED_LISTINGS = 100
/** Maximum of saved searches per person, each of which runs every day. */
export const MAX_SAVED_SEARCHES = 20
/** Longer than any search that the list page makes. */
export const MAX_SEARCH_PATH = 2000
/** Longest time between a listing's creation and its publication; searches look no further back. */
export const WAITING_DAYS = 30

/** So many animals one person keeps an eye on; the oldest are sold long before there are more. */
export const MAX_SAVED_LISTINGS = 100
/** So many searches. Each is asked again every day. */
export const MAX_SAVED_SEARCHES = 20
/** Longer than any search the list page makes. */
export const MAX_SEARCH_PATH = 2000
/** An animal waits for its verdict at most so long before it comes into the market: no search looks further back. */
export const WAITING_DAYS = 30

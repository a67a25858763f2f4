/** How many animals one person can save; the oldest are sold long before there are more. */
export const MAX_SAVED_LISTINGS = 100
/** How many searches one person can save. Each runs again every day. */
export const MAX_SAVED_SEARCHES = 20
/** Longer than any search the list page makes. */
export const MAX_SEARCH_PATH = 2000
/** A listing waits at most so long for its verification before it becomes public: no search looks further back. */
export const WAITING_DAYS = 30

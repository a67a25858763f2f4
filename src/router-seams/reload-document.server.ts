/**
 * A header for redirects that set cookies: the browser loads the new page as a document with its frame. `redirectDocument` sets it too, but accepts
 * no list of cookies.
 * To remove: when it does.
 */
export const RELOAD_DOCUMENT = { 'X-Remix-Reload-Document': 'true' }

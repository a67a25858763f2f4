/**
 * On a redirect that sets cookies: the browser loads the new page as a document, with its frame. `redirectDocument` sets it, too, but takes
 * no list of cookies.
 * To remove: when it does.
 */
export const RELOAD_DOCUMENT = { 'X-Remix-Reload-Document': 'true' }

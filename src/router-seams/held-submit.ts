/**
 * Marks a part of the server's HTML that waits for its own code (document/deferred.tsx). Removed when that code has
 * taken over or failed to load.
 */
export const LATE_PART = 'data-late'
/** Dispatched on the window when scripts handle the page, or a deferred component of it. */
export const ALIVE_EVENT = 'alive'

/** Marks a form that page-script.ts handles on a page that starts React on demand. */
export const SCRIPTED = 'data-scripted'

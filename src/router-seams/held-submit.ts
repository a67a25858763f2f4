/** Marks what waits for code of its own (ui/deferred.tsx) in the server's HTML; removed when that code has taken over, or will not come. */
export const LATE_PART = 'data-late'
/** Dispatched on the window when the page, or a deferred component of it, answers by script. */
export const ALIVE_EVENT = 'alive'

/** Marks a form that page-script.ts answers, on a page that starts React on demand. */
export const SCRIPTED = 'data-scripted'

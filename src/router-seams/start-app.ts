/**
 * `export const handle = appOnDemand` in a route: the server draws its page whole, page-script.ts answers taps, and React starts only where
 * somebody touches something within `[data-app]` (late-scripts.server.ts). On a cheap phone React costs a second before the first answer.
 * To remove: take the handle away, and the page starts React as others do.
 */
export const appOnDemand = { app: 'on-demand' }

/** Marks what React answers on a page that starts it on demand; with the value `now` the page starts it at once. */
export const APP_PART = 'data-app'
/** Dispatched on the window by a page's script that needs React after all. */
export const START_APP = 'start-app'
/** Of inline scripts, in which `d` is the document: whether the page starts React on demand (root.tsx). */
export const IS_ON_DEMAND = 'd.documentElement.dataset.start=="on-demand"'

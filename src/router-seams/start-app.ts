/**
 * `export const handle = appOnDemand` in a route: the server renders the whole page, page-script.ts handles taps, and React starts only when somebody
 * touches something within `[data-app]` (late-scripts.server.ts). On a cheap phone, React takes a second before the first reaction.
 * To remove: delete the handle; the page then starts React like others.
 */
export const appOnDemand = { app: 'on-demand' }

/** Marks a part that React handles on a page that starts it on demand. With the value `now` the page starts it at once. */
export const APP_PART = 'data-app'
/** A page's script dispatches this on the window when it needs React. */
export const START_APP = 'start-app'
/** For inline scripts with `d` as the document: whether the page starts React on demand (root.tsx). */
export const IS_ON_DEMAND = 'd.documentElement.dataset.start=="on-demand"'

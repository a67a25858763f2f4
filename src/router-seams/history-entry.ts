/**
 * Adds to what `useLocation().state` will be when somebody comes back to this entry of the history, without a navigation: the router keeps
 * it as `usr` beside its own `key`, and reads both at a popstate. Nothing happens when another entry than `key` is the present one (the
 * history changes a moment before the page does).
 * To remove: when the router can replace the state of an entry without loading its page again.
 */
export function rememberInEntry(key: string, state: object, history: Pick<History, 'state' | 'replaceState'> = window.history): void {
  const entry = history.state as { key?: string } | null
  // The first entry has no key yet; the router calls it so.
  if ((entry?.key ?? 'default') !== key) return
  history.replaceState({ ...entry, usr: state }, '')
}

/** Changes the query of the address in place, without a navigation; what the router has in the entry stays. */
export function replaceQuery(search: string, history: Pick<History, 'state' | 'replaceState'> = window.history): void {
  history.replaceState(history.state, '', search)
}

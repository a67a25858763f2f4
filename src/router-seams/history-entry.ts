/**
 * An entry of the history for something that opened over the page, so that Back closes it. It carries what the router keeps in its own: going
 * back is no navigation to another page.
 */
export function pushEntry(history: Pick<History, 'state' | 'pushState'> = window.history): void {
  history.pushState(history.state, '')
}

/**
 * Changes the query or the section of the address in place, without a navigation; what the router has in the entry of the history stays.
 * To remove: when no page of tabs is both React's and the page script's.
 */
export function replaceAddress(address: string, history: Pick<History, 'state' | 'replaceState'> = window.history): void {
  history.replaceState(history.state, '', address)
}

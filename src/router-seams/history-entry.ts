/**
 * Changes the query of the address in place, without a navigation; what the router has in the entry of the history stays.
 * To remove: when no page of tabs is both React's and the page script's.
 */
export function replaceQuery(search: string, history: Pick<History, 'state' | 'replaceState'> = window.history): void {
  history.replaceState(history.state, '', search)
}

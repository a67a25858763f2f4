/** Keeps the router's state in the new entry, so going back is no navigation to another page. */
function pushEntry(history: Pick<History, 'state' | 'pushState'> = window.history): void {
  history.pushState(history.state, '')
}

/**
 * Changes the query or hash in place without a navigation, and keeps the router's state in the history entry.
 * To remove: when React and the page script no longer share a page of tabs.
 */
export function replaceAddress(address: string, history: Pick<History, 'state' | 'replaceState'> = window.history): void {
  history.replaceState(history.state, '', address)
}

/** The handlers of the open overlays, the topmost last. */
const overlays: ((event: PopStateEvent) => void)[] = []
// Chromium calls a window's listeners in the order of their registration, capture or not, so this one must be older than the router's
// (entry.client.tsx): on Back the router would load the page's data again, on a page that starts React on demand the whole document.
if (typeof window !== 'undefined') addEventListener('popstate', (event) => overlays.at(-1)?.(event), true)

const GONE_BACK_MS = 3000

/**
 * The history entry of an overlay. Back calls `close`, and neither the router nor the page notices. Whoever closes the overlay in another way
 * removes the entry with `takeBack`, which resolves when that is done. `leave` is for a navigation that removes the page together with the overlay.
 */
export function entryOver(close: () => void) {
  pushEntry()
  let isOpen = true
  let wentBack: () => void
  const isBack = new Promise<void>((resolve) => (wentBack = resolve))
  const leave = () => {
    if (overlays.includes(onPopState)) overlays.splice(overlays.indexOf(onPopState), 1)
  }
  const onPopState = (event: PopStateEvent) => {
    event.stopImmediatePropagation()
    leave()
    // The browser still moves the focus after this event.
    setTimeout(wentBack)
    if (isOpen) close()
    isOpen = false
  }
  overlays.push(onPopState)
  const takeBack = () => {
    if (isOpen) window.history.back()
    isOpen = false
    // A time-out for browsers that fire no event. A slow phone may take a second to go back.
    setTimeout(wentBack, GONE_BACK_MS)
    return isBack
  }
  return { takeBack, leave }
}

/**
 * Shows a dialog without React as a modal that Back closes. Returns a function that closes it and resolves when its history entry is gone: a
 * navigation that starts inside the dialog waits for it, or Back would need two presses on the page before.
 */
export function showModalWithEntry(dialog: HTMLDialogElement): () => Promise<void> {
  dialog.showModal()
  const { takeBack } = entryOver(() => dialog.close())
  dialog.addEventListener('close', () => void takeBack(), { once: true })
  return () => {
    dialog.close()
    return takeBack()
  }
}

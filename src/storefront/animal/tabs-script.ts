import { replaceAddress } from '#src/router-seams/history-entry.ts'

/** Opens the tapped tab, or the one reached by arrow keys, and puts it into the URL (product-tabs.tsx). */
export function openTab(event: MouseEvent | KeyboardEvent): void {
  const tab = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('[role=tab]') : null
  const row = tab?.closest('[role=tablist]')
  if (!tab || !row || event.ctrlKey || event.metaKey) return
  const all = [...row.querySelectorAll<HTMLAnchorElement>('[role=tab]')]
  const next = event instanceof KeyboardEvent ? reached(event.key, all, all.indexOf(tab)) : tab
  if (!next) return
  event.preventDefault()
  for (const each of all) {
    const isOpen = each === next
    each.ariaSelected = String(isOpen)
    each.tabIndex = isOpen ? 0 : -1
    document.getElementById(each.getAttribute('aria-controls')!)!.hidden = !isOpen
  }
  if (event instanceof KeyboardEvent) next.focus()
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  replaceAddress(next.search)
}

function reached(key: string, all: HTMLAnchorElement[], at: number): HTMLAnchorElement | undefined {
  const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1, ' ': at }
  const to = moves[key]
  return to === undefined ? undefined : all.at(to % all.length)
}

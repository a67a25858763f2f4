import { showHearts } from '#src/alerts/hearts-script.ts'
import { showCompared } from '#src/storefront/compare/compare-script.ts'
import { fetchPage } from './fetch-page.ts'

/** The rows appended to a list as HTML, with the list's URL and the scroll position. */
interface Added {
  list: string
  html: string
  /** The URL of the following page; null at the end. */
  next: string | null
  scrolledTo: number
}
const ADDED_KEY = 'list-added'

let added: Added | undefined

/** Appends the rows of the linked page. After a failed request the link stays, with a message above it. */
export async function showMore(link: HTMLAnchorElement): Promise<void> {
  if (link.ariaBusy === 'true') return
  const text = link.textContent
  const failed = document.querySelector<HTMLElement>('[data-more-failed]')
  if (failed) failed.textContent = ''
  link.ariaBusy = 'true'
  link.textContent = link.dataset.more!
  try {
    const page = await fetchPage(link.href)
    const html = page.querySelector('.listing-rows')?.innerHTML ?? ''
    const next = page.querySelector('a[data-more]')?.getAttribute('href') ?? null
    added = { list: location.href, html: (added?.html ?? '') + html, next, scrolledTo: scrollY }
    append(html, next)
  } catch {
    if (failed) failed.textContent = failed.dataset.moreFailed!
  }
  link.ariaBusy = null
  link.textContent = text
}

function append(html: string, next: string | null): void {
  document.querySelector('.listing-rows')?.insertAdjacentHTML('beforeend', html)
  showHearts()
  showCompared()
  const link = document.querySelector<HTMLAnchorElement>('a[data-more]')
  if (link && next) link.href = next
  else link?.parentElement?.remove()
}

/** After Back from a product page, restores the appended rows and the scroll position. A newly opened list starts at its first page. */
export function restoreRows(): void {
  if (added?.list === location.href) return
  added = undefined
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type !== 'back_forward') return
  try {
    const stored = JSON.parse(sessionStorage.getItem(ADDED_KEY) ?? 'null') as Added | null
    if (stored?.list !== location.href) return
    added = stored
  } catch {
    return
  }
  append(added.html, added.next)
  scrollTo(0, added.scrolledTo)
}

/** Stores the rows when the page is left, instead of after each append. */
export function rememberRows(): void {
  if (!added) return
  try {
    sessionStorage.setItem(ADDED_KEY, JSON.stringify({ ...added, scrolledTo: scrollY }))
  } catch {
    // Storage is full or forbidden: the list starts at its first page.
  }
}

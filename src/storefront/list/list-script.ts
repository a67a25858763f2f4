import { BROWSE_FORM, FILTER_ID } from '#src/listings/browse/filter-ids.ts'
import { showModalWithEntry } from '#src/router-seams/history-entry.ts'
import { storeText } from '#src/kit/device/storage.ts'
import { showBreeds } from './list-breeds.ts'
import { countLeft } from './list-count.ts'
import { rememberRows, restoreRows, showMore } from './list-more.ts'
import { noteNear } from './near-place.ts'
import { goNearMe, goNearStoredPlace } from './near-script.ts'
import { VIEW_KEY } from './list-view.ts'

/**
 * The scripts of the list page, without React. Everything also works without them, as links and a form. The listeners are on the document, so they do
 * not depend on the current content.
 */
export function startList(): void {
  if (!document.querySelector('.list-page')) return
  goNearStoredPlace()
  showSpecies()
  showView()
  restoreRows()
  showMistake()
  noteAskedPlace()
  document.addEventListener('click', answerClick)
  document.addEventListener('change', ({ target }) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
    if (!isField || target.form?.id !== BROWSE_FORM) return
    if (target.id === 'sort') target.form.requestSubmit()
    const shown = target.closest(`#${FILTER_ID}`)?.querySelector('[data-leaves]')
    if (shown) void countLeft(target.form, shown)
  })
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (form instanceof HTMLFormElement && form.id === BROWSE_FORM) leaveFilter(event, () => form.requestSubmit(event.submitter))
  })
  // Send the chosen filters without empty fields.
  document.addEventListener('formdata', ({ target, formData }) => {
    if (!(target instanceof HTMLFormElement) || target.id !== BROWSE_FORM) return
    const sent = [...formData]
    for (const [name, value] of sent) if (value === '') formData.delete(name)
  })
  document.addEventListener('toggle', ({ target }) => target instanceof HTMLDetailsElement && unfold(target), { capture: true })
  // Somebody may have unfolded it before this script ran.
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details[open]')) unfold(details)
  addEventListener('scroll', showHeader, { passive: true })
  addEventListener('pagehide', rememberRows)
}

/** Stores the place, so that the home page shows animals near it. */
function noteAskedPlace(): void {
  const near = document.querySelector<HTMLElement>('[data-near]')?.dataset.near
  if (near) noteNear(near)
}

function unfold(details: HTMLDetailsElement): void {
  if (details.open && details.matches('[data-breeds]')) void showBreeds(details)
}

/** Opens the filter on the field that needs a correction, and focuses it. */
function showMistake(): void {
  const field = filterDialog()?.querySelector<HTMLElement>('[aria-invalid]')
  if (!field || isWide()) return
  openFilter()
  field.focus()
}

/** The phone gives no location: asks the person to type it. */
function askForPlace(): void {
  document.documentElement.removeAttribute('data-folded')
  if (!isWide()) openFilter()
  const note = filterDialog()!.querySelector<HTMLElement>('[data-near-failed]')!
  note.textContent = note.dataset.nearFailed!
  filterDialog()!.querySelector<HTMLElement>('[name=near]')!.focus()
}

const filterDialog = () => document.querySelector<HTMLDialogElement>(`#${FILTER_ID}`)
let closeFilter: (() => Promise<void>) | undefined
const openFilter = () => void (closeFilter = showModalWithEntry(filterDialog()!))
const isWide = () => matchMedia('(min-width: 64rem)').matches

function answerClick(event: MouseEvent): void {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
  const pressed = event.target.closest<HTMLAnchorElement>(
    '[data-filter], [data-close], [data-back], [data-more], [data-near-me], .list-view',
  )
  if (!pressed) {
    const link = event.target.closest<HTMLAnchorElement>(`#${FILTER_ID} a[href]`)
    return link ? leaveFilter(event, () => link.click()) : undefined
  }
  if (pressed.matches('.list-view')) return switchView()
  if (pressed.matches('[data-back]')) {
    // Go back to the previous page at its scroll position, if it was ours.
    if (!document.referrer.startsWith(location.origin) || history.length < 2) return
    event.preventDefault()
    return history.back()
  }
  // The URL opened it before this script ran, so only the URL can close it.
  if (pressed.matches('[data-close]') && !filterDialog()?.open) return
  event.preventDefault()
  if (pressed.matches('[data-near-me]')) return goNearMe(pressed, askForPlace)
  if (pressed.matches('[data-close]')) return filterDialog()?.close()
  if (pressed.matches('[data-more]')) return void showMore(pressed).then(showView)
  // A phone opens the filter over the list; a wide screen folds it in beside the list.
  if (!isWide()) return openFilter()
  const isFolded = document.documentElement.toggleAttribute('data-folded')
  pressed.setAttribute('aria-expanded', String(!isFolded))
}

/** Closes the modal filter before a navigation that starts in it. Repeats the navigation when the filter's history entry is gone. */
function leaveFilter(event: Event, again: () => void): void {
  if (!closeFilter || !filterDialog()?.open) return
  event.preventDefault()
  void closeFilter().then(again)
}

/** On a phone the last species are off-screen, so scroll to the chosen one. */
function showSpecies(): void {
  const row = document.querySelector('.list-species > ul')
  const tile = row?.querySelector('a[aria-current]')?.parentElement
  if (row && tile) row.scrollLeft = tile.offsetLeft + tile.offsetWidth / 2 - row.clientWidth / 2
}

function switchView(): void {
  const { dataset } = document.documentElement
  dataset.view = dataset.view === 'big' ? 'rows' : 'big'
  showView()
  storeText(VIEW_KEY, dataset.view)
}

/** A big picture is as wide as the screen, but the HTML gives the width of a row's picture. */
function showView(): void {
  if (document.documentElement.dataset.view !== 'big' || matchMedia('(min-width: 48rem)').matches) return
  for (const source of document.querySelectorAll<HTMLSourceElement>('.listing-rows .photo source')) source.sizes = '100vw'
}

let scrolledTo = 0
/** Scrolling up shows the site's header again. Ignores a few pixels. */
function showHeader(): void {
  const { dataset } = document.documentElement
  const moved = scrollY - scrolledTo
  if (scrollY < 1) delete dataset.header
  else if (moved > 4) delete dataset.header
  else if (moved < -12) dataset.header = ''
  else return
  scrolledTo = scrollY
}

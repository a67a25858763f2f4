import { BROWSE_FORM, FILTER_ID } from '#src/listings/filter-ids.ts'
import { showBreeds } from './list-breeds.ts'
import { rememberRows, restoreRows, showMore } from './list-more.ts'
import { goNearMe } from './near-script.ts'
import { VIEW_KEY } from './list-view.ts'

/**
 * What the list does by script, without React: all of it also works without, as links and a form. Listens on the document, so that it
 * needs nothing of the page that is shown.
 */
export function startList(): void {
  if (!document.querySelector('.list-page')) return
  showSpecies()
  showView()
  restoreRows()
  showMistake()
  document.addEventListener('click', answerClick)
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.id === 'sort') target.form?.requestSubmit()
  })
  // The choices that were made, without the empty boxes beside them.
  document.addEventListener('formdata', ({ target, formData }) => {
    if (!(target instanceof HTMLFormElement) || target.id !== BROWSE_FORM) return
    const sent = [...formData]
    for (const [name, value] of sent) if (value === '') formData.delete(name)
  })
  document.addEventListener('toggle', ({ target }) => target instanceof HTMLDetailsElement && unfold(target), { capture: true })
  // It may have been unfolded before this script was here.
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details[open]')) unfold(details)
  addEventListener('scroll', showHeader, { passive: true })
  addEventListener('pagehide', rememberRows)
}

function unfold(details: HTMLDetailsElement): void {
  if (details.open && details.dataset.breedsOf) void showBreeds(details)
}

/** A field of the filter needs correction: it opens again, with the focus there. */
function showMistake(): void {
  const field = filterDialog()?.querySelector<HTMLElement>('[aria-invalid]')
  if (!field || isWide()) return
  filterDialog()!.showModal()
  field.focus()
}

/** The phone does not say where it is: its owner types it. */
function askForPlace(): void {
  document.documentElement.removeAttribute('data-folded')
  if (!isWide()) filterDialog()!.showModal()
  const said = filterDialog()!.querySelector<HTMLElement>('[data-near-failed]')!
  said.textContent = said.dataset.nearFailed!
  filterDialog()!.querySelector<HTMLElement>('[name=near]')!.focus()
}

const filterDialog = () => document.querySelector<HTMLDialogElement>(`#${FILTER_ID}`)
const isWide = () => matchMedia('(min-width: 64rem)').matches

function answerClick(event: MouseEvent): void {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
  const pressed = event.target.closest<HTMLAnchorElement>(
    '[data-filter], [data-close], [data-back], [data-more], [data-near-me], .list-view',
  )
  if (!pressed) return
  if (pressed.matches('.list-view')) return switchView()
  if (pressed.matches('[data-back]')) {
    // To the page before, with its place on it, where that was one of ours.
    if (!document.referrer.startsWith(location.origin) || history.length < 2) return
    event.preventDefault()
    return history.back()
  }
  // Opened by its address, before this script was here: only the address closes it.
  if (pressed.matches('[data-close]') && !filterDialog()?.open) return
  event.preventDefault()
  if (pressed.matches('[data-near-me]')) return goNearMe(pressed, askForPlace)
  if (pressed.matches('[data-close]')) return filterDialog()?.close()
  if (pressed.matches('[data-more]')) return void showMore(pressed).then(showView)
  // A phone opens it over the list; a wide screen has room beside the list and folds it away.
  if (!isWide()) return filterDialog()?.showModal()
  const isFolded = document.documentElement.toggleAttribute('data-folded')
  pressed.setAttribute('aria-expanded', String(!isFolded))
}

/** On a phone the last species are beyond the edge; the chosen one must be visible. */
function showSpecies(): void {
  const row = document.querySelector('.list-species > ul')
  const tile = row?.querySelector('a[aria-current]')?.parentElement
  if (row && tile) row.scrollLeft = tile.offsetLeft + tile.offsetWidth / 2 - row.clientWidth / 2
}

function switchView(): void {
  const { dataset } = document.documentElement
  dataset.view = dataset.view === 'big' ? 'rows' : 'big'
  showView()
  try {
    localStorage.setItem(VIEW_KEY, dataset.view)
  } catch {
    // A browser that keeps nothing shows rows next time.
  }
}

/** A big picture is as wide as the screen; the page names the width of a row's. */
function showView(): void {
  if (document.documentElement.dataset.view !== 'big' || matchMedia('(min-width: 48rem)').matches) return
  for (const source of document.querySelectorAll<HTMLSourceElement>('.listing-rows .photo source')) source.sizes = '100vw'
}

let scrolledTo = 0
/** Scrolling upwards brings the site's header back; a few pixels are a trembling finger. */
function showHeader(): void {
  const { dataset } = document.documentElement
  const moved = scrollY - scrolledTo
  if (scrollY < 1) delete dataset.header
  else if (moved > 4) delete dataset.header
  else if (moved < -12) dataset.header = ''
  else return
  scrolledTo = scrollY
}

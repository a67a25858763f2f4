import { countTap } from '#src/listings/contacts/contact-tap.ts'
import { VIEWS_BEFORE_PROMPT } from '#src/listings/life/rules.ts'
import { startClips } from '#src/listings/clips/clips-script.ts'
import type { ContactWay } from '#src/listings/contacts/contacts.server.ts'
import { addToCart, showAdded } from './add-script.ts'
import { openTab } from './tabs-script.ts'
import { clickViews, countView } from './view-counter.ts'

/** The scripts of a product page; they need no React. */
export function startAnimal(): void {
  document.addEventListener('click', noteContact)
  document.addEventListener('click', openTab)
  document.addEventListener('click', backToList)
  document.addEventListener('keydown', openTab)
  document.addEventListener('submit', (event) => void addToCart(event))
  document.addEventListener('focusout', closeSheetBehindFocus)
  addEventListener('pagehide', closeSheets)
  startPhotos()
  startClips()
  startPrompt()
  showAdded()
  const id = document.querySelector<HTMLElement>('[data-view-of]')?.dataset.viewOf
  if (id) void countView(Number(id))
}

/** Reports a tap on a link that calls the seller or writes to them. */
function noteContact({ target }: MouseEvent): void {
  const link = target instanceof Element ? target.closest<HTMLElement>('[data-contact]') : null
  if (link) countTap(Number(link.dataset.listing), link.dataset.contact as ContactWay)
}

/** The back arrow returns to the previous list at its scroll position, if there was one. Otherwise its link opens the list of the species. */
function backToList(event: MouseEvent): void {
  const arrow = event.target instanceof Element ? event.target.closest('[data-to-list]') : null
  // Some browsers lack the Navigation API.
  if (!arrow || event.ctrlKey || event.metaKey || event.shiftKey || !('navigation' in window)) return
  const before = navigation.entries().slice(0, navigation.currentEntry?.index ?? 0)
  const list = before.findLast(({ url }) => url && /^(\/en)?\/buy\//.test(new URL(url).pathname))
  if (!list) return
  event.preventDefault()
  navigation.traverseTo(list.key)
}

/** Back must not show the sheet again whose link led away: the browser may have kept this page as it was. */
function closeSheets(): void {
  for (const sheet of document.querySelectorAll<HTMLElement>('[popover]')) sheet.hidePopover?.()
}

/** Closes a sheet when the Tab key leaves it, so that the focus is never hidden behind it. */
function closeSheetBehindFocus({ target, relatedTarget }: FocusEvent): void {
  const sheet = target instanceof Element ? target.closest<HTMLElement>('[popover]') : null
  if (sheet && relatedTarget instanceof Node && !sheet.contains(relatedTarget)) sheet.hidePopover()
}

/** A tap on a photo opens the full-screen viewer (photo-viewer.ts). A browser without dialogs follows the link. */
function startPhotos(): void {
  const viewer = document.querySelector<HTMLDialogElement>('[data-viewer]')
  if (!viewer?.showModal) return
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('[data-photo]') : null
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    import('./photo-viewer.ts').then(
      ({ showPhoto }) => showPhoto(viewer, link),
      () => location.assign(link.href),
    )
  })
}

/** Shows the login prompt from the sixth product page on; its button and Escape close it (login-prompt.tsx). */
function startPrompt(): void {
  const prompt = document.querySelector<HTMLElement>('[data-prompt]')
  if (!prompt || clickViews() <= VIEWS_BEFORE_PROMPT) return
  prompt.hidden = false
  const putAway = () => (prompt.hidden = true)
  prompt.querySelector('[data-later]')!.addEventListener('click', putAway)
  addEventListener('keydown', ({ key }) => key === 'Escape' && putAway())
}

import { countTap } from '#src/listings/contact-tap.ts'
import { startClips } from '#src/listings/clips/clips-script.ts'
import type { ContactWay } from '#src/listings/contacts.server.ts'
import { addToCart } from './add-script.ts'
import { startPhotos } from './photos-script.ts'
import { startPrompt } from './prompt-script.ts'
import { openTab } from './tabs-script.ts'
import { countView } from './view-counter.ts'

/** What an animal's page does by script: it needs no React. */
export function startAnimal(): void {
  document.addEventListener('click', noteContact)
  document.addEventListener('click', openTab)
  document.addEventListener('keydown', openTab)
  document.addEventListener('submit', (event) => void addToCart(event))
  document.addEventListener('focusout', closeSheetBehindFocus)
  startPhotos()
  startClips()
  startPrompt()
  const id = document.querySelector<HTMLElement>('[data-view-of]')?.dataset.viewOf
  if (id) void countView(Number(id))
}

/** A tap on a link that calls or writes to the seller is noted on the way. */
function noteContact({ target }: MouseEvent): void {
  const link = target instanceof Element ? target.closest<HTMLElement>('[data-contact]') : null
  if (link) countTap(Number(link.dataset.listing), link.dataset.contact as ContactWay)
}

/** The Tab key that leads out of a sheet closes it: nobody's focus stands under its shade. */
function closeSheetBehindFocus({ target, relatedTarget }: FocusEvent): void {
  const sheet = target instanceof Element ? target.closest<HTMLElement>('[popover]') : null
  if (sheet && relatedTarget instanceof Node && !sheet.contains(relatedTarget)) sheet.hidePopover()
}

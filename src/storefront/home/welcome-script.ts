import { localized, type Locale } from '#src/kit/text/locale.ts'
import { GREET_AFTER_MS, isGoodMoment, isQuiet, LOOK_AGAIN_MS, quietCookie } from './welcome.ts'

const prompts = 'dialog[open], [data-prompt]'

/**
 * The welcome on the first screen of the home page, once per visitor, in the place of the banners: they come back when it is done. The page
 * is the same for everybody; whether to greet is decided here, in the browser.
 */
export function startWelcome(): void {
  const template = document.querySelector<HTMLTemplateElement>('#welcome-template')
  if (!template || isQuiet(document.cookie)) return
  const place = template.parentElement!
  const lookAround = () => {
    const isTaken = document.querySelector(prompts) !== null
    const isInUse = place.matches(':hover, :active, :focus-within')
    if (isGoodMoment({ isTaken, isInUse })) greet(template, place)
    else setTimeout(lookAround, LOOK_AGAIN_MS)
  }
  setTimeout(lookAround, GREET_AFTER_MS)
}

function greet(template: HTMLTemplateElement, place: HTMLElement): void {
  document.cookie = quietCookie(location.protocol === 'https:')
  const pageLocale = document.documentElement.lang as Locale
  let locale = pageLocale
  let step = 0
  const wizard = template.content.firstElementChild!.cloneNode(true) as HTMLElement
  const banners = place.firstElementChild as HTMLElement
  const draw = () => {
    wizard.lang = locale
    for (const part of wizard.children as Iterable<Element> & HTMLCollectionOf<HTMLElement>)
      part.hidden = part.lang !== locale || Number(part.dataset.step) !== step
  }
  const shown = (what: string) => wizard.querySelector<HTMLElement>(`[data-step]:not([hidden]) ${what}`)!
  const close = () => {
    wizard.remove()
    document.removeEventListener('keydown', skipByKey)
    banners.inert = false
    banners.classList.remove('invisible')
    // The pressed button is gone; the next Tab goes on from here.
    place.focus({ preventScroll: true })
  }
  const skipByKey = (event: KeyboardEvent) => {
    // In a text box it clears the text, in a dialog it closes the dialog.
    const isMeantElsewhere = event.defaultPrevented || (event.target as Element).closest('input, textarea, select, dialog[open]')
    if (event.key === 'Escape' && !isMeantElsewhere) close()
  }
  wizard.onclick = ({ target }) => {
    const act = (target as Element).closest<HTMLElement>('[data-welcome]')?.dataset.welcome
    if (act === 'ta' || act === 'en') {
      locale = act
      draw()
      shown(`[data-welcome=${act}]`).focus()
    } else if (act === 'next' || act === 'back') {
      step += act === 'next' ? 1 : -1
      draw()
      shown('h2').focus({ preventScroll: true })
    } else if (act) {
      close()
      // `lang` in the query makes the server remember the choice (app.server.ts).
      if (act === 'finish' && locale !== pageLocale) location.assign(localized(`/?lang=${locale}`, locale))
    }
  }
  document.addEventListener('keydown', skipByKey)
  banners.inert = true
  banners.classList.add('invisible')
  draw()
  place.append(wizard)
}

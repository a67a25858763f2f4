import { localized, type Locale } from '#src/kit/text/locale.ts'
import { quietCookie } from './welcome.ts'

/** With the first tap that came before this script (welcome.ts). */
type Wizard = HTMLElement & { tapped?: Element }

/**
 * The welcome on the home page's first screen, once per visitor. The page is the same for everybody, so the browser decides whether to show it: an
 * inline script has shown it by now.
 */
export function startWelcome(): void {
  const wizard = document.querySelector<Wizard>('#welcome')
  if (!wizard) return
  document.cookie = quietCookie(location.protocol === 'https:')
  const place = wizard.parentElement!
  const pageLocale = document.documentElement.lang as Locale
  let locale = pageLocale
  let step = 0
  const draw = () => {
    wizard.lang = locale
    for (const part of wizard.querySelectorAll<HTMLElement>('[data-step], [data-welcome=skip]'))
      part.hidden = part.lang !== locale || Number(part.dataset.step ?? step) !== step
  }
  const shown = (selector: string) => wizard.querySelector<HTMLElement>(`[data-step]:not([hidden]) ${selector}`)!
  const close = () => {
    wizard.remove()
    // The pressed button is gone; the next Tab continues from here.
    place.focus({ preventScroll: true })
  }
  const press = (target: Element) => {
    const act = target.closest<HTMLElement>('[data-welcome]')?.dataset.welcome
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
      // `lang` in the query makes the server remember the language (app.server.ts).
      if (act === 'finish' && locale !== pageLocale) location.assign(localized(`/?lang=${locale}`, locale))
    }
  }
  draw()
  wizard.onkeydown = ({ key }) => key === 'Escape' && close()
  wizard.onclick = ({ target }) => press(target as Element)
  if (wizard.tapped) press(wizard.tapped)
}

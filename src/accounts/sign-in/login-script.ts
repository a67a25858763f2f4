import { ALIVE_EVENT } from '#src/router-seams/held-submit.ts'
import { START_APP } from '#src/router-seams/start-app.ts'
import { leadsToSignIn } from './sign-in-links.ts'

/** When the modal takes longer than this to load, navigating to the page is faster. */
const WAIT_MS = 4000

/** A tap on a link to the login starts React, which opens the modal (auth-dialog-opener.tsx). */
export function startLogin(): void {
  const openLogin = (event: MouseEvent) => {
    const link = leadsToSignIn(event)
    if (!link) return
    event.preventDefault()
    document.removeEventListener('click', openLogin)
    link.dataset.held = ''
    const timer = setTimeout(() => location.assign(link.href), WAIT_MS)
    const pressAgain = () => {
      // Islands may announce themselves before the whole page is hydrated.
      if (document.documentElement.dataset.alive === undefined) return
      removeEventListener(ALIVE_EVENT, pressAgain)
      clearTimeout(timer)
      delete link.dataset.held
      link.click()
    }
    addEventListener(ALIVE_EVENT, pressAgain)
    dispatchEvent(new Event(START_APP))
  }
  document.addEventListener('click', openLogin)
}

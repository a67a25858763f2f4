import { ALIVE_EVENT } from '#src/router-seams/held-submit.ts'
import { START_APP } from '#src/router-seams/start-app.ts'
import { leadsToSignIn } from './sign-in-links.ts'

/** A line on which the modal takes longer brings the page of the same name sooner. */
const WAIT_MS = 4000

/** A tap on a link to the login starts React, which opens it over the page (auth-dialog-opener.tsx). */
export function startLogin(): void {
  const knock = (event: MouseEvent) => {
    const link = leadsToSignIn(event)
    if (!link) return
    event.preventDefault()
    document.removeEventListener('click', knock)
    const timer = setTimeout(() => location.assign(link.href), WAIT_MS)
    const pressAgain = () => {
      // Parts of the page report themselves before the whole is there.
      if (document.documentElement.dataset.alive === undefined) return
      removeEventListener(ALIVE_EVENT, pressAgain)
      clearTimeout(timer)
      link.click()
    }
    addEventListener(ALIVE_EVENT, pressAgain)
    dispatchEvent(new Event(START_APP))
  }
  document.addEventListener('click', knock)
}

import { DAY } from '#src/kit/time-money/dates.ts'

/** How long a visitor does not see the welcome again (spec B §4, §9: once per visitor, a cookie of 7 days). */
const QUIET_DAYS = 7

const cookieName = 'wizard'

/**
 * An inline script after the template. It shows the welcome before the first paint, so that nothing moves later, and
 * stores a tap that comes before the page's script. It must not use other code of this file.
 */
export const showWelcome = `!function(t){if(!t||/(^|; )${cookieName}=/.test(document.cookie))return;var w=t.content.firstElementChild.cloneNode(true);w.onclick=function(e){w.tapped=e.target};t.after(w)}(document.getElementById("welcome-template"))`

export const quietCookie = (isHttps: boolean) =>
  `${cookieName}=seen; Path=/; Max-Age=${(QUIET_DAYS * DAY) / 1000}; SameSite=Lax${isHttps ? '; Secure' : ''}`

import { serializeCookie } from '#src/kit/base/cookies.server.ts'
import { bare, localeOfPath, localized } from '#src/kit/text/locale.ts'
import type { AppContext } from '../request.server.ts'

const A_YEAR_SECONDS = 31_536_000
const MONTH_SECONDS = 30 * 86_400

/** The redirect to the page in the visitor's language; null when the page has it already. */
export function languageRedirect(c: AppContext, url: URL): Response | null {
  // The language switch: stores the choice, then redirects to the page's clean address.
  const chosen = url.searchParams.get('lang')
  if (chosen === 'ta' || chosen === 'en') {
    url.searchParams.delete('lang')
    return c.body(null, 302, {
      Location: localized(bare(url.pathname) + url.search, chosen),
      'Set-Cookie': lastingCookie(c, 'lang', chosen, A_YEAR_SECONDS),
      'Cache-Control': 'no-store',
    })
  }
  // A reader who chose English and opens a Tamil link is redirected to the English page. The reverse needs no rule: the switch handles it.
  if (localeOfPath(url.pathname) === 'ta' && c.var.cookies.lang === 'en') {
    return c.body(null, 302, { Location: localized(url.pathname + url.search, 'en'), 'Cache-Control': 'no-store', Vary: 'Cookie' })
  }
  return null
}

/** The code in `/?refcode=CODE` or `/refcode/CODE` if it is well-formed. */
export function referralCode(url: URL): string | null {
  const path = bare(url.pathname)
  const code = path === '/' ? url.searchParams.get('refcode') : decodeURIComponent(/^\/refcode\/([^/]*)\/?$/i.exec(path)?.[1] ?? '')
  return code && /^[A-Za-z0-9]{10}$/.test(code) ? code : null
}

/** Stores a referral code until the visitor registers. */
export const referralCookie = (c: AppContext, code: string) => lastingCookie(c, 'refcode', code, MONTH_SECONDS)

const lastingCookie = (c: AppContext, name: string, value: string, maxAgeSeconds: number) =>
  serializeCookie(name, value, { secure: c.var.cookieNames.secure, maxAgeSeconds })

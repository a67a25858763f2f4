import { FOR_COPY } from '#src/content/offline/names.ts'
import { isBot, isPhone } from '#src/content/page-views.server.ts'
import { localeOfPath } from '#src/kit/text/locale.ts'
import type { Market } from '#src/market/market.server.ts'
import { isDataPath, pagePathOf } from '#src/router-seams/data-url.ts'
import type { AppContext } from '../request.server.ts'
import { canonical } from './shared-addresses.server.ts'

/**
 * Counts a page that a person sees, cached or rendered, including 304; no failures, no files, no copies for offline
 * use.
 */
export function viewCounter({ env, views }: Market, patternOf: (path: string) => string | null) {
  return (c: AppContext, { status, headers }: Response, pathname: string): void => {
    const isAnswered = status === 304 || (status === 200 && /^text\/(html|x-script)/.test(headers.get('content-type') ?? ''))
    const isSeen = isDataPath(pathname) ? isStepTo(c, env.publicOrigin, pathname) : !c.req.header(FOR_COPY)
    if (!isAnswered || !isSeen || isBot(c.var.userAgent)) return
    const path = pagePathOf(pathname)
    const route = patternOf(canonical(path))
    const isOnPhone = isPhone({ hint: c.req.header('sec-ch-ua-mobile'), userAgent: c.var.userAgent })
    if (route) views.count(route, localeOfPath(path), c.var.ctx.now, isOnPhone)
  }
}

/**
 * Whether a data request is a navigation: it comes from another page of the site. Requests for more of the same list, and revalidation after an act,
 * come from the page itself.
 */
function isStepTo(c: AppContext, origin: string, pathname: string): boolean {
  const referer = c.req.header('referer') ?? ''
  if (!URL.canParse(referer)) return false
  const from = new URL(referer)
  return from.origin === origin && canonical(from.pathname) !== canonical(pagePathOf(pathname))
}

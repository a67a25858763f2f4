import { endReportedCookie } from '#src/accounts/identity/session-cookies.server.ts'
import { frameViewerOf } from '#src/content/site-frame/frame-viewer.server.ts'
import { ensureOwnOrigin } from '#src/kit/http/csrf.server.ts'
import type { Gate } from '#src/kit/http/gate.server.ts'
import { isDecodable } from '#src/kit/base/paths.ts'
import type { SharedAnswers } from '#src/kit/http/page-cache.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import type { Market } from '#src/market/market.server.ts'
import { isDataPath } from '#src/router-seams/data-url.ts'
import type { AppContext } from '../request.server.ts'
import { sendShared } from './cached-page.server.ts'
import { sendForMember } from './member-page.server.ts'
import { sendOwn } from './own-page.server.ts'
import { openPageSite, type PageHandler } from './page-site.server.ts'
import { languageRedirect, referralCode, referralCookie } from './redirects.server.ts'
import { isAlike, sharedAddress } from './shared-addresses.server.ts'
import { unavailablePage } from './unavailable.server.ts'
import { viewCounter } from './view-counting.server.ts'

/** Answers every address that is no file and no call. */
export type Pages = ReturnType<typeof openPages>

export function openPages(market: Market, handler: PageHandler, gate: Gate, patternOf: (path: string) => string | null) {
  const site = openPageSite(market, handler, gate)
  const countView = viewCounter(market, patternOf)

  async function send(c: AppContext): Promise<Response> {
    const { method } = c.req
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw new Problem('METHOD_NOT_ALLOWED')
    const url = new URL(c.req.url)
    if (!isDecodable(url.pathname)) throw new Problem('MALFORMED')
    await market.limits.take('read', { userId: c.var.ctx.viewer?.id ?? null, address: c.var.address })
    if (method === 'POST') ensureOwnOrigin(c.req.raw, market.env.publicOrigin)
    const isDocument = method !== 'POST' && !isDataPath(url.pathname)
    const elsewhere = isDocument && languageRedirect(c, url)
    if (elsewhere) return elsewhere
    // A visitor with an expired session gets one personal page that says so.
    const hasEnded = c.var.hasSessionEnded && isDocument
    const code = isDocument ? referralCode(url) : null
    const address = method === 'POST' || hasEnded || code !== null ? null : sharedAddress(url)
    const viewer = frameViewerOf(c.var.ctx, c.var.figures)
    const shared =
      address &&
      (viewer ? isDocument && isAlike(url.pathname) && (await sendForMember(site, c, address, viewer)) : sendShared(site, c, address))
    const response = (await shared) || (await sendOwn(site, c))
    if (method === 'GET') countView(c, response, url.pathname)
    if (hasEnded) {
      const { cookies, cookieNames } = c.var
      response.headers.append('Set-Cookie', endReportedCookie(cookieNames, cookies[cookieNames.session]!))
    }
    if (code) response.headers.append('Set-Cookie', referralCookie(c, code))
    return response
  }

  return {
    /** The API answers calls that are the same for everybody from these. */
    answers: { cache: site.cache, gate } satisfies SharedAnswers,
    /** The present epoch of what pages show (kit/http/page-cache.server.ts, `look`). */
    lookForChanges: () => site.cache.look(),
    send,
    sendUnavailable: unavailablePage(site),
  }
}

import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { accepts } from 'hono/accepts'
import { findSession, isDeskToken } from '#src/accounts/sessions.server.ts'
import { isEndReported } from '#src/accounts/identity/session-cookies.server.ts'
import { FOR_COPY } from '#src/content/offline/names.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { isDataPath } from '#src/router-seams/data-url.ts'
import { readCookies, cookieNamesFor, type CookieNames } from '#src/kit/base/cookies.server.ts'
import { browserIdOf } from '#src/kit/http/csrf.server.ts'
import { localeOfPath, type Locale } from '#src/kit/text/locale.ts'
import type { Deadline } from '#src/kit/db/deadline.server.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { headerCounts } from '#src/orders/checkout/header-counts.server.ts'
import type { SharedAnswers } from '#src/kit/http/page-cache.server.ts'
import type { Market } from '#src/market/market.server.ts'

/** Variables that the pipeline sets for a request; handlers read them with `c.var`. */
export interface AppEnv {
  Bindings: HttpBindings
  Variables: {
    market: Market
    requestId: string
    /** The request has passed the gate (app.server.ts). */
    isInside: boolean
    answers: SharedAnswers
    ctx: Ctx
    cookies: Record<string, string>
    cookieNames: CookieNames
    /** The address bucket that gates and limits count for anonymous requests. */
    address: string
    userAgent: string
    hasSessionEnded: boolean
    figures: Record<string, number> | null
    /** The reason why a form's body is incomplete (bodies.server.ts). */
    bodyProblem: Problem | undefined
    /** Set for a request that writes. */
    deadline: Deadline | undefined
  }
}
export type AppContext = Context<AppEnv>

/**
 * Builds the request's ctx from session, language and database. Without a session cookie this takes no statement. Pages have their language
 * in the URL; API answers follow Accept-Language, then the cookie, then Tamil.
 */
export const withCtx: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { market, requestId } = c.var
  const db = isOfOffice(c) ? market.database.desks : market.database.db
  const cookies = readCookies(c.req.header('cookie'))
  const cookieNames = cookieNamesFor(c.req.url, market.env.publicOrigin, market.env.mode)
  const sessionToken = cookies[cookieNames.session]
  const mayBeOpen = sessionToken !== undefined && !isEndReported(cookies, cookieNames)
  const session = mayBeOpen ? await findSession(db, sessionToken, hasFrame(c.req.path) ? headerCounts : undefined) : null
  const now = market.clock.now()
  c.set('cookies', cookies)
  c.set('cookieNames', cookieNames)
  c.set('figures', session?.figures ?? null)
  // The worker's copies must not show the notice.
  c.set('hasSessionEnded', mayBeOpen && session === null && !c.req.header(FOR_COPY))
  c.set('userAgent', c.req.header('user-agent') ?? '')
  c.set('ctx', {
    db,
    viewer: session?.awaitsTotp ? null : (session?.viewer ?? null),
    locale: localeOf(c),
    now,
    requestId,
    log: market.log.child({ requestId }),
    browserId: browserIdOf(market.env.secret, sessionToken, cookies[cookieNames.csrf]),
    publicOrigin: market.env.publicOrigin,
    sessionId: session?.id ?? null,
    vault: market.vault,
    deadline: c.var.deadline,
  })
  await next()
}

/** The logged-in person, for answers before the ctx exists; null for an anonymous visitor. */
export async function viewerOf(c: AppContext): Promise<Viewer | null> {
  const token = sessionTokenOf(c)
  const session = token ? await findSession(c.var.market.database.db, token) : null
  return session && !session.awaitsTotp ? session.viewer : null
}

function sessionTokenOf(c: AppContext): string | undefined {
  const { env } = c.var.market
  return readCookies(c.req.header('cookie'))[cookieNamesFor(c.req.url, env.publicOrigin, env.mode).session]
}

const BEARER_PAGE = /^(\/en)?\/bring(\/|\.|$)/i

/** True for an admin or a vet, by the mark of their session's token, and for a bearer, who has a link and no session (decision 0119). */
export function isOfOffice(c: AppContext): boolean {
  const token = sessionTokenOf(c)
  return BEARER_PAGE.test(c.req.path) || (token !== undefined && isDeskToken(c.var.market.vault, token))
}

/** API calls and data requests have no frame. */
const hasFrame = (path: string) => !path.startsWith('/api/') && !isDataPath(path)

/** Works even for a request that is refused before its session is read. */
export function localeOf(c: AppContext): Locale {
  return c.req.path.startsWith('/api/') ? apiLocale(c, readCookies(c.req.header('cookie'))) : localeOfPath(c.req.path)
}

/** The caller's preferred language of our two, by weight (RFC 9110 §12.5.4); a weight of 0 is a refusal. */
function apiLocale(c: AppContext, cookies: Record<string, string>): Locale {
  return accepts(c, {
    header: 'Accept-Language',
    supports: ['ta', 'en'],
    default: cookies.lang === 'en' ? 'en' : 'ta',
    // Ignore the region: en-IN is English.
    match: (tags, { supports, default: other }) =>
      tags
        .filter(({ q }) => q > 0)
        .toSorted((a, b) => b.q - a.q)
        .map(({ type }) => type.toLowerCase().replace(/-.*$/, ''))
        .find((language) => supports.includes(language)) ?? other,
  }) as Locale
}

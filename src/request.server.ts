import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { findSession } from './accounts/sessions.server.ts'
import type { Ctx, Viewer } from './kit/context.ts'
import { isDataPath } from '#src/router-seams/data-url.ts'
import { readCookies, cookieNamesFor, type CookieNames } from '#src/kit/http/cookies.server.ts'
import { browserIdOf } from '#src/kit/http/csrf.server.ts'
import { localeOfPath, type Locale } from '#src/kit/text/locale.ts'
import type { Problem } from './kit/problem.ts'
import { headerCounts } from './orders/header-counts.server.ts'
import type { SharedAnswers } from '#src/kit/http/shared-answers.server.ts'
import type { Market } from './market.server.ts'

/** Variables that the pipeline sets for a request; handlers read them with `c.var`. */
export interface AppEnv {
  Bindings: HttpBindings
  Variables: {
    market: Market
    requestId: string
    /** Has passed the gate (app.server.ts). */
    isInside: boolean
    answers: SharedAnswers
    ctx: Ctx
    cookies: Record<string, string>
    cookieNames: CookieNames
    /** The address bucket that gates and limits count when nobody is logged in. */
    address: string
    userAgent: string
    hasSessionEnded: boolean
    figures: Record<string, number> | null
    /** Why a form's body is incomplete (bodies.server.ts). */
    bodyProblem: Problem | undefined
  }
}
export type AppContext = Context<AppEnv>

/**
 * Builds the request's ctx from session, language and database. Without a session cookie this costs no statement.
 * Pages have their language in the URL; API answers follow Accept-Language, then the cookie, then Tamil.
 */
export const withCtx: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { market, requestId } = c.var
  const cookies = readCookies(c.req.header('cookie'))
  const cookieNames = cookieNamesFor(c.req.url, market.env.publicOrigin, market.env.mode)
  const sessionToken = cookies[cookieNames.session]
  const session = sessionToken ? await findSession(market.database.db, sessionToken, hasFrame(c.req.path) ? headerCounts : undefined) : null
  const now = new Date()
  c.set('cookies', cookies)
  c.set('cookieNames', cookieNames)
  c.set('figures', session?.figures ?? null)
  c.set('hasSessionEnded', sessionToken !== undefined && session === null)
  c.set('userAgent', c.req.header('user-agent') ?? '')
  c.set('ctx', {
    db: market.database.db,
    viewer: session?.awaitsTotp ? null : (session?.viewer ?? null),
    locale: localeOf(c),
    now,
    requestId,
    log: market.log.child({ requestId }),
    browserId: browserIdOf(market.env.secret, sessionToken, cookies[cookieNames.csrf]),
    publicOrigin: market.env.publicOrigin,
    sessionId: session?.id ?? null,
    vault: market.vault,
  })
  await next()
}

/** Who is logged in, for answers given before there is a ctx; null for nobody. */
export async function viewerOf(c: AppContext): Promise<Viewer | null> {
  const { market } = c.var
  const token = readCookies(c.req.header('cookie'))[cookieNamesFor(c.req.url, market.env.publicOrigin, market.env.mode).session]
  const session = token ? await findSession(market.database.db, token) : null
  return session && !session.awaitsTotp ? session.viewer : null
}

/** API calls have no frame, and neither have data requests of a page's scripts. */
const hasFrame = (path: string) => !path.startsWith('/api/') && !isDataPath(path)

/** Works also for a request that is refused before its session is read. */
export function localeOf(c: AppContext): Locale {
  return c.req.path.startsWith('/api/') ? apiLocale(c, readCookies(c.req.header('cookie'))) : localeOfPath(c.req.path)
}

/** The language the caller likes best of our two, by the weights given (RFC 9110 §12.5.4); a weight of 0 is a refusal. */
function apiLocale(c: AppContext, cookies: Record<string, string>): Locale {
  const liked = (c.req.header('accept-language') ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map((p) => /^\s*q=([01](?:\.\d{1,3})?)\s*$/.exec(p)?.[1]).find((q) => q !== undefined)
      return { language: /^(ta|en)(?:-|$)/.exec(tag)?.[1] as Locale | undefined, weight: Number(weight ?? 1) }
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return liked[0]?.language ?? (cookies.lang === 'en' ? 'en' : 'ta')
}

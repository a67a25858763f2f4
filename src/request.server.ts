import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { findSession } from './accounts/sessions.server.ts'
import type { Ctx } from './kit/context.ts'
import { readCookies, cookieNamesFor, type CookieNames } from './kit/cookies.server.ts'
import { browserIdOf } from './kit/csrf.server.ts'
import { localeOfPath, type Locale } from './kit/locale.ts'
import { addressBucket } from './kit/rate-limits.server.ts'
import { frameFigures } from './orders/frame-figures.server.ts'
import type { Market } from './market.server.ts'

/** What the pipeline has found out about a request; handlers read it with `c.var`. */
export interface AppEnv {
  Bindings: HttpBindings
  Variables: {
    market: Market
    requestId: string
    /** Has passed the gate (app.server.ts). */
    isInside: boolean
    ctx: Ctx
    cookies: Record<string, string>
    cookieNames: CookieNames
    /** Whom limits count when nobody is logged in. */
    address: string
    userAgent: string
    hasSessionEnded: boolean
    figures: Record<string, number> | null
  }
}
export type AppContext = Context<AppEnv>

/**
 * Session, language and database become the request's ctx. Without a session cookie this costs no statement.
 * Pages have their language in the URL; API answers follow Accept-Language, then the cookie, then Tamil.
 */
export const withCtx: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { market, requestId } = c.var
  const cookies = readCookies(c.req.header('cookie'))
  const cookieNames = cookieNamesFor(c.req.url, market.env.publicOrigin, market.env.mode)
  const sessionToken = cookies[cookieNames.session]
  const session = sessionToken ? await findSession(market.database.db, sessionToken, hasFrame(c.req.path) ? frameFigures : undefined) : null
  const now = new Date()
  c.set('cookies', cookies)
  c.set('cookieNames', cookieNames)
  c.set('figures', session?.figures ?? null)
  c.set('hasSessionEnded', sessionToken !== undefined && session === null)
  c.set('userAgent', c.req.header('user-agent') ?? '')
  c.set('address', addressBucket(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'), market.env.trustedProxies))
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

/** Calls have none, and neither has the data that a page's scripts ask for. */
const hasFrame = (path: string) => !path.startsWith('/api/') && !path.endsWith('.data')

/** Also of a request that is refused before anybody has looked who asks. */
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

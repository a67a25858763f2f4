import { redirect, type LoaderFunctionArgs, type RouterContextProvider } from 'react-router'
import { visitorContext, type Ctx, type Site, type Visitor } from '#src/kit/context.ts'
import { bare, localized } from '#src/kit/text/locale.ts'
import { formLoader, textOf } from '#src/kit/http/page.server.ts'
import type { LimitName, DurableLimitName } from '#src/kit/db/rate-limits.server.ts'
import { hasConsent } from '../consent.server.ts'
import type { LoggedIn } from '#src/accounts/identity/identity.server.ts'
import { BUYER_TYPE } from '../rules.ts'
import { returnPath } from '../page-guards.server.ts'
import { loginCookies } from '#src/accounts/identity/session-cookies.server.ts'

/** Server code shared by the pages of login, registration and reset. */
interface Asked {
  request: Request
  url: URL
  site: Site
  visitor: Visitor
  /** The page to go to afterwards. */
  next: string
}

/** Loader of a form page, with the visitor's cookies and `next`: from the address, else the page of this site that the visitor came from. */
export function authFormLoader<T extends object>(load: (ctx: Ctx, asked: Asked) => Promise<T>) {
  return ({ request, params, context }: LoaderFunctionArgs) => {
    const router = context as Readonly<RouterContextProvider>
    const visitor = router.get(visitorContext)!
    return formLoader(async (ctx, { url, site }) => {
      const next = returnPath(url.searchParams.get('next') ?? cameFrom(request, url), localized('/', ctx.locale))
      return { next, ...(await load(ctx, { request, url, site, visitor, next })) }
    })({ request, params, context: router })
  }
}

function cameFrom(request: Request, url: URL): string | null {
  const referer = request.headers.get('referer')
  if (!referer || !URL.canParse(referer)) return null
  const { host, pathname, search } = new URL(referer)
  return host === url.host ? pathname + search : null
}

export const nextOf = (ctx: Ctx, form: FormData): string => returnPath(textOf(form, 'next'), localized('/', ctx.locale))

/** A visitor who comes from buying finds the buyer chosen; null chooses nothing (decisions.md §8.2). */
export const typeFor = (next: string): number | null =>
  /^\/(product|my-cart|confirm-order|my-addresses\/buy|saved)(\/|\?|$)/i.test(bare(next)) ? BUYER_TYPE : null

/** A path of this site with `next` in its query. */
export const pathWithNext = (ctx: Ctx, path: string, next: string): string =>
  `${localized(path, ctx.locale)}?next=${encodeURIComponent(next)}`

/** Takes the same rate limits as the API call (policy.ts), all in one statement. */
export const takeLimits = (
  ctx: Ctx,
  site: Pick<Site, 'limits'>,
  visitor: Pick<Visitor, 'address'>,
  ...names: (LimitName | DurableLimitName)[]
): Promise<void> => site.limits.takeAll(ctx.db, names, { userId: ctx.viewer?.id ?? null, address: visitor.address })

export function redirectWith(to: string, cookies: string[], more: Record<string, string> = {}, go = redirect): Response {
  const headers = new Headers({ 'Cache-Control': 'no-store', ...more })
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return go(to, { headers })
}

/** After a login: redirects to `next`; an admin to their second step first, and a person without consent to its form. */
export async function enter(ctx: Ctx, site: Site, visitor: Visitor, loggedIn: LoggedIn, next: string): Promise<Response> {
  const before = loggedIn.awaitsTotp ? '/login/second-step' : (await hasConsent(ctx, loggedIn.user.id)) ? null : '/consent'
  const to = before === null ? next : pathWithNext(ctx, before, next)
  return redirectWith(to, loginCookies(visitor.cookieNames, site.env.secret, loggedIn))
}

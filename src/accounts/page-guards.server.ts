import { redirect } from 'react-router'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { pagePathOf, pageQueryOf } from '#src/router-seams/data-url.ts'
import { localized } from '#src/kit/text/locale.ts'
import { can, mayNot, type Capability } from './policy.ts'

/** Redirects an anonymous visitor to the login, which then leads back to `url`. */
export function requireViewer(ctx: Ctx, url: URL): Viewer {
  if (ctx.viewer) return ctx.viewer
  throw redirect(`${localized('/login', ctx.locale)}?next=${encodeURIComponent(pathOf(url))}`)
}

export function requireCapability(ctx: Ctx, url: URL, capability: Capability): Viewer {
  const viewer = requireViewer(ctx, url)
  if (!can(viewer, capability)) throw mayNot(viewer, capability)
  return viewer
}

/** The address in the browser's address bar, also for a `.data` request. */
export function pathOf({ pathname, searchParams }: URL): string {
  const query = pageQueryOf(searchParams)
  return pagePathOf(pathname) + (query.size > 0 ? `?${query}` : '')
}

/**
 * The page to go to after a login: a path of this site, or `home`. Refuses everything that a browser could read as another host: `//host`,
 * `/\\host`, control characters in between.
 */
export function returnPath(next: string | null | undefined, home: string): string {
  if (!next || next.length > 500 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return home
  const { origin, pathname, search } = new URL(next, 'http://here.invalid')
  if (origin !== 'http://here.invalid' || pathname.startsWith('//')) return home
  // A return to the forms of signing in or the logout, in any spelling, goes to `home`.
  return /^(\/en)?\/(login|logout|register|reset-password|consent)(?![\w-])/i.test(decoded(pathname)) ? home : pathname + search
}

/** The path as the router decodes it. A path that cannot be decoded is no page. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return '/login'
  }
}

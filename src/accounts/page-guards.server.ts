import { redirect } from 'react-router'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { pagePathOf, pageQueryOf } from '#src/router-seams/data-url.ts'
import { localized } from '#src/kit/text/locale.ts'
import { can, mayNot, type Capability } from './policy.ts'

/** Redirects an anonymous visitor to the login, which leads back here. */
export function requireViewer(ctx: Ctx, url: URL): Viewer {
  if (ctx.viewer) return ctx.viewer
  throw redirect(`${localized('/login', ctx.locale)}?next=${encodeURIComponent(pathOf(url))}`)
}

export function requireCapability(ctx: Ctx, url: URL, capability: Capability): Viewer {
  const viewer = requireViewer(ctx, url)
  if (!can(viewer, capability)) throw mayNot(viewer, capability)
  return viewer
}

/** The address in the browser's bar, also when a script asks for the page's data. */
function pathOf({ pathname, searchParams }: URL): string {
  const query = pageQueryOf(searchParams)
  return pagePathOf(pathname) + (query.size > 0 ? `?${query}` : '')
}

/**
 * Where to go after a login: one of our paths, or home. Anything that a browser could read as another host is refused: `//host`,
 * `/\\host`, control characters in between.
 */
export function returnPath(next: string | null | undefined, home: string): string {
  if (!next || next.length > 500 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return home
  const { origin, pathname, search } = new URL(next, 'http://here.invalid')
  if (origin !== 'http://here.invalid' || pathname.startsWith('//')) return home
  // A return to the login form or the logout, however it is spelt, counts as nowhere.
  return /^(\/en)?\/(login|logout|register|reset-password)(?![\w-])/i.test(decoded(pathname)) ? home : pathname + search
}

/** The path as the router reads it. A path that it cannot read is no page. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return '/login'
  }
}

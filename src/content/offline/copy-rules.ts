import { canonicalPath } from '#src/kit/http/seo.ts'
import { bare } from '#src/kit/text/locale.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { pagePathOf } from '#src/router-seams/data-url.ts'
import { withoutLateScript } from '#src/router-seams/late-script.ts'
import type { CopyKind } from './names.ts'
import { scope } from './worker/scope.ts'

export function copyKindOf(pathname: string): CopyKind {
  const path = canonicalPath(pathname)
  return scope.COPIED.find(([pattern]) => new RegExp(pattern).test(path))?.[1] ?? 'never'
}

/**
 * The address under which a page is copied: links write `/seller-product` and `/seller-product/?tab=1`. The query of a bearer's day says only what was
 * just done.
 */
export function copyAddressOf(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return origin + (pathname === '/' ? pathname : pathname.replace(/\/$/, '')) + (copyKindOf(pathname) === 'link' ? '' : search)
}

/** Acts after which another person may be logged in. Matches pages, their data requests and calls. */
export const changesWhoIsHere = (pathname: string) =>
  /^\/(login|register|reset-password|logout)(\/|$)|^\/userprofile\/\d+\/delete|^\/api\/v1\/(login|login-code|logout|user|userprofile|reset-password|init-forgot-password|auth|me)(\/|$)/i.test(
    bare(pagePathOf(pathname)),
  )

const FRESH_MS = 12 * 3_600_000
/**
 * A list is shown from its copy for half a day (specification A §9), unless this phone has sent a change since.
 * Offline, any copy is better than none. Times in milliseconds.
 */
export const mayShowCopy = (copiedAt: number, phone: { now: number; changedAt: number; hasFailed: boolean }) =>
  phone.hasFailed || (phone.now - copiedAt <= FRESH_MS && copiedAt > phone.changedAt)
/** Milliseconds that a market page waits for the network before its copy is shown. */
export const PATIENCE_MS = 300
/** The same for personal pages, which the person may have just changed. */
export const OWN_PATIENCE_MS = 6000
/** A bearer's link works on its day only, and so does the copy of its page. Both times in milliseconds. */
export const isLinkCopyOver = (copiedAt: number, now: number) => indianDay(new Date(copiedAt)) !== indianDay(new Date(now))
/** A picture may be taken down, so the worker asks again after a day, like the browser's own cache. */
export const PICTURE_FRESH_MS = 86_400_000
export const MOST_BYTES = 40 * 1024 * 1024

export interface Kept {
  /** Cache name and address. */
  id: string
  bytes: number
  /** Time of the last fetch; for files and pictures, of the last use. */
  at: number
  /** Pages only. */
  title?: string
}

/** The oldest entries to delete until the rest fits. */
export function toDrop(kept: readonly Kept[], mostBytes = MOST_BYTES): Kept[] {
  let bytes = kept.reduce((sum, each) => sum + each.bytes, 0)
  const dropped: Kept[] = []
  for (const each of kept.toSorted((a, b) => a.at - b.at)) {
    if (bytes <= mostBytes) break
    bytes -= each.bytes
    dropped.push(each)
  }
  return dropped
}

/** A page's own title, without the market's name. */
export const titleIn = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1]?.replace(/ · Sandhai$/, '')

/** Two renderings of the same page for the same person differ in these: request ids and tokens. */
export const withoutMarks = (html: string) =>
  html
    .replaceAll(/ nonce="[^"]*"| data-request-id="[^"]*"/g, '')
    .replaceAll(/[\w-]{22}\.[\w-]{43}/g, '')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '')

/** Our files that a page needs for display; without React's on a page that starts React on demand. */
export function assetsIn(page: string): string[] {
  const html = page.includes(' data-start="on-demand"') ? withoutLateScript(page) : page
  return [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css|woff2|svg)/g) ?? [])]
}

/** The scripts that record a clip and make it small, which the form loads only when somebody adds one. */
export const clipScriptsIn = (script: string) =>
  [...new Set(script.match(/\b(?:recorder|make-small)-[\w-]+\.js/g) ?? [])].map((name) => `/assets/${name}`)

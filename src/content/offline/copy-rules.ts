import { canonicalPath } from '#src/kit/http/seo.ts'
import { bare } from '#src/kit/text/locale.ts'
import { pagePathOf } from '#src/router-seams/data-url.ts'
import { withoutLateScript } from '#src/router-seams/late-script.ts'

/** What the service worker keeps of a page on the phone (decision 0058). */
export type CopyKind =
  /** The same for everybody who is not logged in: shown from the copy at once where the line is slow. */
  | 'market'
  /** Somebody's own, or a form: the line is asked first. */
  | 'own'
  /** Never kept: logins, files, desks with other people's data, links that open something for whoever has them. */
  | 'never'

const market = /^\/(|buy\/\d+|product\/\d+|seller\/\d+|breeds(\/[a-z-]+)?)$/
const own =
  /^\/(compare|my-cart|my-addresses|orders|orders\/\d+\/(handover|first-days|invoice)|seller-product|seller-product\/\d+\/edit|sell|saved|me|my-enquiries|add-enquiry|view-enquiry\/\d+|view-requirements|forum|forum\/thread\/\d+\/replies|vet-verify|vet-verify\/\d+|earnings|support|aboutus|how-it-works|services|other-services|careers|privacy-policy|terms|what-may-not-be-sold)$/

export function copyKindOf(pathname: string): CopyKind {
  const path = canonicalPath(pathname)
  return market.test(path) ? 'market' : own.test(path) ? 'own' : 'never'
}

/** Acts after which somebody else may be logged in. Matches pages, their data requests and calls. */
export const changesWhoIsHere = (pathname: string) =>
  /^\/(login|register|reset-password|logout)(\/|$)|^\/userprofile\/\d+\/delete|^\/api\/v1\/(login|login-code|logout|user|userprofile|reset-password|init-forgot-password|auth|me)(\/|$)/i.test(
    bare(pagePathOf(pathname)),
  )

/** A list is shown from the copy for half a day (specification A §9); offline any copy is better than none. */
export const FRESH_MS = 12 * 3_600_000
/** A line that has not begun to answer by now is slow: what is on the phone is shown meanwhile. */
export const PATIENCE_MS = 300
/** The same for one's own pages, which may have changed by one's own act. */
export const OWN_PATIENCE_MS = 6000
/** A picture may be taken down: like the browser's own cache, we ask again after a day. */
export const PICTURE_FRESH_MS = 86_400_000
export const MOST_BYTES = 40 * 1024 * 1024

export interface Kept {
  /** Cache and address. */
  id: string
  bytes: number
  /** When it was last fetched or, of files and pictures, used. */
  at: number
  /** Of a page. */
  title?: string
}

/** The oldest, until the rest fits. */
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

/** What differs between two renderings of the same page for the same person: numbers of the request and tokens. */
export const withoutMarks = (html: string) =>
  html
    .replaceAll(/ nonce="[^"]*"| data-request-id="[^"]*"/g, '')
    .replaceAll(/[\w-]{22}\.[\w-]{43}/g, '')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '')

/** Files of ours that a page is drawn with; on a page that starts React on demand those of React are not among them. */
export function assetsIn(page: string): string[] {
  const html = page.includes(' data-start="on-demand"') ? withoutLateScript(page) : page
  return [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css|woff2|svg)/g) ?? [])]
}

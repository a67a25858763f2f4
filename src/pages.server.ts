import { randomBytes } from 'node:crypto'
import { unreachable } from './kit/database.server.ts'
import { serializeCookie } from './kit/cookies.server.ts'
import { ensureOwnOrigin } from './kit/csrf.server.ts'
import type { Ctx } from './kit/context.ts'
import { acceptedEncoding } from './kit/http.server.ts'
import { bare, localeOfPath, localized, type Locale } from './kit/locale.ts'
import { encode, KeptPage, PageCache, pageChangesOf, type DrawnPage } from './kit/page-cache.server.ts'
import { inLocale } from './kit/page-locale.server.ts'
import { isDecodable } from './kit/paths.ts'
import { Problem } from './kit/problem.ts'
import { contentSecurityPolicy, withoutNonce } from './kit/security-headers.server.ts'
import type { Market } from './market.server.ts'
import { m } from './paraglide/messages.js'
import type { AppContext } from './request.server.ts'

/** Draws a page: React Router's handler in the built site, a stand-in in API tests. */
export type PageHandler = (request: Request, page: PageRequest) => Promise<Response>

export interface PageRequest {
  ctx: Ctx
  /** Marks the page's own inline scripts. */
  nonce: string
  /** Whose page it is; null for one that everybody will get, which therefore can know nobody's cookies. */
  visitor: AppContext | null
}

/**
 * The pages that are the same for everybody who is not logged in: drawn for all and kept (kit/page-cache.server.ts). What is
 * not named here is drawn for each visitor.
 */
const shared = [
  /^\/$/,
  /^\/buy\/\d{1,4}$/,
  /^\/product\/(related\/)?\d{1,15}$/,
  /^\/(support|aboutus|how-it-works|careers|terms|privacy-policy|other-services|services|coming-soon)$/,
]

const A_YEAR_SECONDS = 31_536_000
const MONTH_SECONDS = 30 * 86_400

/** Answers for every address that is no file and no call. */
export function createPages(market: Market, pages: PageHandler): (c: AppContext) => Promise<Response> {
  const cache = new PageCache(pageChangesOf(market.database.watch))
  const isHttps = market.env.publicOrigin.startsWith('https:')

  return async (c) => {
    const { method } = c.req
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw new Problem('METHOD_NOT_ALLOWED')
    const url = new URL(c.req.url)
    if (!isDecodable(url.pathname)) throw new Problem('MALFORMED')
    await market.limits.take('read', { userId: c.var.ctx.viewer?.id ?? null, address: c.var.address })
    if (method === 'POST') ensureOwnOrigin(c.req.raw, market.env.publicOrigin)
    const path = pagePath(url.pathname)
    const isDocument = method !== 'POST' && path === url.pathname
    const elsewhere = isDocument && redirection(c, url)
    if (elsewhere) return elsewhere
    // Also who comes with a session that is over: his page is everybody's.
    const isAnonymous = c.var.ctx.viewer === null
    const code = isDocument ? referralCode(url) : null
    const isShared = method !== 'POST' && isAnonymous && code === null && shared.some((page) => page.test(canonical(path)))
    const response = isShared ? await sendShared(c, url) : await sendOwn(c)
    if (code) {
      response.headers.append(
        'Set-Cookie',
        serializeCookie('refcode', code, { secure: c.var.cookieNames.secure, maxAgeSeconds: MONTH_SECONDS }),
      )
    }
    return response
  }

  async function sendOwn(c: AppContext): Promise<Response> {
    const nonce = newNonce()
    const { ctx } = c.var
    const response = await inLocale(ctx.locale, () => pages(c.req.raw, { ctx, nonce, visitor: c }))
    const headers = new Headers(response.headers)
    headers.set('Content-Security-Policy', contentSecurityPolicy({ nonce }, isHttps))
    if (!headers.get('Cache-Control')?.includes('no-store')) headers.set('Cache-Control', ctx.viewer ? 'no-store' : 'private, no-cache')
    headers.set('Content-Language', ctx.locale)
    headers.append('Vary', 'Cookie')
    return new Response(response.body, { status: response.status, headers })
  }

  async function sendShared(c: AppContext, url: URL): Promise<Response> {
    const key = url.pathname + url.search
    const epoch = await cache.look()
    if (epoch === null) {
      // What scripts ask for can carry no note; they are told the truth, and trying again loads the document.
      const old = pagePath(url.pathname) === url.pathname && cache.findOld(key)
      // Without one, the page is drawn by a market that cannot be asked anything: the frame, and a word of what is the matter.
      return old
        ? sendKept(c, old.marked(markOld(c.var.ctx.locale)), 'hit; detail=old')
        : sendDrawn(c, await draw(c.var.ctx, url, unreachable))
    }
    const kept = cache.find(key, epoch)
    if (kept) return sendKept(c, kept, 'hit')
    const drawn = await cache.draw(key, epoch, () => draw(c.var.ctx, url, c.var.ctx.db))
    if (drawn.isKept) return sendKept(c, cache.find(key, epoch) ?? new KeptPage(drawn, epoch), 'fwd=miss')
    const old = drawn.status === 503 && pagePath(url.pathname) === url.pathname && cache.findOld(key)
    return old ? sendKept(c, old.marked(markOld(c.var.ctx.locale)), 'hit; detail=old') : sendDrawn(c, drawn)
  }

  /** For nobody in particular: of the request only its address is used, and the market's own origin. */
  async function draw(asked: Ctx, url: URL, db: Ctx['db']): Promise<DrawnPage> {
    const nonce = newNonce()
    const ctx: Ctx = { ...asked, db, viewer: null, browserId: null }
    const request = new Request(market.env.publicOrigin + url.pathname + url.search)
    const response = await inLocale(ctx.locale, () => pages(request, { ctx, nonce, visitor: null }))
    const { html, hashes } = withoutNonce(await response.text(), nonce)
    const isKept = response.status === 200
    return {
      status: response.status,
      isKept,
      requestId: ctx.requestId,
      // The number of one request stands in an error page only, where a person may need it.
      body: isKept ? html.replace(` data-request-id="${ctx.requestId}"`, '') : html,
      headers: {
        ...Object.fromEntries(response.headers),
        'cache-control': 'private, no-cache',
        'content-language': ctx.locale,
        'content-security-policy': contentSecurityPolicy({ hashes }, isHttps),
        vary: 'Cookie, Accept-Encoding',
      },
    }
  }
}

async function sendKept(c: AppContext, page: KeptPage, how: string): Promise<Response> {
  const headers: Record<string, string> = { ...page.headers, etag: page.etag, 'cache-status': `sandhai; ${how}` }
  const known = c.req.header('if-none-match')
  if (known?.split(',').some((tag) => tag.trim() === page.etag)) return c.body(null, 304, headers)
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  if (encoding) headers['content-encoding'] = encoding
  const bytes = await page.encoded(encoding)
  headers['content-length'] = String(bytes.byteLength)
  return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { status: 200, headers })
}

async function sendDrawn(c: AppContext, page: DrawnPage): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  const headers = { ...page.headers, ...(encoding && { 'content-encoding': encoding }) }
  // Several may have waited for the same drawing; each is told the number of his own request.
  const bytes = await encode(page.body.replaceAll(page.requestId, c.var.requestId), encoding)
  return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { status: page.status, headers })
}

/** Into the place that root.tsx leaves for it. What a browser asks for by script (.data) has no such place and stays as it is. */
const markOld = (locale: Locale) => (html: string) =>
  html.replace('<div id="old-note"></div>', `<div id="old-note" role="status">${m.frame_old({}, { locale })}</div>`)

const newNonce = () => randomBytes(16).toString('base64')

/** React Router asks for a page's data at the page's address with an ending: /buy/0.data, /en.data, and `_` for nothing before it. */
function pagePath(pathname: string): string {
  if (!pathname.endsWith('.data')) return pathname
  return pathname.slice(0, -'.data'.length).replace(/\/_(root)?$/, '/')
}

const canonical = (pathname: string) =>
  bare(pathname)
    .toLowerCase()
    .replace(/(?!^)\/$/, '')

function redirection(c: AppContext, url: URL): Response | null {
  // The language switch: remember the choice, then show the page under its own clean address.
  const chosen = url.searchParams.get('lang')
  if (chosen === 'ta' || chosen === 'en') {
    url.searchParams.delete('lang')
    const cookie = serializeCookie('lang', chosen, { secure: c.var.cookieNames.secure, maxAgeSeconds: A_YEAR_SECONDS })
    return c.body(null, 302, {
      Location: localized(bare(url.pathname) + url.search, chosen),
      'Set-Cookie': cookie,
      'Cache-Control': 'no-store',
    })
  }
  // Somebody who chose English once and opens a Tamil link is taken to its twin; the reverse needs no rule, the switch does it.
  if (localeOfPath(url.pathname) === 'ta' && c.var.cookies.lang === 'en') {
    return c.body(null, 302, { Location: localized(url.pathname + url.search, 'en'), 'Cache-Control': 'no-store', Vary: 'Cookie' })
  }
  return null
}

/** `/?refcode=CODE` or `/refcode/CODE`, and only what can be a code: kept until its bearer registers. */
function referralCode(url: URL): string | null {
  const path = bare(url.pathname)
  const code = path === '/' ? url.searchParams.get('refcode') : /^\/refcode\/([^/]*)\/?$/i.exec(path)?.[1]
  return code && /^[A-Za-z0-9]{10}$/.test(code) ? code : null
}

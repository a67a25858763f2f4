import { randomUUID } from 'node:crypto'
import { endedCookies } from './accounts/session-cookies.server.ts'
import { isBot } from './content/page-views.server.ts'
import { proseSlugOf } from './content/prose.ts'
import { serializeCookie } from './kit/cookies.server.ts'
import { ensureOwnOrigin } from './kit/csrf.server.ts'
import { ContactBoard } from './kit/contact-board.server.ts'
import type { Ctx } from './kit/context.ts'
import type { Gate } from './kit/gate.server.ts'
import { fromBytes, htmlOf, toBytes } from './kit/drawn-html.server.ts'
import { acceptedEncoding, isKnown } from './kit/http.server.ts'
import { bare, localeOfPath, localized, type Locale } from './kit/locale.ts'
import { encode, KeptPage, PageCache, pageChangesOf, type DrawnPage } from './kit/page-cache.server.ts'
import type { ContactSetting } from './kit/settings.ts'
import { inLocale } from './kit/page-locale.server.ts'
import { isDecodable } from './kit/paths.ts'
import { Problem } from './kit/problem.ts'
import { contentSecurityPolicy, withoutNonce } from './kit/security-headers.server.ts'
import type { Market } from './market.server.ts'
import { m } from './paraglide/messages.js'
import { localeOf, type AppContext } from './request.server.ts'

/** Draws a page: React Router's handler in the built site, a stand-in in API tests. */
export type PageHandler = (request: Request, page: PageRequest) => Promise<Response>

interface PageRequest {
  ctx: Ctx
  /** Marks the page's own inline scripts. */
  nonce: string
  /** Whose page it is; null for one that everybody will get, which therefore can know nobody's cookies. */
  visitor: AppContext | null
  /** How Sandhai is reached, as of this request. */
  contact: ContactSetting
}

/**
 * The pages that are the same for everybody who is not logged in: drawn for all and kept (kit/page-cache.server.ts). What is
 * not named here is drawn for each visitor.
 */
const shared = [/^\/$/, /^\/buy\/\d{1,4}$/, /^\/product\/(related\/)?\d{1,15}$/, /^\/seller\/\d{1,15}$/, /^\/breeds(\/[a-z-]{1,60})?$/]

/** May it be answered from memory? What is not for everybody, or not only read, is let in by the gate (app.server.ts). */
export function isForEverybody(c: AppContext): boolean {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  return isRead && !c.req.header('cookie')?.includes('sid=') && isShared(pagePath(c.req.path))
}

const isShared = (path: string) => {
  const plain = canonical(path)
  return shared.some((page) => page.test(plain)) || proseSlugOf(plain.slice(1)) !== null
}

/**
 * A page that is drawn anew for one who is not logged in, a login, a 404, or the first of its kind, may show a phone number of ours that
 * was changed within this time.
 */
const HEARD_MS = 1000

const A_YEAR_SECONDS = 31_536_000
const MONTH_SECONDS = 30 * 86_400

export interface Pages {
  /** Answers for every address that is no file and no call. */
  send(c: AppContext): Promise<Response>
  /** Instead of any page that the market cannot give now. It is drawn once in each language, so that refusing costs nothing. */
  sendUnavailable(c: AppContext, retryAfterSeconds: number): Promise<Response>
}

export function createPages(market: Market, pages: PageHandler, gate: Gate, patternOf: (path: string) => string | null): Pages {
  const contacts = new ContactBoard(market.database.watch)
  const readChanges = pageChangesOf(market.database.watch)
  const cache = new PageCache(async (since) => {
    const changes = await readChanges(since)
    contacts.hear(changes.contact)
    return changes
  })
  const isHttps = market.env.publicOrigin.startsWith('https:')
  const unavailable: Partial<Record<Locale, { contact: ContactSetting; page: Promise<KeptPage> }>> = {}

  return { send, sendUnavailable }

  async function send(c: AppContext): Promise<Response> {
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
    // Who comes with a session that is over is told so, once, on a page of his own.
    const hasEnded = c.var.hasSessionEnded && isDocument
    const isAnonymous = c.var.ctx.viewer === null && !hasEnded
    const code = isDocument ? referralCode(url) : null
    const isEverybodys = method !== 'POST' && isAnonymous && code === null && isShared(path)
    const response = isEverybodys ? await sendShared(c, url) : await sendOwn(c)
    if (isDocument && method === 'GET') noteView(c, response, path)
    if (hasEnded && !response.headers.getSetCookie().some((cookie) => cookie.startsWith(`${c.var.cookieNames.session}=`))) {
      for (const cookie of endedCookies(c.var.cookieNames)) response.headers.append('Set-Cookie', cookie)
    }
    if (code) {
      response.headers.append(
        'Set-Cookie',
        serializeCookie('refcode', code, { secure: c.var.cookieNames.secure, maxAgeSeconds: MONTH_SECONDS }),
      )
    }
    return response
  }

  /** Whatever a person sees for himself, from memory or drawn, and as long as his browser has it: not what fails, not what is a file. */
  function noteView(c: AppContext, { status, headers }: Response, path: string): void {
    const isSeen = status === 304 || (status === 200 && headers.get('content-type')?.startsWith('text/html'))
    if (!isSeen || isBot(c.var.userAgent)) return
    const route = patternOf(canonical(path))
    if (route) market.views.count(route, localeOfPath(path), c.var.ctx.now)
  }

  async function sendOwn(c: AppContext): Promise<Response> {
    const nonce = newNonce()
    const { ctx } = c.var
    const contact = await contactFor(c)
    const response = await inLocale(ctx.locale, () => pages(c.req.raw, { ctx, nonce, visitor: c, contact }))
    const headers = new Headers(response.headers)
    headers.set('Content-Security-Policy', contentSecurityPolicy({ nonce }, isHttps))
    if (!headers.get('Cache-Control')?.includes('no-store')) headers.set('Cache-Control', ctx.viewer ? 'no-store' : 'private, no-cache')
    headers.set('Content-Language', ctx.locale)
    headers.append('Vary', 'Cookie')
    const own = htmlOf(response)
    return new Response(c.req.method === 'HEAD' ? null : own === null ? response.body : fromBytes(own), {
      status: response.status,
      headers,
    })
  }

  /** Found with his session; who has none asks for it at most once in a while, together with everybody of that moment. */
  async function contactFor(c: AppContext): Promise<ContactSetting> {
    const id = c.var.figures?.contactId
    if (id !== undefined) return contacts.atLeast(id)
    if (c.var.ctx.viewer === null && contacts.ageMs > HEARD_MS) await cache.look()
    return contacts.current
  }

  async function sendShared(c: AppContext, url: URL): Promise<Response> {
    const key = url.pathname + url.search
    const epoch = (contacts.ageMs < HEARD_MS ? cache.epochOfUnknown(key) : null) ?? (await cache.look())
    if (epoch === null) {
      // What scripts ask for can carry no note; they are told the truth, and trying again loads the document.
      const isData = pagePath(url.pathname) !== url.pathname
      if (isData) return sendDrawn(c, await atGate(c, () => draw(c.var.ctx, url, silent)))
      const old = cache.findOld(key)
      return old ? sendKept(c, old.marked(markOld(c.var.ctx.locale)), 'hit; detail=old') : sendUnavailable(c, RETRY_SECONDS)
    }
    const kept = cache.find(key, epoch)
    if (kept) return sendKept(c, kept, 'hit')
    const drawn = await cache.draw(key, epoch, () => atGate(c, () => draw(c.var.ctx, url, c.var.ctx.db)))
    if (drawn.isKept) return sendKept(c, cache.find(key, epoch) ?? new KeptPage(drawn, epoch), 'fwd=miss')
    const old = drawn.status === 503 && pagePath(url.pathname) === url.pathname && cache.findOld(key)
    return old ? sendKept(c, old.marked(markOld(c.var.ctx.locale)), 'hit; detail=old') : sendDrawn(c, drawn)
  }

  /** Who came with a session has passed the gate already, though the session was worth nothing. */
  function atGate<T>(c: AppContext, work: () => Promise<T>): Promise<T> {
    return c.var.isInside ? work() : gate.run(work)
  }

  async function sendUnavailable(c: AppContext, retryAfterSeconds: number): Promise<Response> {
    const locale = localeOf(c)
    const contact = contacts.current
    const known = unavailable[locale]
    const isSame = known !== undefined && JSON.stringify(known.contact) === JSON.stringify(contact)
    const drawing = isSame ? known : (unavailable[locale] = { contact, page: drawUnavailable(c, locale) })
    // What failed is not kept: the next one tries again.
    drawing.page.catch(() => delete unavailable[locale])
    const page = await drawing.page
    const encoding = acceptedEncoding(c.req.header('accept-encoding'))
    const headers = { ...page.headers, 'retry-after': String(retryAfterSeconds), ...(encoding && { 'content-encoding': encoding }) }
    const bytes = await page.encoded(encoding)
    return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { status: 503, headers })
  }

  /**
   * By a market that cannot be asked anything: the frame, and a word of what is the matter. It has no scripts, which would look
   * for the page whose address it bears; its links lead from where it is shown.
   */
  async function drawUnavailable({ var: { requestId } }: AppContext, locale: Locale): Promise<KeptPage> {
    const path = localized('/buy/0?again=1', locale)
    const ctx: Ctx = {
      db: silent,
      viewer: null,
      locale,
      now: new Date(),
      requestId,
      log: market.log,
      browserId: null,
      publicOrigin: market.env.publicOrigin,
      sessionId: null,
      vault: market.vault,
    }
    const { body, headers } = await draw(ctx, new URL(path, market.env.publicOrigin), silent)
    const light = body
      .toString()
      .replace(/<script\b[^>]*>[\s\S]*?<\/script>|<link rel="(?:canonical|alternate)"[^>]*>/g, '')
      .replace(/href="(?:\/en)?\/buy\/0\?again=1&amp;/g, 'href="?')
      .replaceAll(`href="${path}"`, 'href=""')
      .replaceAll(requestId, '')
    const policy = contentSecurityPolicy({ hashes: [] }, isHttps)
    return new KeptPage(
      { headers: { ...headers, 'cache-control': 'no-store', 'content-security-policy': policy }, body: Buffer.from(light) },
      0,
    )
  }

  /** For nobody in particular: of the request only its address is used, and the market's own origin. */
  async function draw(asked: Ctx, url: URL, db: Ctx['db']): Promise<DrawnPage> {
    const nonce = newNonce()
    const ctx: Ctx = { ...asked, db, viewer: null, browserId: null }
    const request = new Request(market.env.publicOrigin + url.pathname + url.search)
    const response = await inLocale(ctx.locale, () => pages(request, { ctx, nonce, visitor: null, contact: contacts.current }))
    const { html, hashes } = withoutNonce(htmlOf(response) ?? toBytes(Buffer.from(await response.arrayBuffer())), nonce)
    const isKept = response.status === 200
    return {
      status: response.status,
      isKept,
      requestId: ctx.requestId,
      // The number of one request stands in an error page only, where a person may need it.
      body: fromBytes(isKept ? html.replace(` data-request-id="${ctx.requestId}"`, '') : html),
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
  if (isKnown(c.req.header('if-none-match'), page.etag)) return c.body(null, 304, headers)
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
  const bytes = await encode(fromBytes(toBytes(page.body).replaceAll(page.requestId, c.var.requestId)), encoding)
  return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { status: page.status, headers })
}

/** Into the place that root.tsx leaves for it. What a browser asks for by script (.data) has no such place and stays as it is. */
const markOld = (locale: Locale) => (html: string) =>
  html.replace('<div id="old-note"></div>', `<div id="old-note" role="status">${m.frame_old({}, { locale })}</div>`)

const RETRY_SECONDS = 2

/** A market that cannot be asked anything. */
const silent = new Proxy({} as Ctx['db'], {
  get() {
    throw new Problem('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS })
  },
})

/** 122 random bits, of a store that Node fills now and then: asking the system for each page takes longer. */
const newNonce = () => randomUUID()

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
  const code = path === '/' ? url.searchParams.get('refcode') : decodeURIComponent(/^\/refcode\/([^/]*)\/?$/i.exec(path)?.[1] ?? '')
  return code && /^[A-Za-z0-9]{10}$/.test(code) ? code : null
}

import { randomUUID } from 'node:crypto'
import { endedCookies } from '#src/accounts/sign-in/session-cookies.server.ts'
import { isBot, isPhone } from './content/page-views.server.ts'
import { FOR_COPY } from '#src/content/offline/names.ts'
import { proseSlugOf } from '#src/content/prose/prose.ts'
import { serializeCookie } from '#src/kit/http/cookies.server.ts'
import { ensureOwnOrigin } from '#src/kit/http/csrf.server.ts'
import { ContactBoard } from '#src/kit/messages/contact-board.server.ts'
import type { Ctx } from './kit/context.ts'
import type { Gate } from '#src/kit/http/gate.server.ts'
import { fromBytes, htmlOf, toBytes } from '#src/router-seams/rendered-html.server.ts'
import { isDataPath, pagePathOf, ROUTES_QUERY } from '#src/router-seams/data-url.ts'
import { acceptedEncoding } from '#src/kit/http/http.server.ts'
import { sendCached, type SharedAnswers } from '#src/kit/http/shared-answers.server.ts'
import { bare, localeOfPath, localized, type Locale } from '#src/kit/text/locale.ts'
import { encode, CachedPage, PageCache, pageChangesOf, type RenderedPage } from '#src/kit/http/page-cache.server.ts'
import type { ContactSetting } from './kit/settings.ts'
import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { isDecodable } from '#src/kit/http/paths.ts'
import { Problem } from './kit/problem.ts'
import { contentSecurityPolicy, withoutNonce } from '#src/kit/http/security-headers.server.ts'
import type { Market } from './market.server.ts'
import { m } from './paraglide/messages.js'
import { pageTable } from './page-table.ts'
import { policy } from './policy.ts'
import { localeOf, type AppContext } from './request.server.ts'

/** Renders a page: React Router's handler in the built site, a stand-in in API tests. */
export type PageHandler = (request: Request, page: PageRequest) => Promise<Response>

interface PageRequest {
  ctx: Ctx
  /** Marks the page's own inline scripts. */
  nonce: string
  /** Whose page it is; null for a page that will be cached for everybody, which therefore may read nobody's cookies. */
  visitor: AppContext | null
  /** The contact details of Sandhai, as of this request. */
  contact: ContactSetting
}

/** The cached pages of the table (kit/http/page-cache.server.ts). An id of other than digits is a 404, which nobody needs to keep. */
const shared = pageTable.flatMap(({ path, cachedBy }) =>
  cachedBy && path !== ':page'
    ? [{ page: new RegExp(`^/${path.replace(/:\w+Id/g, '\\d{1,15}').replace(/:\w+/g, '[a-z-]{1,60}')}$`), query: cachedBy }]
    : [],
)
const textQuery = pageTable.find(({ path }) => path === ':page')!.cachedBy!

/** The calls whose line in policy.ts says so; Hono sees `key={value}` as one segment, too. */
const sharedCalls = Object.entries(policy).flatMap(([operation, { isShared }]) =>
  isShared ? [new RegExp(`^/api/v1${operation.replace('GET ', '').replace(/[^/]*\{[^/]*/g, '[^/]+')}$`)] : [],
)
const isSharedCall = (path: string) => sharedCalls.some((call) => call.test(path))

/** Whether a request may be answered from the page cache. Personal pages, other calls and writes pass the gate (app.server.ts). */
export function isForEverybody(c: AppContext): boolean {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (!isRead || c.req.header('cookie')?.includes('sid=')) return false
  return c.req.path.startsWith('/api/') ? isSharedCall(c.req.path) : isShared(pagePathOf(c.req.path))
}

const isShared = (path: string) => queryOfShared(path) !== null

/** What a shared page reads of its query; null for a page that is not shared. */
function queryOfShared(path: string): readonly string[] | null {
  const plain = canonical(path)
  const found = shared.find(({ page }) => page.test(plain))
  return found?.query ?? (proseSlugOf(plain.slice(1)) !== null ? textQuery : null)
}

/**
 * The address without what its page does not read, the rest in one order: whatever else somebody adds to a link, a campaign's mark or a
 * number to defeat the cache, it is the same page.
 */
function withKnownQuery(url: URL): URL {
  const known = queryOfShared(pagePathOf(url.pathname)) ?? []
  const plain = new URL(url)
  for (const name of new Set(url.searchParams.keys())) {
    if (!known.includes(name) && name !== ROUTES_QUERY) plain.searchParams.delete(name)
  }
  plain.searchParams.sort()
  return plain
}

/**
 * A page that is rendered fresh for an anonymous visitor (a login, a 404, or the first of its kind) may show a phone number of ours that
 * was changed within this time.
 */
const HEARD_MS = 1000

const A_YEAR_SECONDS = 31_536_000
const MONTH_SECONDS = 30 * 86_400

/** Answers for every address that is no file and no call. */
export class Pages {
  readonly #market: Market
  readonly #handler: PageHandler
  readonly #gate: Gate
  readonly #patternOf: (path: string) => string | null
  readonly #contacts: ContactBoard
  readonly #cache: PageCache
  readonly #isHttps: boolean
  readonly #isMeasured: boolean
  readonly #unavailable: Partial<Record<Locale, { contact: ContactSetting; page: Promise<CachedPage> }>> = {}

  constructor(market: Market, handler: PageHandler, gate: Gate, patternOf: (path: string) => string | null) {
    this.#market = market
    this.#handler = handler
    this.#gate = gate
    this.#patternOf = patternOf
    this.#contacts = new ContactBoard(market.database.watch)
    const readChanges = pageChangesOf(market.database.watch)
    this.#cache = new PageCache(async (since) => {
      const changes = await readChanges(since)
      this.#contacts.hear(changes.contact)
      return changes
    })
    this.#isHttps = market.env.publicOrigin.startsWith('https:')
    this.#isMeasured = market.env.analyticsId !== null
  }

  /** What calls that answer everybody alike are sent from, too. */
  get answers(): SharedAnswers {
    return { cache: this.#cache, gate: this.#gate }
  }

  /** The present epoch of what pages show (kit/http/page-cache.server.ts, `look`). */
  lookForChanges(): Promise<number | null> {
    return this.#cache.look()
  }

  async send(c: AppContext): Promise<Response> {
    const { method } = c.req
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw new Problem('METHOD_NOT_ALLOWED')
    const url = new URL(c.req.url)
    if (!isDecodable(url.pathname)) throw new Problem('MALFORMED')
    await this.#market.limits.take('read', { userId: c.var.ctx.viewer?.id ?? null, address: c.var.address })
    if (method === 'POST') ensureOwnOrigin(c.req.raw, this.#market.env.publicOrigin)
    const path = pagePathOf(url.pathname)
    const isDocument = method !== 'POST' && path === url.pathname
    const elsewhere = isDocument && redirection(c, url)
    if (elsewhere) return elsewhere
    // A visitor whose session has ended gets one personal page that says so.
    const hasEnded = c.var.hasSessionEnded && isDocument
    const isAnonymous = c.var.ctx.viewer === null && !hasEnded
    const code = isDocument ? referralCode(url) : null
    const isEverybodys = method !== 'POST' && isAnonymous && code === null && isShared(path)
    const response = isEverybodys ? await this.#sendShared(c, withKnownQuery(url)) : await this.#sendOwn(c)
    const isSeen = isDocument ? !c.req.header(FOR_COPY) : this.#isStepTo(c, path)
    if (method === 'GET' && isSeen) this.#noteView(c, response, path)
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

  /**
   * A tap within the site asks for the next page's data while the address is still the last page's. More of the same list, and a look
   * after an act, come from the page itself.
   */
  #isStepTo(c: AppContext, path: string): boolean {
    const from = c.req.header('referer') ?? ''
    return (
      URL.canParse(from) && new URL(from).origin === this.#market.env.publicOrigin && canonical(new URL(from).pathname) !== canonical(path)
    )
  }

  /** Counts a page as a person sees it, cached or rendered, and also when their browser still has it: no failures, no files. */
  #noteView(c: AppContext, { status, headers }: Response, path: string): void {
    const isSeen = status === 304 || (status === 200 && /^text\/(html|x-script)/.test(headers.get('content-type') ?? ''))
    if (!isSeen || isBot(c.var.userAgent)) return
    const route = this.#patternOf(canonical(path))
    const isOnPhone = isPhone({ hint: c.req.header('sec-ch-ua-mobile'), userAgent: c.var.userAgent })
    if (route) this.#market.views.count(route, localeOfPath(path), c.var.ctx.now, isOnPhone)
  }

  async #sendOwn(c: AppContext): Promise<Response> {
    const nonce = newNonce()
    const { ctx } = c.var
    const contact = await this.#contactFor(c)
    const response = await inLocale(ctx.locale, () => this.#handler(c.req.raw, { ctx, nonce, visitor: c, contact }))
    const headers = new Headers(response.headers)
    headers.set('Content-Security-Policy', contentSecurityPolicy({ nonce }, this.#isHttps, this.#isMeasured))
    if (!headers.get('Cache-Control')?.includes('no-store')) headers.set('Cache-Control', ctx.viewer ? 'no-store' : 'private, no-cache')
    headers.set('Content-Language', ctx.locale)
    headers.append('Vary', 'Cookie')
    const own = htmlOf(response)
    return new Response(c.req.method === 'HEAD' ? null : own === null ? response.body : fromBytes(own), {
      status: response.status,
      headers,
    })
  }

  /** Read together with the session; without one it is asked for at most once in a while, shared by all requests of that moment. */
  async #contactFor(c: AppContext): Promise<ContactSetting> {
    const id = c.var.figures?.contactId
    if (id !== undefined) return this.#contacts.atLeast(id)
    if (c.var.ctx.viewer === null && this.#contacts.ageMs > HEARD_MS) await this.#cache.look()
    return this.#contacts.current
  }

  async #sendShared(c: AppContext, url: URL): Promise<Response> {
    const key = url.pathname + url.search
    const epoch = (this.#contacts.ageMs < HEARD_MS ? this.#cache.epochOfUnknown(key) : null) ?? (await this.#cache.look())
    if (epoch === null) {
      // A data request can carry no note: it fails, and trying again loads the document.
      const isData = isDataPath(url.pathname)
      if (isData) return sendRendered(c, await this.#atGate(c, () => this.#render(c.var.ctx, url, silent)))
      const old = this.#cache.findOld(key)
      return old ? sendCached(c, old.marked(markOld(c.var.ctx.locale)), 'hit; detail=old') : this.sendUnavailable(c, RETRY_SECONDS)
    }
    const cached = this.#cache.find(key, epoch)
    if (cached) return sendCached(c, cached, 'hit')
    const isDocument = !isDataPath(url.pathname)
    const old = () => (isDocument ? this.#cache.findOld(key) : undefined)
    const sendOld = (page: CachedPage) => sendCached(c, page.marked(markOld(c.var.ctx.locale)), 'hit; detail=old')
    let rendered: RenderedPage
    try {
      rendered = await this.#cache.render(key, epoch, () => this.#atGate(c, () => this.#render(c.var.ctx, url, c.var.ctx.db)))
    } catch (error) {
      // Serve the stale cached page when the gate is full: it is better than none.
      const page = error instanceof Problem && error.code === 'UNAVAILABLE' && old()
      if (!page) throw error
      return sendOld(page)
    }
    if (rendered.isCacheable) return sendCached(c, this.#cache.find(key, epoch) ?? new CachedPage(rendered, epoch), 'fwd=miss')
    const page = rendered.status === 503 && old()
    return page ? sendOld(page) : sendRendered(c, rendered)
  }

  /** A request with a session cookie has passed the gate already, even if the session was invalid. */
  #atGate<T>(c: AppContext, work: () => Promise<T>): Promise<T> {
    return c.var.isInside ? work() : this.#gate.run(c.var.address, work)
  }

  async sendUnavailable(c: AppContext, retryAfterSeconds: number): Promise<Response> {
    const locale = localeOf(c)
    const contact = this.#contacts.current
    const known = this.#unavailable[locale]
    const isSame = known !== undefined && JSON.stringify(known.contact) === JSON.stringify(contact)
    const rendering = isSame ? known : (this.#unavailable[locale] = { contact, page: this.#renderUnavailable(c, locale) })
    // A failed rendering is not cached: the next request tries again.
    rendering.page.catch(() => delete this.#unavailable[locale])
    const page = await rendering.page
    const encoding = acceptedEncoding(c.req.header('accept-encoding'))
    const headers = { ...page.headers, 'retry-after': String(retryAfterSeconds), ...(encoding && { 'content-encoding': encoding }) }
    const bytes = await page.encoded(encoding)
    return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { status: 503, headers })
  }

  /**
   * The page while the database is away: the frame, and a sentence that says so. It has no scripts, which would load the data of
   * the page at that address; its links are relative to the address at which it is shown.
   */
  async #renderUnavailable({ var: { requestId } }: AppContext, locale: Locale): Promise<CachedPage> {
    const path = localized('/buy/0?again=1', locale)
    const ctx: Ctx = {
      db: silent,
      viewer: null,
      locale,
      now: new Date(),
      requestId,
      log: this.#market.log,
      browserId: null,
      publicOrigin: this.#market.env.publicOrigin,
      sessionId: null,
      vault: this.#market.vault,
    }
    const { body, headers } = await this.#render(ctx, new URL(path, this.#market.env.publicOrigin), silent)
    const light = body
      .toString()
      .replace(/<script\b[^>]*>[\s\S]*?<\/script>|<link rel="(?:canonical|alternate)"[^>]*>/g, '')
      .replace(/href="(?:\/en)?\/buy\/0\?again=1&amp;/g, 'href="?')
      .replaceAll(`href="${path}"`, 'href=""')
      .replaceAll(requestId, '')
    const policy = contentSecurityPolicy({ hashes: [] }, this.#isHttps)
    return new CachedPage(
      { headers: { ...headers, 'cache-control': 'no-store', 'content-security-policy': policy }, body: Buffer.from(light) },
      0,
    )
  }

  /** Renders for an anonymous visitor: uses only the address of the request, and the configured origin. */
  async #render(asked: Ctx, url: URL, db: Ctx['db']): Promise<RenderedPage> {
    const nonce = newNonce()
    const ctx: Ctx = { ...asked, db, viewer: null, browserId: null }
    const request = new Request(this.#market.env.publicOrigin + url.pathname + url.search)
    const response = await inLocale(ctx.locale, () =>
      this.#handler(request, { ctx, nonce, visitor: null, contact: this.#contacts.current }),
    )
    const { html, hashes } = withoutNonce(htmlOf(response) ?? toBytes(Buffer.from(await response.arrayBuffer())), nonce)
    const isCacheable = response.status === 200
    return {
      status: response.status,
      isCacheable,
      requestId: ctx.requestId,
      // The number of one request stands in an error page only, where a person may need it.
      body: fromBytes(isCacheable ? html.replace(` data-request-id="${ctx.requestId}"`, '') : html),
      headers: {
        ...Object.fromEntries(response.headers),
        'cache-control': 'private, no-cache',
        'content-language': ctx.locale,
        'content-security-policy': contentSecurityPolicy({ hashes }, this.#isHttps, this.#isMeasured),
        vary: 'Cookie, Accept-Encoding',
      },
    }
  }
}

async function sendRendered(c: AppContext, page: RenderedPage): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  const headers = { ...page.headers, ...(encoding && { 'content-encoding': encoding }) }
  // Several requests may have waited for the same rendering; each gets its own request id.
  const bytes = await encode(fromBytes(toBytes(page.body).replaceAll(page.requestId, c.var.requestId)), encoding)
  return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { status: page.status, headers })
}

/** Into the place that root.tsx leaves for it. What a browser asks for by script (.data) has no such place and stays as it is. */
const markOld = (locale: Locale) => (html: string) =>
  html.replace('<div id="old-note"></div>', `<div id="old-note" role="status">${m.frame_old({}, { locale })}</div>`)

const RETRY_SECONDS = 2

/** While the database is away. */
const silent = new Proxy({} as Ctx['db'], {
  get() {
    throw new Problem('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS })
  },
})

/** 122 random bits from a pool that Node refills: asking the system for each page takes longer. */
const newNonce = () => randomUUID()

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

/** `/?refcode=CODE` or `/refcode/CODE`, and only what can be a code: remembered until the visitor registers. */
function referralCode(url: URL): string | null {
  const path = bare(url.pathname)
  const code = path === '/' ? url.searchParams.get('refcode') : decodeURIComponent(/^\/refcode\/([^/]*)\/?$/i.exec(path)?.[1] ?? '')
  return code && /^[A-Za-z0-9]{10}$/.test(code) ? code : null
}

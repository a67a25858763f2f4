import { randomUUID } from 'node:crypto'
import { endReportedCookie } from '#src/accounts/sign-in/session-cookies.server.ts'
import { isBot, isPhone } from '#src/content/page-views.server.ts'
import { FOR_COPY } from '#src/content/offline/names.ts'
import { proseSlugOf, SHEET_NUMBER } from '#src/content/prose/prose.ts'
import { serializeCookie } from '#src/kit/http/cookies.server.ts'
import { ensureOwnOrigin } from '#src/kit/http/csrf.server.ts'
import { ContactBoard } from '#src/kit/messages/contact-board.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Gate } from '#src/kit/http/gate.server.ts'
import { fromBytes, htmlOf, toBytes } from '#src/router-seams/rendered-html.server.ts'
import { isDataPath, pagePathOf, ROUTES_QUERY } from '#src/router-seams/data-url.ts'
import { acceptedEncoding } from '#src/kit/http/http.server.ts'
import { sendCached, type SharedAnswers } from '#src/kit/http/shared-answers.server.ts'
import { bare, localeOfPath, localized, type Locale } from '#src/kit/text/locale.ts'
import { encode, CachedPage, PageCache, pageChangesOf, type RenderedPage } from '#src/kit/http/page-cache.server.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { COUNTS } from '#src/kit/http/shown-names.ts'
import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { isDecodable } from '#src/kit/http/paths.ts'
import { Problem } from '#src/kit/problem.ts'
import { contentSecurityPolicy, withoutNonce } from '#src/kit/http/security-headers.server.ts'
import { tally } from '#src/kit/tally.server.ts'
import { tabs } from '#src/listings/rules.ts'
import type { Market } from '#src/market/market.server.ts'
import { m } from '#src/paraglide/messages.js'
import { pageTable } from '#src/page-table.ts'
import { policy } from '#src/policy.ts'
import { localeOf, type AppContext } from './request.server.ts'

/** Renders a page: React Router's handler in the built site, a stand-in in API tests. */
export type PageHandler = (request: Request, page: PageRequest) => Promise<Response>

interface PageRequest {
  ctx: Ctx
  /** For the page's own inline scripts. */
  nonce: string
  /** The visitor of a personal page; null for a page that will be cached for everybody and therefore may read no cookies. */
  visitor: AppContext | null
  contact: ContactSetting
}

/** The cached pages of the table (kit/http/page-cache.server.ts). Only ids of digits: any other id is a 404, which is not worth caching. */
const shared = pageTable.flatMap(({ path, cachedBy }) =>
  cachedBy && path !== ':page'
    ? [{ page: new RegExp(`^/${path.replace(/:\w+Id/g, '\\d{1,15}').replace(/:\w+/g, '[a-z-]{1,60}')}$`), query: cachedBy }]
    : [],
)
const textQuery = pageTable.find(({ path }) => path === ':page')!.cachedBy!

/** Calls that policy.ts marks as shared. Hono treats `key={value}` as one segment, so this does, too. */
const sharedCalls = Object.entries(policy).flatMap(([operation, { isShared }]) =>
  isShared ? [new RegExp(`^/api/v1${operation.replace('GET ', '').replace(/[^/]*\{[^/]*/g, '[^/]+')}$`)] : [],
)
const isSharedCall = (path: string) => sharedCalls.some((call) => call.test(path))

/** Whether the page cache may answer a request. Personal pages, other calls and writes pass the gate (app.server.ts). */
export function isForEverybody(c: AppContext): boolean {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (!isRead || c.req.header('cookie')?.includes('sid=')) return false
  return c.req.path.startsWith('/api/') ? isSharedCall(c.req.path) : isShared(pagePathOf(c.req.path))
}

const isShared = (path: string) => queryOfShared(path) !== null

/** The query parameters that a shared page reads; null for a page that is not shared. */
function queryOfShared(path: string): readonly string[] | null {
  const plain = canonical(path)
  const found = shared.find(({ page }) => page.test(plain))
  return found?.query ?? (proseSlugOf(plain.slice(1)) !== null ? textQuery : null)
}

/** Values of a parameter that the page distinguishes; any other counts as missing. */
const knownValues: Record<string, RegExp> = { tab: new RegExp(`^(${tabs.join('|')})$`), page: SHEET_NUMBER }

/**
 * The address with only the parameters that its page reads, in a fixed order. A campaign's mark, a number against caches or another
 * spelling of the path lead to the same cached page.
 */
function withKnownQuery(url: URL): URL {
  const known = queryOfShared(pagePathOf(url.pathname)) ?? []
  const plain = new URL(url)
  plain.pathname = url.pathname.toLowerCase().replace(/(.)\/$/, '$1')
  for (const [name, value] of url.searchParams) {
    const isRead = known.includes(name) && (knownValues[name]?.test(value) ?? true)
    if (!isRead && name !== ROUTES_QUERY) plain.searchParams.delete(name)
  }
  plain.searchParams.sort()
  return plain
}

/** A fresh page for an anonymous visitor (a login, a 404, or the first rendering) may show contact data that was changed within this time. */
const HEARD_MS = 1000

const A_YEAR_SECONDS = 31_536_000
const MONTH_SECONDS = 30 * 86_400

/** Answers every address that is no file and no call. */
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
    this.#cache = new PageCache(
      async (since) => {
        const changes = await readChanges(since)
        this.#contacts.hear(changes.contact)
        return changes
      },
      { readsStandbys: market.database.standby !== null },
    )
    this.#isHttps = market.env.publicOrigin.startsWith('https:')
    this.#isMeasured = market.env.analyticsId !== null
  }

  /** The API answers calls that are the same for everybody from it. */
  get answers(): SharedAnswers {
    return { cache: this.#cache, gate: this.#gate, standby: this.#market.database.standby }
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
    // A visitor with an expired session gets one personal page that says so.
    const hasEnded = c.var.hasSessionEnded && isDocument
    const isAnonymous = c.var.ctx.viewer === null && !hasEnded
    const code = isDocument ? referralCode(url) : null
    const isEverybodys = method !== 'POST' && isAnonymous && code === null && isShared(path)
    const response = isEverybodys ? await this.#sendShared(c, withKnownQuery(url)) : await this.#sendOwn(c)
    const isSeen = isDocument ? !c.req.header(FOR_COPY) : this.#isStepTo(c, path)
    if (method === 'GET' && isSeen) this.#noteView(c, response, path)
    if (hasEnded) {
      const { cookies, cookieNames } = c.var
      response.headers.append('Set-Cookie', endReportedCookie(cookieNames, cookies[cookieNames.session]!))
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
   * Whether a data request is a navigation: it comes from another page of the site. Requests for more of the same list, and revalidation
   * after an act, come from the page itself.
   */
  #isStepTo(c: AppContext, path: string): boolean {
    const from = c.req.header('referer') ?? ''
    return (
      URL.canParse(from) && new URL(from).origin === this.#market.env.publicOrigin && canonical(new URL(from).pathname) !== canonical(path)
    )
  }

  /** Counts a page that a person sees, cached or rendered, including 304; no failures, no files. */
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

  /** Read together with the session; without one, read at most once per HEARD_MS for all concurrent requests. */
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
      // A data request cannot show the note, so it fails, and a retry loads the document.
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
      rendered = await this.#cache.render(key, epoch, () => this.#atGate(c, () => this.#renderShared(c.var.ctx, url)))
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

  /**
   * Renders from a standby that has replayed everything up to the last check, else from the leader. A page from a standby that fails midway
   * is not sent.
   */
  async #renderShared(ctx: Ctx, url: URL): Promise<RenderedPage> {
    const read = await this.#market.database.standby?.read(this.#cache.position, (db) => this.#render(ctx, url, db))
    if (read && read.value.status < 500) return read.value
    if (read) tally('sandhai_standby_reads_total', { outcome: 'failed' })
    return this.#render(ctx, url, ctx.db)
  }

  /** A request with a session cookie has already passed the gate, even if the session was invalid. */
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
   * The page while the database is away: the frame with a sentence that says so. It has no scripts, which would load the data of the page
   * at that address; its links are relative to the address at which it is shown.
   */
  async #renderUnavailable({ var: { requestId } }: AppContext, locale: Locale): Promise<CachedPage> {
    const path = localized('/buy/0?again=1', locale)
    const ctx: Ctx = {
      db: silent,
      viewer: null,
      locale,
      now: this.#market.clock.now(),
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
      {
        headers: { ...headers, 'cache-control': 'no-store', 'content-security-policy': policy },
        body: Buffer.from(light),
        shows: new Set(),
      },
      0,
    )
  }

  /** Renders for an anonymous visitor: uses only the address of the request, and the configured origin. */
  async #render(asked: Ctx, url: URL, db: Ctx['db']): Promise<RenderedPage> {
    const nonce = newNonce()
    const shows = new Set([COUNTS])
    const ctx: Ctx = { ...asked, db, viewer: null, browserId: null, shows }
    const request = new Request(this.#market.env.publicOrigin + url.pathname + url.search)
    const response = await inLocale(ctx.locale, () =>
      this.#handler(request, { ctx, nonce, visitor: null, contact: this.#contacts.current }),
    )
    const { html, hashes } = withoutNonce(htmlOf(response) ?? toBytes(Buffer.from(await response.arrayBuffer())), nonce)
    const isCacheable = response.status === 200
    return {
      status: response.status,
      isCacheable,
      shows,
      requestId: ctx.requestId,
      // Only an error page keeps the request id, because a person may need to report it.
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
  // Several requests may wait for the same rendering; each gets its own request id.
  const bytes = await encode(fromBytes(toBytes(page.body).replaceAll(page.requestId, c.var.requestId)), encoding)
  return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { status: page.status, headers })
}

/** Fills the place that root.tsx reserves for the note. Data requests (.data) have no such place and stay unchanged. */
const markOld = (locale: Locale) => (html: string) =>
  html.replace('<div id="old-note"></div>', `<div id="old-note" role="status">${m.frame_old({}, { locale })}</div>`)

const RETRY_SECONDS = 2

/** Stands in for the database while it is away. */
const silent = new Proxy({} as Ctx['db'], {
  get() {
    throw new Problem('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS })
  },
})

/** 122 random bits from a pool that Node refills; asking the system for each page takes longer. */
const newNonce = () => randomUUID()

const canonical = (pathname: string) =>
  bare(pathname)
    .toLowerCase()
    .replace(/(?!^)\/$/, '')

function redirection(c: AppContext, url: URL): Response | null {
  // The language switch: stores the choice, then redirects to the page's clean address.
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
  // A reader who chose English and opens a Tamil link is redirected to the English page. The reverse needs no rule: the switch handles it.
  if (localeOfPath(url.pathname) === 'ta' && c.var.cookies.lang === 'en') {
    return c.body(null, 302, { Location: localized(url.pathname + url.search, 'en'), 'Cache-Control': 'no-store', Vary: 'Cookie' })
  }
  return null
}

/** The code in `/?refcode=CODE` or `/refcode/CODE` if it is well-formed; a cookie stores it until the visitor registers. */
function referralCode(url: URL): string | null {
  const path = bare(url.pathname)
  const code = path === '/' ? url.searchParams.get('refcode') : decodeURIComponent(/^\/refcode\/([^/]*)\/?$/i.exec(path)?.[1] ?? '')
  return code && /^[A-Za-z0-9]{10}$/.test(code) ? code : null
}

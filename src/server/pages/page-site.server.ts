import { randomUUID } from 'node:crypto'
import type { FrameViewer } from '#src/content/site-frame/frame-viewer.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Gate } from '#src/kit/http/gate.server.ts'
import { PageCache, pageChangesOf, encode, type RenderedPage } from '#src/kit/http/page-cache.server.ts'
import { acceptedEncoding } from '#src/kit/http/http.server.ts'
import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { contentSecurityPolicy, withoutNonce } from '#src/kit/http/security-headers.server.ts'
import { COUNTS } from '#src/kit/http/shown-names.ts'
import { ContactBoard } from '#src/kit/messages/contact-board.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import type { Market } from '#src/market/market.server.ts'
import { fromBytes, htmlOf, toBytes } from '#src/router-seams/rendered-html.server.ts'
import type { AppContext } from '../request.server.ts'

/** Renders a page: React Router's handler in the built site, a stand-in in API tests. */
export type PageHandler = (request: Request, page: PageRequest) => Promise<Response>

interface PageRequest {
  ctx: Ctx
  /** For the page's own inline scripts. */
  nonce: string
  /**
   * The visitor of a personal page; null for a page that will be cached for everybody and therefore may read no
   * cookies.
   */
  visitor: AppContext | null
  /** The person for whom the head is rendered. */
  viewer: FrameViewer | null
  contact: ContactSetting
}

/** The parts that all ways to answer with a page share. */
export interface PageSite {
  market: Market
  handler: PageHandler
  gate: Gate
  contacts: ContactBoard
  cache: PageCache
}

export function openPageSite(market: Market, handler: PageHandler, gate: Gate): PageSite {
  const contacts = new ContactBoard(market.database.watch)
  const readChanges = pageChangesOf(market.database.watch)
  const cache = new PageCache(async (since) => {
    const changes = await readChanges(since)
    contacts.hear(changes.contact)
    return changes
  })
  return { market, handler, gate, contacts, cache }
}

/** 122 random bits from a pool that Node refills; asking the system for each page takes longer. */
export const newNonce = () => randomUUID()

export const policyOf = ({ env }: Market, scripts: Parameters<typeof contentSecurityPolicy>[0]) =>
  contentSecurityPolicy(scripts, env.publicOrigin.startsWith('https:'), env.analyticsId !== null)

interface Frame {
  nonce: string
  viewer: FrameViewer | null
  db?: Ctx['db']
}

/** Renders what everybody sees, in the frame of `viewer`: uses only the address of the request, and the configured origin. */
export async function renderAlike(site: PageSite, asked: Ctx, url: URL, { nonce, viewer, db = asked.db }: Frame) {
  const { market, handler, contacts } = site
  const shows = new Set([COUNTS])
  const ctx: Ctx = { ...asked, db, viewer: null, browserId: null, shows }
  const request = new Request(market.env.publicOrigin + url.pathname + url.search)
  const response = await inLocale(ctx.locale, () => handler(request, { ctx, nonce, visitor: null, viewer, contact: contacts.current }))
  const html = htmlOf(response) ?? toBytes(Buffer.from(await response.arrayBuffer()))
  const isCacheable = response.status === 200
  return {
    status: response.status,
    isCacheable,
    shows,
    requestId: ctx.requestId,
    headers: { ...Object.fromEntries(response.headers), 'content-language': ctx.locale },
    // Only an error page keeps the request id, because a person may need to report it.
    html: isCacheable ? html.replace(` data-request-id="${ctx.requestId}"`, '') : html,
  }
}

/** Renders for all anonymous visitors. */
export async function renderForAll(site: PageSite, asked: Ctx, url: URL, db = asked.db): Promise<RenderedPage> {
  const nonce = newNonce()
  const { html: own, headers, ...page } = await renderAlike(site, asked, url, { nonce, viewer: null, db })
  const { html, hashes } = withoutNonce(own, nonce)
  return {
    ...page,
    body: fromBytes(html),
    headers: {
      ...headers,
      'cache-control': 'private, no-cache',
      'content-security-policy': policyOf(site.market, { hashes }),
      vary: 'Cookie, Accept-Encoding',
    },
  }
}

/** Sends a page that is not cached. */
export async function sendRendered(c: AppContext, page: RenderedPage): Promise<Response> {
  // Several requests may wait for the same rendering; each gets its own request id.
  const body = fromBytes(toBytes(page.body).replaceAll(page.requestId, c.var.requestId))
  return sendEncoded(c, page.status, page.headers, (encoding) => encode(body, encoding))
}

export async function sendEncoded(
  c: AppContext,
  status: number,
  headers: Record<string, string>,
  encoded: (encoding: ReturnType<typeof acceptedEncoding>) => Promise<Uint8Array>,
): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  const bytes = await encoded(encoding)
  return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), {
    status,
    headers: { ...headers, ...(encoding && { 'content-encoding': encoding }) },
  })
}

export const RETRY_SECONDS = 2

/** Stands in for the database while it is away. */
export const absentDatabase = new Proxy({} as Ctx['db'], {
  get() {
    throw new Problem('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS })
  },
})

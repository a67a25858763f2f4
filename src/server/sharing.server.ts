import { hash } from 'node:crypto'
import type { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { closedPaths, listedPaths } from '#src/page-table.ts'
import { findListingPart, findSitemapParts, listedCategories, pagesSitemap, robotsText, sitemapIndex } from '#src/content/sitemap.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Gate } from '#src/kit/http/gate.server.ts'
import { isKnown } from '#src/kit/http/http.server.ts'
import { findShareFacts, findWithdrawn, parseShareName, shareName } from '#src/storefront/sharing/share-facts.server.ts'
import { parseBoardName, readBoard } from '#src/storefront/sharing/board-facts.server.ts'
import type { Board } from '#src/storefront/sharing/share-path.ts'
import { SharePictures, type SharePicture } from '#src/storefront/sharing/share-pictures.server.ts'
import { logMissingFonts } from '#src/kit/paper/fonts.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { Market } from '#src/market/market.server.ts'
import type { AppContext, AppEnv } from './request.server.ts'

/** It shows the animal's photo: no cache may show it for longer than this after a take-down. */
const A_DAY = 'public, max-age=86400'
/** Search engines visit once a day; the page of an animal that was sold within the hour says so. */
const AN_HOUR = 'public, max-age=3600'
/** A section of the sitemap is 4 MB of text: a repeated request soon after gets the cached one. */
const SITEMAP_FRESH_MS = 10 * 60_000
const CACHED_SITEMAPS = 6

/** Addresses for machines only: pictures for link previews, the sitemap, robots.txt. */
export function addSharing(app: Hono<AppEnv>, market: Market, gate: Gate): void {
  const pictures = new SharePictures(market.media, market.latenessMs)
  const origin = market.env.publicOrigin
  const sitemaps = new SitemapCache()

  app.get('/share/:name', async (c) => {
    await takeRead(c)
    const name = c.req.param('name')
    const board = parseBoardName(name)
    if (board) return sendBoard(c, board)
    const asked = parseShareName(name)
    if (!asked) return missing(c, 404)
    const ctx = forEverybody(c, asked.locale)
    const { facts, isWithdrawn } = await gate.run(c.var.address, async () => {
      const facts = await findShareFacts(ctx, asked.id)
      return { facts, isWithdrawn: facts === null && (await findWithdrawn(ctx, asked.id)) !== null }
    })
    if (!facts) return missing(c, isWithdrawn ? 410 : 404)
    const present = shareName(facts, asked.shape)
    if (present !== name) return c.body(null, 302, { Location: `/share/${present}`, 'Cache-Control': 'no-store' })
    logMissingFonts(ctx.log, facts.name)
    const picture = await pictures.get(facts, asked.shape)
    if (asked.shape === 'status') c.header('Content-Disposition', `attachment; filename="sandhai-${facts.id}.jpg"`)
    return sendPicture(c, picture, A_DAY)
  })

  async function sendBoard(c: AppContext, board: Board): Promise<Response> {
    const facts = await gate.run(c.var.address, () => readBoard(forEverybody(c, board.locale), board))
    return sendPicture(c, await pictures.getBoard(facts), AN_HOUR)
  }

  app.get('/robots.txt', (c) => c.text(robotsText(origin, closedPaths), 200, { 'Cache-Control': AN_HOUR }))
  app.get('/sitemap.xml', (c) => sendXml(c, 'index', async (ctx) => sitemapIndex(origin, await findSitemapParts(ctx))))
  app.get('/sitemaps/pages.xml', (c) => sendXml(c, 'pages', async (ctx) => pagesSitemap(origin, listedPaths, await listedCategories(ctx))))
  app.get('/sitemaps/:file', async (c) => {
    const [, part] = /^listings-(0|[1-9]\d{0,8})\.xml$/.exec(c.req.param('file')) ?? []
    return part === undefined ? missing(c, 404) : sendXml(c, part, (ctx) => findListingPart(ctx, Number(part)))
  })

  async function sendXml(c: AppContext, key: string, write: (ctx: Ctx) => Promise<string | null>): Promise<Response> {
    await takeRead(c)
    const { xml, etag } = await sitemaps.get(key, () => write({ ...c.var.ctx, viewer: null }))
    if (xml === null) return missing(c, 404)
    const headers = { ETag: etag, 'Cache-Control': AN_HOUR }
    if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
    return c.body(xml, 200, { ...headers, 'Content-Type': 'application/xml; charset=utf-8' })
  }

  const takeRead = (c: AppContext) => market.limits.take('read', { userId: c.var.ctx.viewer?.id ?? null, address: c.var.address })
}

/** Chat apps show a picture to everybody in the chat, so it contains only public data. */
const forEverybody = (c: AppContext, locale: Locale): Ctx => ({ ...c.var.ctx, viewer: null, locale })

function sendPicture(c: AppContext, { bytes, isWhole }: SharePicture, caching: string): Response {
  return c.body(bytes, 200, {
    'Content-Type': 'image/jpeg',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    // Web versions of chat apps show it on pages of their own.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    // A picture whose photo is missing for the moment must not be cached for a year.
    'Cache-Control': isWhole ? caching : 'no-store',
  })
}

/** A section of the sitemap; `xml` is null when there is no such section. */
interface Sitemap {
  xml: string | null
  etag: string
}

/** Writes a section once for all concurrent requests, and caches it for a while; does not cache a missing one. */
class SitemapCache {
  readonly #cached = new LRUCache<string, Sitemap>({ max: CACHED_SITEMAPS, ttl: SITEMAP_FRESH_MS })
  readonly #running = new Map<string, Promise<Sitemap>>()

  get(key: string, write: () => Promise<string | null>): Promise<Sitemap> | Sitemap {
    const cached = this.#cached.get(key)
    if (cached) return cached
    let running = this.#running.get(key)
    if (!running) {
      running = this.#write(key, write).finally(() => this.#running.delete(key))
      this.#running.set(key, running)
    }
    return running
  }

  async #write(key: string, write: () => Promise<string | null>): Promise<Sitemap> {
    const xml = await write()
    const sitemap = { xml, etag: `"${hash('sha256', xml ?? '', 'base64url').slice(0, 20)}"` }
    if (xml !== null) this.#cached.set(key, sitemap)
    return sitemap
  }
}

const missing = (c: AppContext, status: 404 | 410) => c.body('', status, { 'Cache-Control': 'no-store' })

import { hash } from 'node:crypto'
import type { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { closedPaths, listedPaths } from './page-table.ts'
import { findListingPart, findSitemapParts, listedCategories, pagesSitemap, robotsText, sitemapIndex } from './content/sitemap.server.ts'
import type { Ctx } from './kit/context.ts'
import type { Gate } from '#src/kit/http/gate.server.ts'
import { isKnown } from '#src/kit/http/http.server.ts'
import { findShareFacts, findWithdrawn, parseShareName, shareName } from '#src/storefront/sharing/share-facts.server.ts'
import { SharePictures } from '#src/storefront/sharing/share-pictures.server.ts'
import type { Market } from './market.server.ts'
import type { AppContext, AppEnv } from './request.server.ts'

/** It shows the animal's photo: after a take-down no cache shows it for longer than this. */
const A_DAY = 'public, max-age=86400'
/** Engines come by once a day; an animal sold within the hour says so on its page. */
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
    const asked = parseShareName(c.req.param('name'))
    if (!asked) return missing(c, 404)
    // Chat apps show it to everybody in the chat, so it contains only what everybody may see.
    const ctx: Ctx = { ...c.var.ctx, viewer: null, locale: asked.locale }
    // Looked up like a page, rendered in a separate queue: a widely shared link must not keep people from the market.
    const { facts, isWithdrawn } = await gate.run(c.var.address, async () => {
      const facts = await findShareFacts(ctx, asked.id)
      return { facts, isWithdrawn: facts === null && (await findWithdrawn(ctx, asked.id)) !== null }
    })
    if (!facts) return missing(c, isWithdrawn ? 410 : 404)
    const name = shareName(facts, asked.shape)
    if (name !== c.req.param('name')) return c.body(null, 302, { Location: `/share/${name}`, 'Cache-Control': 'no-store' })
    const { bytes, isWhole } = await pictures.get(facts, asked.shape)
    return c.body(bytes, 200, {
      'Content-Type': 'image/jpeg',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      // Web versions of chat apps show it on pages of their own.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      // With the photo missing for the moment, it must not stay like that for a year.
      'Cache-Control': isWhole ? A_DAY : 'no-store',
      ...(asked.shape === 'status' && { 'Content-Disposition': `attachment; filename="sandhai-${facts.id}.jpg"` }),
    })
  })

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

/** A section of the sitemap; `xml` is null where there is no such section. */
interface Sitemap {
  xml: string | null
  etag: string
}

/** Sections are written once for all who ask at the same time, and cached for a while; a missing one is not cached. */
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

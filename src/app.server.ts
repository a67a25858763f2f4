import { randomBytes, randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { serveStatic } from '@hono/node-server/serve-static'
import { join } from 'node:path'
import { createApi, problemResponse } from './api.server.ts'
import { serializeCookie } from './kit/cookies.server.ts'
import { ensureOwnOrigin } from './kit/csrf.server.ts'
import { isDatabaseAway } from './kit/database.server.ts'
import { inLocale } from './kit/page-locale.server.ts'
import { isDecodable } from './kit/paths.ts'
import { bare, localeOfPath, localized } from './kit/locale.ts'
import { PICTURE_EXTENSIONS, parseMediaName } from './kit/media-url.ts'
import { problemText } from './kit/problem-text.ts'
import { Problem } from './kit/problem.ts'
import { projectRoot } from './kit/project-root.server.ts'
import { contentSecurityPolicy, securityHeaders } from './kit/security-headers.server.ts'
import type { Market } from './market.server.ts'
import { withCtx, type AppContext, type AppEnv } from './request.server.ts'

/** Renders a page: React Router's handler in the built site, a stand-in in API tests. */
export type PageHandler = (request: Request, c: AppContext) => Promise<Response>

/** Forms and JSON. Picture uploads will have their own, wider door. */
const MAX_BODY_BYTES = 64 * 1024
const A_YEAR_SECONDS = 31_536_000
const A_YEAR = `public, max-age=${A_YEAR_SECONDS}, immutable`

/** The pipeline, top to bottom: what every request passes, in this order. */
export function createApp(market: Market, pages: PageHandler): Hono<AppEnv> {
  const isHttps = market.env.publicOrigin.startsWith('https:')
  const app = new Hono<AppEnv>({ getPath: readPath })

  app.use(async (c, next) => {
    const requestId = randomUUID()
    const nonce = randomBytes(16).toString('base64')
    const started = performance.now()
    c.set('market', market)
    c.set('requestId', requestId)
    c.set('nonce', nonce)
    await next()
    const headers = c.res.headers
    headers.set('X-Request-Id', requestId)
    for (const [name, value] of Object.entries(securityHeaders(isHttps))) if (!headers.has(name)) headers.set(name, value)
    if (!headers.has('Content-Security-Policy')) {
      headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, isHttps))
      headers.set('Reporting-Endpoints', 'csp="/api/v1/csp-report"')
    }
    // The pattern, not the URL: searches and phone numbers in paths are people's own business.
    market.log.debug(
      { requestId, method: c.req.method, route: c.req.routePath, status: c.res.status, ms: Math.round(performance.now() - started) },
      'request',
    )
  })

  app.get('/healthz', (c) => c.body('ok', 200, { 'Cache-Control': 'no-store' }))
  app.get('/readyz', async (c) => {
    const isReady = !market.isDraining && (await isAbleToWork(market))
    return c.body(isReady ? 'ready' : 'not ready', isReady ? 200 : 503, { 'Cache-Control': 'no-store' })
  })

  app.use(compress({ threshold: 1024 }))
  app.use('/assets/*', serveStatic({ root: clientRoot, precompressed: true, onFound: (_, c) => c.header('Cache-Control', A_YEAR) }))
  app.all('/assets/*', (c) => c.body('', 404, { 'Cache-Control': 'no-store' }))
  app.get('/media/:name', (c) => sendPicture(market, c, c.req.param('name')))
  app.use(serveStatic({ root: clientRoot, precompressed: true, onFound: (_, c) => c.header('Cache-Control', 'public, max-age=3600') }))

  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new Problem('TOO_LARGE')
      },
    }),
  )
  app.use(withCtx)
  app.route('/api', createApi())
  app.all('*', (c) => sendPage(c, pages))

  app.onError((error, c) => {
    if (!(error instanceof Problem)) market.log.error({ requestId: c.var.requestId, route: c.req.routePath, err: error }, 'request failed')
    const problem =
      error instanceof Problem ? error : new Problem(isDatabaseAway(error) ? 'UNAVAILABLE' : 'INTERNAL', { retryAfterSeconds: 2 })
    if (c.req.path.startsWith('/api/')) return problemResponse(c, problem)
    return plainErrorPage(c, problem)
  })
  return app
}

const clientRoot = join(projectRoot, 'build/client')

/**
 * The path as it was sent: what a router takes for a parameter is decoded there, once, so `=` and `&` inside a segment of
 * the wire may come plain or as %3D and %26. A slash at the end of an API path is forgiven.
 */
function readPath(request: Request): string {
  const { pathname } = new URL(request.url)
  return pathname.startsWith('/api/') ? pathname.replace(/\/$/, '') : pathname
}

/** Our own words for our own pictures: type and name come from the parsed name, never from what was uploaded. */
async function sendPicture(market: Market, c: AppContext, file: string): Promise<Response> {
  const name = parseMediaName(file)
  const bytes = name && (await market.media.read(name.key, name.width, name.format))
  if (!bytes) return c.body('', 404, { 'Cache-Control': 'no-store' })
  return c.body(new Uint8Array(bytes), 200, {
    'Content-Type': `image/${name.format}`,
    'Content-Disposition': `inline; filename="${name.key}.${PICTURE_EXTENSIONS[name.format]}"`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-site',
    'Cache-Control': A_YEAR,
  })
}

async function sendPage(c: AppContext, pages: PageHandler): Promise<Response> {
  const { method } = c.req
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw new Problem('METHOD_NOT_ALLOWED')
  const url = new URL(c.req.url)
  if (!isDecodable(url.pathname)) throw new Problem('MALFORMED')
  await c.var.market.limits.take('read', { userId: c.var.ctx.viewer?.id ?? null, address: c.var.address })
  const locale = localeOfPath(url.pathname)
  if (method === 'POST') ensureOwnOrigin(c.req.raw, c.var.market.env.publicOrigin)
  const isDocument = method !== 'POST' && !url.pathname.endsWith('.data')
  // The language switch: remember the choice, then show the page under its own clean address.
  const chosen = url.searchParams.get('lang')
  if (isDocument && (chosen === 'ta' || chosen === 'en')) {
    url.searchParams.delete('lang')
    const cookie = serializeCookie('lang', chosen, { secure: c.var.cookieNames.secure, maxAgeSeconds: A_YEAR_SECONDS })
    return c.body(null, 302, {
      Location: localized(bare(url.pathname) + url.search, chosen),
      'Set-Cookie': cookie,
      'Cache-Control': 'no-store',
    })
  }
  // Somebody who chose English once and opens a Tamil link is taken to its twin; the reverse needs no rule, the switch does it.
  if (isDocument && locale === 'ta' && c.var.cookies.lang === 'en') {
    return c.body(null, 302, { Location: localized(url.pathname + url.search, 'en'), 'Cache-Control': 'no-store', Vary: 'Cookie' })
  }
  const response = await inLocale(locale, () => pages(c.req.raw, c))
  const headers = new Headers(response.headers)
  headers.set('Cache-Control', c.var.ctx.viewer ? 'no-store' : 'private, no-cache')
  headers.set('Content-Language', locale)
  headers.append('Vary', 'Cookie')
  return new Response(response.body, { status: response.status, headers })
}

/** The last page of all, when even the site's own frame could not be drawn. Both languages, nothing to load. */
function plainErrorPage(c: AppContext, problem: Problem): Response {
  const home = localized('/', localeOfPath(c.req.path))
  return c.html(
    `<!doctype html><html lang="ta"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">` +
      `<title>${problem.status} · சந்தை Sandhai</title><body><h1>சந்தை · Sandhai</h1>` +
      `<p>${problemText(problem.code, 'ta')}</p><p lang="en">${problemText(problem.code, 'en')}</p>` +
      `<p><a href="${home}">சந்தை முகப்பு · Home</a></p><p><small>${c.var.requestId}</small></p>`,
    problem.status as 500,
    {
      'Cache-Control': 'no-store',
      ...(problem.code === 'METHOD_NOT_ALLOWED' && { Allow: 'GET, HEAD, POST' }),
      ...(problem.retryAfterSeconds && { 'Retry-After': String(problem.retryAfterSeconds) }),
    },
  )
}

const MIN_FREE_BYTES = 200 * 1024 * 1024

async function isAbleToWork(market: Market): Promise<boolean> {
  try {
    await market.database.ping()
    return (await market.media.freeBytes()) > MIN_FREE_BYTES
  } catch {
    return false
  }
}

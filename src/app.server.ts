import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { serveStatic } from '@hono/node-server/serve-static'
import { OWNER_HEADER } from '#src/content/offline/names.ts'
import { registerAddressUse } from '#src/addresses/address-use.server.ts'
import { listingsAtAddresses } from '#src/listings/listings-at-addresses.server.ts'
import { createApi, problemResponse } from './api.server.ts'
import { wholeBody } from './bodies.server.ts'
import { isDatabaseAway } from '#src/kit/db/database.server.ts'
import { isKnown, rangeIn } from '#src/kit/http/http.server.ts'
import { countAnswers } from './answer-counts.server.ts'
import { maintenance } from './maintenance.server.ts'
import { Gate } from '#src/kit/http/gate.server.ts'
import { localeOfPath, localized, type Locale } from '#src/kit/text/locale.ts'
import { BucketAway } from '#src/kit/media/bucket.server.ts'
import {
  DETAIL_WIDTH,
  PICTURE_EXTENSIONS,
  clipFile,
  clipType,
  parseClipName,
  parseMediaName,
  type MediaName,
} from '#src/kit/media/media-url.ts'
import { addressBucket } from '#src/kit/http/rate-limits.server.ts'
import { problemText } from './kit/problem-text.ts'
import { Problem } from './kit/problem.ts'
import { projectRoot } from './kit/project-root.server.ts'
import { securityHeaders } from '#src/kit/http/security-headers.server.ts'
import type { Market } from './market.server.ts'
import { isReady, readinessOf } from './operation/readiness.server.ts'
import { addDevice, copyOwnerOf } from './device.server.ts'
import { MediaAccess } from './media-access.server.ts'
import { m } from './paraglide/messages.js'
import { isForEverybody, Pages, type PageHandler } from './pages.server.ts'
import { proxyWatch } from './proxy-watch.server.ts'
import { pacedRefusals } from './refusal-pace.server.ts'
import { addSharing } from './sharing.server.ts'
import { addWellKnown } from './well-known.server.ts'
import { viewerOf, withCtx, type AppContext, type AppEnv } from './request.server.ts'

const A_YEAR = 'public, max-age=31536000, immutable'
/** A picture never changes under its name, but it may be taken down: no cache shows it for longer than a day then. */
const A_DAY = 'public, max-age=86400'

/** The pipeline, top to bottom: what every request passes, in this order. */
export function createApp(market: Market, pages: PageHandler, patternOf: (path: string) => string | null = () => null): Hono<AppEnv> {
  registerAddressUse(listingsAtAddresses)
  const safe = Object.entries(securityHeaders(market.env.publicOrigin.startsWith('https:')))
  const { latenessMs } = market
  const gate = new Gate({ ...readers, latenessMs })
  const writersGate = new Gate({ ...writers, latenessMs })
  const checkoutGate = new Gate({ ...checkouts, latenessMs })
  market.gates = { reads: gate, writes: writersGate }
  const site = new Pages(market, pages, gate, patternOf)
  const { answers } = site
  const app = new Hono<AppEnv>({ getPath: readPath })

  app.use(async (c, next) => {
    const requestId = randomUUID()
    const started = performance.now()
    c.set('market', market)
    c.set('requestId', requestId)
    c.set('isInside', false)
    c.set('answers', answers)
    c.set('address', addressBucket(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'), market.env.trustedProxies))
    await next()
    const headers = c.res.headers
    headers.set('X-Request-Id', requestId)
    // Unset for files and pictures, which are everybody's or nobody's to copy.
    const ctx = c.var.ctx as AppEnv['Variables']['ctx'] | undefined
    if (ctx) headers.set(OWNER_HEADER, copyOwnerOf(ctx.viewer, market.env.secret))
    for (const [name, value] of safe) if (!headers.has(name)) headers.set(name, value)
    // The pattern, not the URL: searches and phone numbers in paths are people's own business.
    market.log.debug(
      { requestId, method: c.req.method, route: c.req.routePath, status: c.res.status, ms: Math.round(performance.now() - started) },
      'request',
    )
  })

  app.use(countAnswers(market.log, patternOf))
  addProbes(app, market)
  app.use(proxyWatch(market))
  app.use(pacedRefusals())
  app.use(inTime)
  app.use(compress({ threshold: 1024 }))
  addDevice(app, market)
  addFiles(app)
  addPictures(app, market, () => site.lookForChanges())
  app.use(maintenance(market))
  app.use(wholeBody(market))
  app.use(async (c, next) => {
    if (isForEverybody(c) || c.req.path.startsWith('/share/') || c.req.path === '/robots.txt') return next()
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    await (isRead ? gate : isCheckout(c.req.path) ? checkoutGate : writersGate).run(c.var.address, () => {
      c.set('isInside', true)
      return next()
    })
  })
  app.use(withCtx)
  app.route('/api', createApi())
  addWellKnown(app, market)
  addSharing(app, market, gate)
  app.all('*', (c) => site.send(c))
  answerErrors(app, market, site)
  return app
}

function addProbes(app: Hono<AppEnv>, market: Market): void {
  app.get('/healthz', (c) => c.body('ok', 200, { 'Cache-Control': 'no-store' }))
  app.get('/readyz', async (c) => {
    const isWell = isReady(await readinessOf(market))
    return c.body(isWell ? 'ready' : 'not ready', isWell ? 200 : 503, { 'Cache-Control': 'no-store' })
  })
}

function addFiles(app: Hono<AppEnv>): void {
  app.use('/assets/*', serveStatic({ root: clientRoot, precompressed: true, onFound: (_, c) => c.header('Cache-Control', A_YEAR) }))
  app.all('/assets/*', (c) => c.body('', 404, { 'Cache-Control': 'no-store' }))
  for (const file of publicFiles()) {
    app.get(
      file,
      serveStatic({ root: clientRoot, precompressed: true, onFound: (_, c) => c.header('Cache-Control', 'public, max-age=3600') }),
    )
  }
}

function addPictures(app: Hono<AppEnv>, market: Market, lookForChanges: () => Promise<number | null>): void {
  const access = new MediaAccess(market.database.db)
  const noteAway = awayNoter(market)
  app.get('/media/:name', async (c) => {
    const file = fileNamed(c.req.param('name'), market.media)
    const bytes = file && (await file.read().catch(noteAway))
    if (bytes === 'away') return c.body('', 503, { 'Cache-Control': 'no-store', 'Retry-After': '5' })
    if (!bytes) return noPicture(c)
    if (await access.isForEverybody(file.key, await lookForChanges())) return sendMedia(c, file, bytes, A_DAY)
    const viewer = await viewerOf(c)
    // Hidden and missing pictures get the same answer.
    return viewer && (await access.isFor(viewer, file.key)) ? sendMedia(c, file, bytes, 'no-store') : noPicture(c)
  })
}

interface MediaFile {
  key: string
  type: string
  fileName: string
  etag: string
  /** Players ask for a clip piece by piece. */
  hasRanges: boolean
  read(): Promise<Buffer | null>
}

/** What an address of ours names; null for any other. */
function fileNamed(text: string, media: Market['media']): MediaFile | null {
  const picture = parseMediaName(text)
  if (picture) {
    const { key, width, format } = picture
    const fileName = `${key}.${PICTURE_EXTENSIONS[format]}`
    return { key, type: `image/${format}`, fileName, etag: `"${key}-${width}"`, hasRanges: false, read: () => readPicture(media, picture) }
  }
  const clip = parseClipName(text)
  if (!clip) return null
  const { key, format } = clip
  const read = () => media.readFile(key, clipFile(clip))
  return { key, type: clipType(clip), fileName: `${key}.${format}`, etag: `"${key}-clip"`, hasRanges: true, read }
}

/** Of a bucket that is away: a page asks for ten pictures at once, so the log says it once a minute. */
function awayNoter({ log }: Market): (error: unknown) => 'away' {
  let notedAt = -Infinity
  return (error) => {
    if (!(error instanceof BucketAway)) throw error
    if (performance.now() - notedAt > 60_000) {
      notedAt = performance.now()
      log.warn({ err: error }, 'pictures cannot be shown')
    }
    return 'away'
  }
}

/** A small picture, or one from before details were made, has no finer rendition than the large one. */
async function readPicture(media: Market['media'], { key, width, format }: MediaName): Promise<Buffer | null> {
  const bytes = await media.read(key, width, format)
  return bytes === null && width === DETAIL_WIDTH ? media.read(key, 1280, format) : bytes
}

/** Calls get a problem document, pages an error page; an unavailable database is a 503, any other surprise is logged as a 500. */
function answerErrors(app: Hono<AppEnv>, market: Market, site: Pages): void {
  app.onError(async (error, c) => {
    const isAway = isDatabaseAway(error)
    if (isAway) market.noteAway(error)
    else if (!(error instanceof Problem)) {
      market.log.error({ requestId: c.var.requestId, route: c.req.routePath, err: error }, 'request failed')
    }
    const problem = error instanceof Problem ? error : new Problem(isAway ? 'UNAVAILABLE' : 'INTERNAL', { retryAfterSeconds: 2 })
    if (c.req.path.startsWith('/api/')) return problemResponse(c, problem)
    if (problem.code !== 'UNAVAILABLE' || problem.reason) return plainErrorPage(c, problem)
    return site.sendUnavailable(c, problem.retryAfterSeconds ?? 2).catch(() => plainErrorPage(c, problem))
  })
}

/**
 * Everything costly passes a gate before it asks the database anything: as many at once as keep the database's
 * connections and the processor busy; more would only make everybody slow. Cached pages bypass the gate;
 * only rendering them passes it.
 */
const readers = { atOnce: 8, waitAtMostMs: 400, retryAfterSeconds: 2 }
/** The gate of writes is separate: a write may wait for seconds, while pictures arrive or an SMS goes out, without delaying reads. */
const writers = { atOnce: 64, waitAtMostMs: 400, retryAfterSeconds: 2 }

/**
 * Who confirms an order gets an answer about the animal, not about us: a crowd waits longer and in a longer queue, while of one animal's
 * buyers a single one is at the database (decision 0054).
 */
const checkouts = { atOnce: 64, waitAtMostMs: 4000, retryAfterSeconds: 2, mostWaiting: 1000 }
const isCheckout = (path: string) => /^(\/api\/v1|\/en)?\/confirm-order\//.test(path)

const clientRoot = join(projectRoot, 'build/client')

/** Listed once, so that no page request has to look for a file of its name on disk. In development Vite serves them. */
function publicFiles(): string[] {
  if (!existsSync(clientRoot)) return []
  return readdirSync(clientRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => `/${relative(clientRoot, join(entry.parentPath, entry.name))}`)
    .filter((file) => !file.startsWith('/assets/'))
}

/**
 * The path as it was sent: what a router takes for a parameter is decoded there, once, so `=` and `&` inside a segment of
 * the wire may come plain or as %3D and %26. A slash at the end of an API path is forgiven.
 */
function readPath(request: Request): string {
  const { pathname } = new URL(request.url)
  return pathname.startsWith('/api/') ? pathname.replace(/\/$/, '') : pathname
}

const noPicture = (c: AppContext) => c.body('', 404, { 'Cache-Control': 'no-store' })

/** Our own words for our own pictures: type and name come from the parsed name, never from what was uploaded. */
function sendMedia(c: AppContext, { type, fileName, etag, hasRanges }: MediaFile, bytes: Buffer, cacheControl: string): Response {
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `inline; filename="${fileName}"`,
    ...(hasRanges && { 'Accept-Ranges': 'bytes' }),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-site',
    'Cache-Control': cacheControl,
    ETag: etag,
  }
  if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
  const isOtherFile = c.req.header('if-range') !== undefined && c.req.header('if-range') !== etag
  const range = hasRanges && !isOtherFile ? rangeIn(c.req.header('range'), bytes.length) : null
  if (range === 'outside') return c.body('', 416, { ...headers, 'Content-Range': `bytes */${bytes.length}` })
  if (!range) return c.body(new Uint8Array(bytes), 200, headers)
  const [from, to] = range
  const contentRange = { 'Content-Range': `bytes ${from}-${to}/${bytes.length}` }
  return c.body(new Uint8Array(bytes.subarray(from, to + 1)), 206, { ...headers, ...contentRange })
}

/** The last resort, when even the site's own frame could not be rendered. Both languages, nothing to load. */
function plainErrorPage(c: AppContext, problem: Problem): Response {
  const locale = localeOfPath(c.req.path)
  const other = locale === 'ta' ? 'en' : 'ta'
  const home = localized('/', locale)
  const isTooLarge = problem.code === 'TOO_LARGE'
  const words = (locale: Locale) => (isTooLarge ? m.too_large_form({}, { locale }) : problemText(problem.reason ?? problem.code, locale))
  return c.html(
    `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">` +
      `<title>${problem.status} · சந்தை Sandhai</title><body><h1>சந்தை · Sandhai</h1>` +
      `<p>${words(locale)}</p><p lang="${other}">${words(other)}</p>` +
      (isTooLarge ? `<p><a href="${formPath(c)}">${m.too_large_back({}, { locale })}</a></p>` : '') +
      `<p><a href="${home}">சந்தை முகப்பு · Home</a></p><p><small>${c.var.requestId}</small></p>`,
    problem.status as 500,
    {
      'Cache-Control': 'no-store',
      ...(problem.code === 'METHOD_NOT_ALLOWED' && { Allow: 'GET, HEAD, POST' }),
      ...(problem.retryAfterSeconds && { 'Retry-After': String(problem.retryAfterSeconds) }),
    },
  )
}

/** A form stands at the address it is sent to. Written so that it can stand in a page, and names no other host. */
const formPath = (c: AppContext) =>
  new URL(c.req.url).pathname.replace(/^\/+/, '/').replace(/["'&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Time-out of a read: after this it is refused, because a frozen database would hold it for six seconds. safety.md §3 promises
 * three, and many refusals at once take time, too.
 */
const READ_WITHIN_MS = 2500

/** Writes have no time-out: their sender must learn the outcome. */
const inTime: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next()
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem('UNAVAILABLE', { retryAfterSeconds: 2 })), READ_WITHIN_MS)
  })
  await Promise.race([next(), late]).finally(() => clearTimeout(timer))
}

import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { methodOverride } from 'hono/method-override'
import { serveStatic } from '@hono/node-server/serve-static'
import { OWNER_HEADER } from '#src/kit/http/market-answer.ts'
import { registerAddressUse } from '#src/addresses/address-use.server.ts'
import { usedAddresses } from '#src/orders/used-addresses.server.ts'
import { isDatabaseAway } from '#src/kit/db/database-errors.server.ts'
import { Deadline } from '#src/kit/db/deadline.server.ts'
import { isKnown, rangeIn } from '#src/kit/http/http.server.ts'
import { maintenance } from '#src/market/maintenance.server.ts'
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
import { addressBucket } from '#src/kit/db/rate-limits.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { tally } from '#src/kit/base/tally.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { securityHeaders } from '#src/kit/http/security-headers.server.ts'
import type { Market } from '#src/market/market.server.ts'
import { isReady, readinessOf } from '#src/operation/readiness.server.ts'
import { MediaAccess } from '#src/market/media-access.server.ts'
import { m } from '#src/paraglide/messages.js'
import { createApi, problemResponse } from './api.server.ts'
import { wholeBody } from './bodies.server.ts'
import { countAnswers } from './answer-counts.server.ts'
import { addDevice, copyOwnerOf } from './device.server.ts'
import { gateFor, isRead, openGates } from './gates.server.ts'
import { openPages, type Pages } from './pages/pages.server.ts'
import type { PageHandler } from './pages/page-site.server.ts'
import { isForEverybody } from './pages/shared-addresses.server.ts'
import { proxyWatch } from './proxy-watch.server.ts'
import { pacedRefusals } from './refusal-pace.server.ts'
import { addSharing } from './sharing.server.ts'
import { addWellKnown } from './well-known.server.ts'
import { isOfOffice, viewerOf, withCtx, type AppContext, type AppEnv } from './request.server.ts'

const A_YEAR = 'public, max-age=31536000, immutable'
/** A picture never changes under its name, but may be taken down: no cache may show it for more than a day after that. */
const A_DAY = 'public, max-age=86400'

/** The pipeline that every request passes, in this order. */
export function createApp(market: Market, pages: PageHandler, patternOf: (path: string) => string | null = () => null): Hono<AppEnv> {
  registerAddressUse(usedAddresses)
  const gates = openGates(market.latenessMs)
  market.gates = gates
  const site = openPages(market, pages, gates.reads, patternOf)
  const app = new Hono<AppEnv>({ getPath: readPath })

  app.use('/api/v1/clip-upload/*', uploadMethod(app))
  app.use(openRequest(market, site.answers))
  app.use(countAnswers(market.log, patternOf))
  addProbes(app, market)
  app.use(proxyWatch(market))
  app.use(pacedRefusals())
  app.use(compress({ threshold: 1024 }))
  // Inside `compress`, which must not process the answer again when a read ends after its time-out.
  app.use(readInTime(market, () => site.lookForChanges()))
  addDevice(app, market)
  addFiles(app)
  addPictures(app, market, () => site.lookForChanges())
  app.use(maintenance(market))
  app.use(wholeBody(market))
  app.use(writeInTime)
  app.use(async (c, next) => {
    if (isForEverybody(c) || c.req.path.startsWith('/share/') || c.req.path === '/robots.txt') return next()
    await gateFor(gates, c.req, isOfOffice(c)).run(c.var.address, () => {
      c.set('isInside', true)
      return next()
    })
  })
  app.use(withCtx)
  app.route('/api', createApi())
  addWellKnown(app, market)
  addSharing(app, market, gates.reads)
  app.all('*', (c) => site.send(c))
  answerErrors(app, market, site)
  return app
}

/** The outermost step: sets what the other steps read, adds the headers of every answer, and logs the request. */
function openRequest(market: Market, answers: AppEnv['Variables']['answers']): MiddlewareHandler<AppEnv> {
  const safe = Object.entries(securityHeaders(market.env.publicOrigin.startsWith('https:')))
  return async (c, next) => {
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
    // Undefined for files and pictures, whose copies have no owner.
    const ctx = c.var.ctx as AppEnv['Variables']['ctx'] | undefined
    if (ctx) headers.set(OWNER_HEADER, copyOwnerOf(ctx.viewer, market.env.secret))
    for (const [name, value] of safe) if (!headers.has(name)) headers.set(name, value)
    // Log the pattern, not the URL: searches and phone numbers in paths are private.
    market.log.debug(
      { requestId, method: c.req.method, route: c.req.routePath, status: c.res.status, ms: Math.round(performance.now() - started) },
      'request',
    )
  }
}

/**
 * Clients of tus behind a proxy that refuses PATCH and DELETE send a POST with X-HTTP-Method-Override. The request starts again from the first
 * step of the pipeline, so every check sees the method that the header names.
 */
function uploadMethod(app: Hono<AppEnv>): MiddlewareHandler<AppEnv> {
  const header = 'X-HTTP-Method-Override'
  const override = methodOverride({ app, header })
  return (c, next) => (c.req.method === 'POST' && /^(PATCH|DELETE)$/.test(c.req.header(header) ?? '') ? override(c, next) : next())
}

function addProbes(app: Hono<AppEnv>, market: Market): void {
  app.get('/healthz', (c) => c.body('ok', 200, { 'Cache-Control': 'no-store' }))
  app.get('/readyz', async (c) => {
    // Without the database, for proxies that show the cached pages while it is away.
    const isWell = c.req.query('without') === 'database' ? !market.isDraining : isReady(await readinessOf(market))
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
    // The same answer for hidden and missing pictures.
    return viewer && (await access.isFor(viewer, file.key)) ? sendMedia(c, file, bytes, 'no-store') : noPicture(c)
  })
}

interface MediaFile {
  key: string
  type: string
  fileName: string
  etag: string
  /** Players request a clip in ranges. */
  hasRanges: boolean
  read(): Promise<Buffer | null>
}

/** The picture or clip that a media address names; null for an address that is not ours. */
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

/** Logs an unreachable bucket once a minute: a page requests ten pictures at once. */
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

/** A small picture, or one from before the finest rendition existed, has no finer rendition than the large one. */
async function readPicture(media: Market['media'], { key, width, format }: MediaName): Promise<Buffer | null> {
  const bytes = await media.read(key, width, format)
  return bytes === null && width === DETAIL_WIDTH ? media.read(key, 1280, format) : bytes
}

/** Calls get a problem document, pages an error page. An unavailable database is a 503; any other unexpected error is logged as a 500. */
function answerErrors(app: Hono<AppEnv>, market: Market, site: Pages): void {
  const answerTo = async (error: Error, c: AppContext): Promise<Response> => {
    const isAway = isDatabaseAway(error)
    if (isAway) market.noteAway(error)
    else if (!(error instanceof Problem)) {
      market.log.error({ requestId: c.var.requestId, route: c.req.routePath, err: error }, 'request failed')
    }
    const problem = error instanceof Problem ? error : new Problem(isAway ? 'UNAVAILABLE' : 'INTERNAL', { retryAfterSeconds: 2 })
    if (c.req.path.startsWith('/api/')) return problemResponse(c, problem)
    if (problem.code !== 'UNAVAILABLE' || problem.reason) return plainErrorPage(c, problem)
    return site.sendUnavailable(c, problem.retryAfterSeconds ?? 2).catch(() => plainErrorPage(c, problem))
  }
  app.onError(async (error, c) => {
    const answer = await answerTo(error, c)
    // The late handler may have answered meanwhile: Hono would copy the headers of that answer to this one.
    c.res = undefined
    return answer
  })
}

const clientRoot = join(projectRoot, 'build/client')

/** Listed once at the start, so that page requests do not look for files on disk. In development Vite serves them. */
function publicFiles(): string[] {
  if (!existsSync(clientRoot)) return []
  return readdirSync(clientRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => `/${relative(clientRoot, join(entry.parentPath, entry.name))}`)
    .filter((file) => !file.startsWith('/assets/'))
}

/**
 * The path as sent: the router decodes each parameter once, so `=` and `&` within a segment of the API may come plain or as %3D and %26.
 * Ignores a trailing slash of an API path.
 */
function readPath(request: Request): string {
  const { pathname } = new URL(request.url)
  return pathname.startsWith('/api/') ? pathname.replace(/\/$/, '') : pathname
}

const noPicture = (c: AppContext) => c.body('', 404, { 'Cache-Control': 'no-store' })

/** Type and name come from the parsed media name, never from the uploaded file. */
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

/** The last resort, when even the site's own frame fails to render. In both languages, without resources to load. */
function plainErrorPage(c: AppContext, problem: Problem): Response {
  const locale = localeOfPath(c.req.path)
  const other = locale === 'ta' ? 'en' : 'ta'
  const home = localized('/', locale)
  const isTooLarge = problem.code === 'TOO_LARGE'
  const words = (locale: Locale) => (isTooLarge ? m.too_large_form({}, { locale }) : problemDetail(problem, locale))
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

/** A form posts to its own address. Escaped for use in a page, and without a host. */
const formPath = (c: AppContext) =>
  new URL(c.req.url).pathname.replace(/^\/+/, '/').replace(/["'&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A frozen database would hold a read for six seconds; safety.md §3 promises three, and many refusals at once take time, too. */
const READ_WITHIN_MS = 2500
/** For the embedded database, which may be slow but not frozen, and for the office as long as PostgreSQL answers (decision 0119). */
const LONG_READ_WITHIN_MS = 10_000

/** For writes, `writeInTime` sets the deadline: their sender must learn the outcome. */
function readInTime({ database }: Market, lookForChanges: () => Promise<number | null>): MiddlewareHandler<AppEnv> {
  const mayTakeLonger = async (c: AppContext) => database.kind === 'embedded' || (isOfOffice(c) && (await lookForChanges()) !== null)
  return async (c, next) => {
    if (!isRead(c.req)) return next()
    const end = new AbortController()
    const wait = (ms: number) => sleep(ms, undefined, { signal: end.signal })
    const late = async () => {
      await wait(READ_WITHIN_MS - 1000)
      const [isAllowed] = await Promise.all([mayTakeLonger(c), wait(1000)])
      if (isAllowed) await wait(LONG_READ_WITHIN_MS - READ_WITHIN_MS)
      tally('sandhai_reads_timed_out_total')
      throw new Problem('UNAVAILABLE', { retryAfterSeconds: 2 })
    }
    await Promise.race([next(), late()]).finally(() => end.abort())
  }
}

/** Milliseconds from the last byte of a write request: what has not committed by then never will (docs/decisions/0090). */
const COMMIT_WITHIN_MS = 6000
/** By then the sender gets an answer unless a commit is under way. Until then, a form that is too late is rendered with the typed text. */
const WRITE_WITHIN_MS = 7000

/** Uploads have no deadline: their bytes are checked and resized before anything is written. */
const isUpload = (c: AppContext) => /^(multipart\/form-data|application\/offset\+octet-stream)\b/i.test(c.req.header('content-type') ?? '')

const writeInTime: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (isRead(c.req) || isUpload(c)) return next()
  const deadline = new Deadline()
  c.set('deadline', deadline)
  const timers = [setTimeout(() => void deadline.pass(), COMMIT_WITHIN_MS)]
  const late = new Promise<never>((_, reject) => {
    const answerNow = () => {
      const problem = deadline.pass()
      if (problem) reject(problem)
    }
    timers.push(setTimeout(answerNow, WRITE_WITHIN_MS))
  })
  await Promise.race([next(), late]).finally(() => timers.forEach(clearTimeout))
}

import { CacheFirst, NetworkFirst, type Strategy } from 'workbox-strategies'
import {
  changesWhoIsHere,
  copyAddressOf,
  copyKindOf,
  isLinkCopyOver,
  mayShowCopy,
  OWN_PATIENCE_MS,
  PATIENCE_MS,
  withoutMarks,
} from '#src/content/offline/copy-rules.ts'
import {
  FILE_COPIES,
  FOR_COPY,
  LINK_COPIES,
  MARKET_COPIES,
  OFFLINE_PATH,
  PICTURE_COPIES,
  SHARE_PATH,
  SHELL,
} from '#src/content/offline/names.ts'
import { isFromMarket, NOBODY, OWNER_HEADER } from '#src/kit/http/market-answer.ts'
import { mediaUrl, parseMediaName, PICTURE_FORMATS, PICTURE_WIDTHS } from '#src/kit/media/media-url.ts'
import { bare, localeOfPath, localized } from '#src/kit/text/locale.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { isDataPath, pagePathOf } from '#src/router-seams/data-url.ts'
import { copiedAt, dropLink, isFile, isOldPicture, keep, matchOptions, noteCopy, noteUsed, stamped } from './keep.ts'
import { beforeAsking, cacheOf, forgetOwner, isPresent, noteOwner, ownerNow, type Asked } from './owner.ts'
import { limitCaches } from './patience.ts'
import { scope, type FetchEvent } from './scope.ts'
import { takeShared } from './shared.ts'

limitCaches()

type Plugin = NonNullable<ConstructorParameters<typeof NetworkFirst>[0]>['plugins'] extends (infer P)[] | undefined ? P : never

/** When a form was last sent from this phone. Older copies may lack the change, so they are shown offline only. */
let changedAt = 0

/** Null when the worker does not handle the request. */
export function answerTo(event: FetchEvent): Promise<Response> | null {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== scope.location.origin) return null
  if (request.method === 'POST' && bare(pathname) === SHARE_PATH) return takeShared(request)
  if (changesWhoIsHere(pathname)) {
    // Everybody's copies still say "Login".
    if (request.method !== 'GET') changedAt = Date.now()
    return forgetOwner().then(() => askAnew(request))
  }
  if (request.method === 'POST' && copyKindOf(pagePathOf(pathname)) === 'link') return answerHandover(event)
  // Do not handle uploads: otherwise the page would get no progress events.
  if (request.method !== 'GET') {
    if (!pathname.startsWith('/api/')) changedAt = Date.now()
    return null
  }
  if (pathname.startsWith('/assets/')) return handled(files, event)
  if (pathname.startsWith('/media/')) return handled(pictures, event)
  if (request.mode === 'navigate') return answerPage(event)
  return pathname.startsWith('/api/') || isDataPath(pathname) ? ask(request) : null
}

/** A handover changes the bearer's day, so its page is copied again. */
function answerHandover(event: FetchEvent): Promise<Response> {
  const { request } = event
  const answer = fetch(request)
  event.waitUntil(answer.then(() => copyPage(pageOf(request.url), { [FOR_COPY]: '1' })).catch(() => null))
  return answer
}

/** The page of a form's or data request, without its query. */
function pageOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pagePathOf(pathname)
}

async function ask(request: Request): Promise<Response> {
  const asked = await beforeAsking()
  const response = await fetch(request)
  await noteOwner(response, asked)
  return response
}

/** Requests that may change who is logged in. The login pages need the network like any other. */
async function askAnew(request: Request): Promise<Response> {
  try {
    return await ask(request)
  } catch (error) {
    if (request.mode === 'navigate') return offlinePage(request.url)
    throw error
  }
}

function handled(strategy: Strategy, event: FetchEvent): Promise<Response> {
  const [response, done] = strategy.handleAll({ event: event as never, request: event.request })
  event.waitUntil(done.catch(() => {}))
  return response
}

/** Records what workbox has put into a cache. */
const counted: Plugin = {
  cacheDidUpdate: async ({ cacheName, request, newResponse }) => noteCopy(cacheName, request.url, await newResponse.clone().blob()),
}
const used = (cacheName: string): Plugin => ({
  cachedResponseWillBeUsed: async ({ request, cachedResponse }) => {
    if (cachedResponse) void noteUsed(cacheName, request.url)
    return cachedResponse ?? null
  },
})

const byAddress: Plugin = { cacheKeyWillBeUsed: async ({ request }) => copyAddressOf(request.url) }

const files = new CacheFirst({
  cacheName: FILE_COPIES,
  matchOptions,
  plugins: [{ cacheWillUpdate: async ({ response }) => (isFile(response) ? response : null) }, counted, used(FILE_COPIES)],
})

/** The addresses of the picture's other renditions: offline, any of them is better than none. */
function otherSizes(pathname: string): string[] {
  const name = parseMediaName(pathname.slice('/media/'.length))
  return name ? PICTURE_WIDTHS.toReversed().flatMap((width) => PICTURE_FORMATS.map((format) => mediaUrl(name.key, width, format))) : []
}

/** A no-store answer is for one person only, for example an animal that is not verified yet. */
const pictures = new CacheFirst({
  cacheName: PICTURE_COPIES,
  matchOptions,
  plugins: [
    counted,
    {
      cacheWillUpdate: async ({ response }) =>
        isFile(response) && !response.headers.get('Cache-Control')?.includes('no-store') ? stamped(response) : null,
      cachedResponseWillBeUsed: async ({ request, cachedResponse }) => {
        if (!cachedResponse || isOldPicture(cachedResponse)) return null
        void noteUsed(PICTURE_COPIES, request.url)
        return cachedResponse
      },
      handlerDidError: async ({ request }) => {
        const { pathname } = new URL(request.url)
        for (const path of [pathname, ...otherSizes(pathname)]) {
          const copy = await caches.match(path, { ...matchOptions, cacheName: PICTURE_COPIES })
          if (copy) return copy
        }
        return undefined
      },
    },
  ],
})

/** For pages that were shown from their copy: what the network answered later. */
const late = new Map<string, Promise<'newer' | 'same' | 'failed'>>()
export const laterAnswerOf = (url: string) => late.get(url) ?? Promise.resolve('failed' as const)

async function answerPage(event: FetchEvent): Promise<Response> {
  const { request } = event
  const { pathname } = new URL(request.url)
  const kind = copyKindOf(pathname)
  if (kind === 'never') return ask(request).catch(() => offlinePage(request.url))
  const asked = await beforeAsking()
  const mark = await ownerNow()
  const page = kind === 'link' ? linkStrategy(asked) : pageStrategy(kind, mark, asked)
  const [response, done] = page.strategy.handleAll({ event: event as never, request })
  const outcome = done.then(page.outcome, () => 'failed' as const)
  late.set(request.url, outcome)
  event.waitUntil(outcome)
  return response.catch(() => offlinePage(request.url))
}

/** One request: the network first (pages of the market wait only briefly), then the copy of the logged-in person. */
function pageStrategy(kind: 'market' | 'own', mark: string | null, asked: Asked) {
  const cacheName = mark === null ? MARKET_COPIES : cacheOf(mark)
  let hasFailed = false
  let outcome: 'newer' | 'same' | 'failed' = 'failed'
  const plugin: Plugin = {
    fetchDidFail: async () => void (hasFailed = true),
    fetchDidSucceed: async ({ response }) => {
      await noteOwner(response, asked)
      return response
    },
    cacheWillUpdate: async ({ request, response }) => {
      if (!isWhole(response) || !(await isPresent(asked, response))) return null
      const whose = cacheFor(request.url, response)
      if (whose === cacheName) return stamped(response)
      await keep(whose, copyAddressOf(request.url), response.clone())
      return null
    },
    cacheDidUpdate: async ({ oldResponse, newResponse }) => {
      const [before, now] = await Promise.all([oldResponse?.clone().text(), newResponse.clone().text()])
      outcome = before !== undefined && withoutMarks(before) === withoutMarks(now) ? 'same' : 'newer'
    },
    cachedResponseWillBeUsed: async ({ request, cachedResponse }) => {
      if (!cachedResponse || !mayShowCopy(copiedAt(cachedResponse), { now: Date.now(), changedAt, hasFailed })) return null
      return withNote(request.url, cachedResponse)
    },
    handlerDidError: async ({ request }) => {
      const everybodys =
        kind === 'market' &&
        mark !== null &&
        (await caches.match(copyAddressOf(request.url), { ...matchOptions, cacheName: MARKET_COPIES }))
      return everybodys ? withNote(request.url, everybodys) : undefined
    },
  }
  const networkTimeoutSeconds = (kind === 'market' ? PATIENCE_MS : OWN_PATIENCE_MS) / 1000
  const strategy = new NetworkFirst({ cacheName, matchOptions, networkTimeoutSeconds, plugins: [byAddress, counted, plugin] })
  return { strategy, outcome: () => outcome }
}

/** A bearer's day: the network first, then today's copy. Deletes the copy when the link no longer works. */
function linkStrategy(asked: Asked) {
  let outcome: 'newer' | 'failed' = 'failed'
  const plugin: Plugin = {
    fetchDidSucceed: async ({ response }) => {
      await noteOwner(response, asked)
      return response
    },
    cacheDidUpdate: async () => void (outcome = 'newer'),
    cacheWillUpdate: async ({ request, response }) => {
      if (isWhole(response)) return stamped(response)
      if (response.status === 404) await dropLink(request.url)
      return null
    },
    cachedResponseWillBeUsed: async ({ request, cachedResponse }) =>
      cachedResponse && !isLinkCopyOver(copiedAt(cachedResponse), Date.now()) ? withNote(request.url, cachedResponse) : null,
  }
  const networkTimeoutSeconds = OWN_PATIENCE_MS / 1000
  const strategy = new NetworkFirst({ cacheName: LINK_COPIES, matchOptions, networkTimeoutSeconds, plugins: [byAddress, counted, plugin] })
  return { strategy, outcome: () => outcome }
}

/** A page of another server, for example of a captive portal, is shown but never copied. */
const isWhole = (response: Response) =>
  isFromMarket(response) &&
  response.status === 200 &&
  !response.redirected &&
  response.headers.get('Content-Type')?.startsWith('text/html') === true

function cacheFor(url: string, { headers }: Response): string {
  if (copyKindOf(new URL(url).pathname) === 'link') return LINK_COPIES
  const mark = headers.get(OWNER_HEADER) ?? NOBODY
  return mark === NOBODY ? MARKET_COPIES : cacheOf(mark)
}

/** Fetches a page for the logged-in person and stores it. Null when there is no such page, or no network. */
export async function copyPage(url: string, headers: Record<string, string>): Promise<string | null> {
  const asked = await beforeAsking()
  const response = await fetch(url, { headers, credentials: 'same-origin' }).catch(() => null)
  if (!response || !isWhole(response)) return null
  await noteOwner(response, asked)
  if (!(await isPresent(asked, response))) return null
  const copy = response.clone()
  await keep(cacheFor(url, response), copyAddressOf(url), copy)
  return response.text()
}

/**
 * Adds "as of" to the page; the server does the same with a page that it shows while the database is away
 * (server/pages).
 */
async function withNote(url: string, copy: Response): Promise<Response> {
  const locale = localeOfPath(new URL(url).pathname)
  const at = copiedAt(copy)
  const when = formatMoment(new Date(at), locale).slice(0, -3)
  const html = await copy.text()
  const note = `<div id="old-note" role="status" data-copied-at="${at}">${m.offline_as_of({ when }, { locale })}</div>`
  return stampedAt(at, copy, html.replace('<div id="old-note"></div>', note))
}

function stampedAt(at: number, copy: Response, html: string): Response {
  const response = stamped(copy, html)
  response.headers.set('X-Copied-At', String(at))
  return response
}

async function offlinePage(url: string): Promise<Response> {
  const path = localized(OFFLINE_PATH, localeOfPath(new URL(url).pathname))
  const page = await caches.match(path, { ...matchOptions, cacheName: SHELL + scope.BUILD })
  return page ?? Response.error()
}

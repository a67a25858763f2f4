import { CacheFirst, NetworkFirst, type Strategy } from 'workbox-strategies'
import { changesWhoIsHere, copyKindOf, FRESH_MS, OWN_PATIENCE_MS, PATIENCE_MS, withoutMarks } from '#src/content/offline/copy-rules.ts'
import {
  FILE_COPIES,
  MARKET_COPIES,
  NOBODY,
  OFFLINE_PATH,
  OWNER_HEADER,
  PICTURE_COPIES,
  SHARE_PATH,
  SHELL,
} from '#src/content/offline/names.ts'
import { bare, localeOfPath, localized } from '#src/kit/text/locale.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { isDataPath } from '#src/router-seams/data-url.ts'
import { copiedAt, isOldPicture, keep, matchOptions, noteCopy, noteUsed, stamped } from './keep.ts'
import { isLowData, otherSizes, smallest } from './low-data.ts'
import { beforeAsking, cacheOf, forgetOwner, noteOwner, ownerNow } from './owner.ts'
import { scope, type FetchEvent } from './scope.ts'
import { takeShared } from './shared.ts'

type Plugin = NonNullable<ConstructorParameters<typeof NetworkFirst>[0]>['plugins'] extends (infer P)[] | undefined ? P : never

/** Null: the browser does as it would without us. */
export function answerTo(event: FetchEvent): Promise<Response> | null {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== scope.location.origin) return null
  if (request.method === 'POST' && bare(pathname) === SHARE_PATH) return takeShared(request)
  if (changesWhoIsHere(pathname)) return forgetOwner().then(() => askAnew(request))
  // Uploads are left alone: only then the page hears of their progress.
  if (request.method !== 'GET') return null
  if (pathname.startsWith('/assets/')) return handled(files, event)
  if (pathname.startsWith('/media/')) return answerPicture(event, pathname)
  if (request.mode === 'navigate') return answerPage(event)
  return pathname.startsWith('/api/') || isDataPath(pathname) ? ask(request) : null
}

async function ask(request: Request): Promise<Response> {
  const asked = beforeAsking()
  const response = await fetch(request)
  await noteOwner(response, asked)
  return response
}

/** After an act that may change who is here. A page of the login needs a line like any other. */
async function askAnew(request: Request): Promise<Response> {
  try {
    return await ask(request)
  } catch (error) {
    if (request.mode === 'navigate') return offlinePage(request.url)
    throw error
  }
}

function handled(strategy: Strategy, event: FetchEvent, request = event.request): Promise<Response> {
  const [response, done] = strategy.handleAll({ event: event as never, request })
  event.waitUntil(done.catch(() => {}))
  return response
}

/** Counts what workbox has put into a cache. */
const counted: Plugin = {
  cacheDidUpdate: async ({ cacheName, request, newResponse }) => noteCopy(cacheName, request.url, await newResponse.clone().blob()),
}
const used = (cacheName: string): Plugin => ({
  cachedResponseWillBeUsed: async ({ request, cachedResponse }) => {
    if (cachedResponse) void noteUsed(cacheName, request.url)
    return cachedResponse ?? null
  },
})

const files = new CacheFirst({ cacheName: FILE_COPIES, matchOptions, plugins: [counted, used(FILE_COPIES)] })

/** What is no-store is for one person's eyes: an animal that is not verified yet. */
const pictures = new CacheFirst({
  cacheName: PICTURE_COPIES,
  matchOptions,
  plugins: [
    counted,
    {
      cacheWillUpdate: async ({ response }) =>
        response.ok && !response.headers.get('Cache-Control')?.includes('no-store') ? stamped(response) : null,
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

async function answerPicture(event: FetchEvent, pathname: string): Promise<Response> {
  const small = (await isLowData()) ? smallest(pathname) : null
  return small === null ? handled(pictures, event) : handled(pictures, event, new Request(small, { headers: event.request.headers }))
}

/** Of pages that were shown from their copy: how the line answered later. */
const late = new Map<string, Promise<'newer' | 'same' | 'failed'>>()
export const howItWent = (url: string) => late.get(url) ?? Promise.resolve('failed' as const)

async function answerPage(event: FetchEvent): Promise<Response> {
  const { request } = event
  const { pathname } = new URL(request.url)
  const kind = copyKindOf(pathname)
  if (kind === 'never') return ask(request).catch(() => offlinePage(request.url))
  const mark = await ownerNow()
  const page = pageStrategy(kind, mark)
  const [response, done] = page.strategy.handleAll({ event: event as never, request })
  const outcome = done.then(page.outcome, () => 'failed' as const)
  late.set(request.url, outcome)
  event.waitUntil(outcome)
  return response.catch(() => offlinePage(request.url))
}

/** One request's: the line first, with little patience for the pages of the market, and the copy of whoever is here. */
function pageStrategy(kind: 'market' | 'own', mark: string | null) {
  const cacheName = mark === null ? MARKET_COPIES : cacheOf(mark)
  const asked = beforeAsking()
  let hasFailed = false
  let outcome: 'newer' | 'same' | 'failed' = 'failed'
  const plugin: Plugin = {
    fetchDidFail: async () => void (hasFailed = true),
    fetchDidSucceed: async ({ response }) => {
      await noteOwner(response, asked)
      return response
    },
    cacheWillUpdate: async ({ request, response }) => {
      if (!isWhole(response) || asked !== beforeAsking()) return null
      const whose = cacheFor(response)
      if (whose === cacheName) return stamped(response)
      await keep(whose, request.url, response.clone())
      return null
    },
    cacheDidUpdate: async ({ oldResponse, newResponse }) => {
      const [before, now] = await Promise.all([oldResponse?.clone().text(), newResponse.clone().text()])
      outcome = before !== undefined && withoutMarks(before) === withoutMarks(now) ? 'same' : 'newer'
    },
    cachedResponseWillBeUsed: async ({ request, cachedResponse }) => {
      if (!cachedResponse || (!hasFailed && Date.now() - copiedAt(cachedResponse) > FRESH_MS)) return null
      return withNote(request.url, cachedResponse)
    },
    handlerDidError: async ({ request }) => {
      const everybodys =
        kind === 'market' && mark !== null && (await caches.match(request.url, { ...matchOptions, cacheName: MARKET_COPIES }))
      return everybodys ? withNote(request.url, everybodys) : undefined
    },
  }
  const networkTimeoutSeconds = (kind === 'market' ? PATIENCE_MS : OWN_PATIENCE_MS) / 1000
  const strategy = new NetworkFirst({ cacheName, matchOptions, networkTimeoutSeconds, plugins: [counted, plugin] })
  return { strategy, outcome: () => outcome }
}

const isWhole = ({ status, redirected, headers }: Response) =>
  status === 200 && !redirected && headers.get('Content-Type')?.startsWith('text/html') === true

function cacheFor({ headers }: Response): string {
  const mark = headers.get(OWNER_HEADER) ?? NOBODY
  return mark === NOBODY ? MARKET_COPIES : cacheOf(mark)
}

/** Fetches a page by itself and keeps it, for whoever is here. Null where there is no such page, or no line. */
export async function copyPage(url: string, headers: Record<string, string>): Promise<string | null> {
  const asked = beforeAsking()
  const response = await fetch(url, { headers, credentials: 'same-origin' }).catch(() => null)
  if (!response || !isWhole(response)) return null
  await noteOwner(response, asked)
  if (asked !== beforeAsking()) return null
  const copy = response.clone()
  await keep(cacheFor(response), url, copy)
  return response.text()
}

/** Says as of when it is; the server does the same with a page that is shown while the database is away (pages.server.ts). */
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

export async function offlinePage(url: string): Promise<Response> {
  const path = localized(OFFLINE_PATH, localeOfPath(new URL(url).pathname))
  const page = await caches.match(path, { ...matchOptions, cacheName: SHELL + scope.BUILD })
  return page ?? Response.error()
}

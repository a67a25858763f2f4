import { PICTURE_FRESH_MS, titleIn, toDrop } from '#src/content/offline/copy-rules.ts'
import { COPIED_AT, FILE_COPIES, MARKET_COPIES } from '#src/content/offline/names.ts'
import { scope } from './scope.ts'
import { store } from './store.ts'

/** The strategies of workbox look for copies whatever the `Vary` of the answer says: the cache's name says whose they are. */
export const matchOptions = { ignoreVary: true }

const idOf = (cache: string, url: string) => `${cache} ${new URL(url, scope.location.href).href}`

export function stamped(response: Response, body: BodyInit | null = response.body): Response {
  const headers = new Headers(response.headers)
  // The body is unpacked.
  headers.delete('Content-Encoding')
  headers.delete('Content-Length')
  headers.set(COPIED_AT, String(Date.now()))
  return new Response(body, { status: response.status, headers })
}

export const copiedAt = ({ headers }: Response) => Number(headers.get(COPIED_AT) ?? 0)

export async function keep(cacheName: string, url: string, response: Response): Promise<void> {
  const cache = await caches.open(cacheName)
  const body = await response.blob()
  try {
    await cache.put(url, stamped(response, body))
  } catch {
    // The phone is full: what it has stays.
    return
  }
  await noteCopy(cacheName, url, body)
}

export async function keepFile(file: string): Promise<void> {
  if (await caches.match(file, { cacheName: FILE_COPIES })) return
  const response = await fetch(file)
  if (response.ok) await keep(FILE_COPIES, file, response)
}

/** Counts what is kept, and removes the oldest beyond the limit. */
export async function noteCopy(cacheName: string, url: string, body: Blob): Promise<void> {
  const db = await store()
  const title = body.type.startsWith('text/html') ? titleIn(await body.text()) : undefined
  await db.put('kept', { id: idOf(cacheName, url), bytes: body.size, at: Date.now(), ...(title && { title }) })
  for (const { id } of toDrop(await db.getAll('kept'))) {
    const [name, address] = id.split(' ') as [string, string]
    await (await caches.open(name)).delete(address, matchOptions)
    await db.delete('kept', id)
  }
}

/** The pages that whoever is here can open without a line, the newest first. */
export async function listPages(own: string | null): Promise<{ path: string; title: string; at: number }[]> {
  const names = new Set([MARKET_COPIES, ...(own === null ? [] : [own])])
  const pages = (await (await store()).getAll('kept')).flatMap(({ id, at, title }) => {
    const [name, address] = id.split(' ') as [string, string]
    const { pathname, search } = new URL(address)
    return title !== undefined && names.has(name) ? [{ path: pathname + search, title, at }] : []
  })
  const newest = pages.toSorted((a, b) => b.at - a.at)
  return newest.filter(({ path }, at) => newest.findIndex((other) => other.path === path) === at)
}

export async function bytesCopied(): Promise<number> {
  return (await (await store()).getAll('kept')).reduce((sum, { bytes }) => sum + bytes, 0)
}

const TOUCH_AFTER_MS = 3_600_000

/** What is used stays longer than what is not. */
export async function noteUsed(cacheName: string, url: string): Promise<void> {
  const db = await store()
  const kept = await db.get('kept', idOf(cacheName, url))
  if (kept && Date.now() - kept.at > TOUCH_AFTER_MS) await db.put('kept', { ...kept, at: Date.now() })
}

/** The caches that a logout or somebody else's login emptied are counted no longer. */
export async function forgetMissing(): Promise<void> {
  const names = new Set(await caches.keys())
  const db = await store()
  for (const { id } of await db.getAll('kept')) if (!names.has(id.split(' ')[0]!)) await db.delete('kept', id)
}

export const isOldPicture = (picture: Response) => Date.now() - copiedAt(picture) > PICTURE_FRESH_MS

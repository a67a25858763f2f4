import { copyAddressOf, isLinkCopyOver, PICTURE_FRESH_MS, titleIn, toDrop, type Kept } from '#src/content/offline/copy-rules.ts'
import { COPIED_AT, FILE_COPIES, LINK_COPIES, MARKET_COPIES } from '#src/content/offline/names.ts'
import { scope } from './scope.ts'
import { store } from './store.ts'

/** Ignore `Vary`: the cache's name already says whose copies they are. */
export const matchOptions = { ignoreVary: true }

const idOf = (cache: string, url: string) => `${cache} ${new URL(url, scope.location.href).href}`

export function stamped(response: Response, body: BodyInit | null = response.body): Response {
  const headers = new Headers(response.headers)
  // The stored body is decompressed.
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
    // The phone is full: keep the existing copies.
    return
  }
  await noteCopy(cacheName, url, body)
}

export async function keepFile(file: string): Promise<void> {
  if (await caches.match(file, { cacheName: FILE_COPIES })) return
  const response = await fetch(file)
  if (response.ok) await keep(FILE_COPIES, file, response)
}

/** Counts the stored bytes, and deletes the oldest entries beyond the limit. */
export async function noteCopy(cacheName: string, url: string, body: Blob): Promise<void> {
  const db = await store()
  const title = body.type.startsWith('text/html') ? titleIn(await body.text()) : undefined
  await db.put('kept', { id: idOf(cacheName, url), bytes: body.size, at: Date.now(), ...(title && { title }) })
  for (const each of toDrop(await db.getAll('kept'))) await drop(each)
}

async function drop({ id }: Pick<Kept, 'id'>): Promise<void> {
  const [name, address] = id.split(' ') as [string, string]
  await (await caches.open(name)).delete(address, matchOptions)
  await (await store()).delete('kept', id)
}

export const dropLink = (url: string) => drop({ id: idOf(LINK_COPIES, copyAddressOf(url)) })

/** Deletes the pages of bearers' days that have ended. */
export async function dropEndedLinks(): Promise<void> {
  const kept = await (await store()).getAll('kept')
  for (const each of kept) if (each.id.startsWith(`${LINK_COPIES} `) && isLinkCopyOver(each.at, Date.now())) await drop(each)
}

/** The pages that the current person can open offline, the newest first. */
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

/** Used entries stay longer than unused ones. */
export async function noteUsed(cacheName: string, url: string): Promise<void> {
  const db = await store()
  const kept = await db.get('kept', idOf(cacheName, url))
  if (kept && Date.now() - kept.at > TOUCH_AFTER_MS) await db.put('kept', { ...kept, at: Date.now() })
}

/** Deletes the records of caches that a logout or another person's login has emptied. */
export async function forgetMissing(): Promise<void> {
  const names = new Set(await caches.keys())
  const db = await store()
  for (const { id } of await db.getAll('kept')) if (!names.has(id.split(' ')[0]!)) await db.delete('kept', id)
}

export const isOldPicture = (picture: Response) => Date.now() - copiedAt(picture) > PICTURE_FRESH_MS

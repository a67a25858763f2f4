import { copyAddressOf, isLinkCopyOver, PICTURE_FRESH_MS, titleIn, toDrop, type Kept } from '#src/content/offline/copy-rules.ts'
import { COPIED_AT, FILE_COPIES, LINK_COPIES, MARKET_COPIES } from '#src/content/offline/names.ts'
import { scope } from './scope.ts'
import { records } from './store.ts'

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

/** Scripts, styles, fonts and pictures carry no owner. A captive portal answers each of them with a page. */
export const isFile = ({ ok, headers }: Response) => ok && headers.get('Content-Type')?.startsWith('text/html') !== true

export async function keepFile(file: string): Promise<void> {
  if (await caches.match(file, { cacheName: FILE_COPIES })) return
  const response = await fetch(file)
  if (isFile(response)) await keep(FILE_COPIES, file, response)
}

/** Counts the stored bytes, and deletes the oldest entries beyond the limit. A copy that cannot be counted is deleted, or the limit would not hold. */
export async function noteCopy(cacheName: string, url: string, body: Blob): Promise<void> {
  const id = idOf(cacheName, url)
  const title = body.type.startsWith('text/html') ? titleIn(await body.text()) : undefined
  const note = { id, bytes: body.size, at: Date.now(), ...(title && { title }) }
  const over = await records
    .write('kept', async (kept) => {
      await kept.put(note)
      return toDrop(await kept.getAll())
    })
    .catch(() => [note])
  for (const each of over) await drop(each)
}

async function drop({ id }: Pick<Kept, 'id'>): Promise<void> {
  const [name, address] = id.split(' ') as [string, string]
  await (await caches.open(name)).delete(address, matchOptions)
  await forget(id)
}

/** A record without its copy does no harm, so this may fail. */
const forget = (id: string) => records.write('kept', (kept) => kept.delete(id)).catch(() => {})

const allCopies = () => records.read('kept', (kept) => kept.getAll())

export const dropLink = (url: string) => drop({ id: idOf(LINK_COPIES, copyAddressOf(url)) })

/** Deletes the pages of bearers' days that have ended. */
export async function dropEndedLinks(): Promise<void> {
  for (const each of await allCopies().catch(() => []))
    if (each.id.startsWith(`${LINK_COPIES} `) && isLinkCopyOver(each.at, Date.now())) await drop(each)
}

/** The pages that the current person can open offline, the newest first. */
export async function listPages(own: string | null): Promise<{ path: string; title: string; at: number }[]> {
  const names = new Set([MARKET_COPIES, ...(own === null ? [] : [own])])
  const pages = (await allCopies()).flatMap(({ id, at, title }) => {
    const [name, address] = id.split(' ') as [string, string]
    const { pathname, search } = new URL(address)
    return title !== undefined && names.has(name) ? [{ path: pathname + search, title, at }] : []
  })
  const newest = pages.toSorted((a, b) => b.at - a.at)
  return newest.filter(({ path }, at) => newest.findIndex((other) => other.path === path) === at)
}

const TOUCH_AFTER_MS = 3_600_000

/** Used entries stay longer than unused ones. */
export async function noteUsed(cacheName: string, url: string): Promise<void> {
  const id = idOf(cacheName, url)
  const noted = await records.read('kept', (kept) => kept.get(id)).catch(() => undefined)
  if (!noted || Date.now() - noted.at <= TOUCH_AFTER_MS) return
  await records.write('kept', (kept) => kept.put({ ...noted, at: Date.now() })).catch(() => '')
}

/** Deletes the records of caches that are gone. */
export async function forgetCaches(isGone: (name: string) => boolean): Promise<void> {
  for (const { id } of await allCopies().catch(() => [])) if (isGone(id.split(' ')[0]!)) await forget(id)
}

export const isOldPicture = (picture: Response) => Date.now() - copiedAt(picture) > PICTURE_FRESH_MS

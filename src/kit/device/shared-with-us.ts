import { OWN_ON_DEVICE } from './own-on-device.ts'

/** What another app has shared with us, until the sell form takes it; the service worker puts it there. */
const SHARED = `${OWN_ON_DEVICE}shared`
/** Nobody wants to find last week's photo in a new form. */
const FORGOTTEN_AFTER_MS = 86_400_000

/** Each time under a new name: a second share, or a login in between, loses nothing. */
export async function storeShared({ photos, text }: { photos: readonly File[]; text: string }): Promise<void> {
  const cache = await caches.open(SHARED)
  const name = `/shared/${Date.now()}`
  for (const [at, photo] of photos.entries()) await cache.put(`${name}/photo-${at}`, new Response(photo))
  if (text) await cache.put(`${name}/text`, new Response(text))
}

/** All that waits, in its order. */
export async function findShared(): Promise<{ photos: File[]; text: string }> {
  const photos: File[] = []
  const texts: string[] = []
  try {
    const cache = (await caches.has(SHARED)) ? await caches.open(SHARED) : null
    for (const { url } of (await cache?.keys()) ?? []) {
      const [, , at, what] = new URL(url).pathname.split('/')
      const stored = await cache!.match(url)
      if (!stored || Date.now() - Number(at) > FORGOTTEN_AFTER_MS) continue
      if (what === 'text') texts.push(await stored.text())
      else photos.push(new File([await stored.blob()], `${what}.jpg`, { type: stored.headers.get('Content-Type') ?? 'image/jpeg' }))
    }
  } catch {
    // Plain http, or a browser that stores nothing: nothing can have been shared.
  }
  return { photos, text: texts.join('\n') }
}

/** When the form has stored them itself. */
export async function forgetShared(what: 'photos' | 'text'): Promise<void> {
  const cache = await caches.open(SHARED)
  for (const { url } of await cache.keys()) if (url.endsWith('/text') === (what === 'text')) await cache.delete(url)
}

import { OWN_ON_DEVICE } from './own-on-device.ts'

/** Content that another app shared with Sandhai. The service worker stores it until the sell form takes it. */
const SHARED = `${OWN_ON_DEVICE}shared`
/** A shared photo expires, so that last week's photo does not appear in a new form. */
const FORGOTTEN_AFTER_MS = 86_400_000

/** Stores each share under a new name, so a second share or a login in between loses nothing. */
export async function storeShared({ photos, text }: { photos: readonly File[]; text: string }): Promise<void> {
  const cache = await caches.open(SHARED)
  const name = `/shared/${Date.now()}`
  for (const [at, photo] of photos.entries()) await cache.put(`${name}/photo-${at}`, new Response(photo))
  if (text) await cache.put(`${name}/text`, new Response(text))
}

/** Returns everything that waits, in order. */
export async function findShared(): Promise<{ photos: File[]; text: string }> {
  const photos: File[] = []
  const texts: string[] = []
  try {
    const cache = (await caches.has(SHARED)) ? await caches.open(SHARED) : null
    for (const { url } of (await cache?.keys()) ?? []) {
      const [, , at, kind] = new URL(url).pathname.split('/')
      const stored = await cache!.match(url)
      if (!stored || Date.now() - Number(at) > FORGOTTEN_AFTER_MS) continue
      if (kind === 'text') texts.push(await stored.text())
      else photos.push(new File([await stored.blob()], `${kind}.jpg`, { type: stored.headers.get('Content-Type') ?? 'image/jpeg' }))
    }
  } catch {
    // On plain http or without storage, nothing can have been shared.
  }
  return { photos, text: texts.join('\n') }
}

/** Call this after the form has stored the content itself. */
export async function forgetShared(kind: 'photos' | 'text'): Promise<void> {
  const cache = await caches.open(SHARED)
  for (const { url } of await cache.keys()) if (url.endsWith('/text') === (kind === 'text')) await cache.delete(url)
}

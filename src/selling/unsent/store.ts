import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { storeText, storeValue, valueOnDevice } from '#src/kit/device/storage.ts'
import { canonical, type Typed } from './draft-fields.ts'
import type { DeviceCopy } from './sync.ts'

/** The owner of a draft: a person's sell form, or their edit form of one listing. */
export interface DraftOf {
  ownerId: number
  listingId?: number | undefined
}

export const copyName = ({ ownerId, listingId }: DraftOf) => `${OWN_ON_DEVICE}draft-${ownerId}${listingId ? `-of-${listingId}` : ''}`

export function readCopy(of: DraftOf): DeviceCopy | null {
  const copy = valueOnDevice(copyName(of)) as DeviceCopy | null
  return copy && typeof copy.typed === 'object' ? copy : null
}

/** Returns false when the device's storage is full or forbidden; the server stores the draft, too. */
export const writeCopy = (of: DraftOf, copy: DeviceCopy): boolean => storeValue(copyName(of), copy)

export const removeCopy = (of: DraftOf): boolean => storeText(copyName(of), null)

/** The change to the listing is saved or discarded, whichever person on this phone made it. */
export function forgetChange(listingId: string): void {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(`${OWN_ON_DEVICE}draft-`))
    for (const name of names) if (name.endsWith(`-of-${listingId}`)) localStorage.removeItem(name)
  } catch {
    // A browser that blocks its storage holds no copy.
  }
}

const MOST_DONE = 50
const doneName = (ownerId: number) => `${OWN_ON_DEVICE}sell-done-${ownerId}`

function readDone(ownerId: number): string[] {
  const keys = valueOnDevice(doneName(ownerId))
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
}

/** Whether a listing with this key was submitted: a copy of the form on this phone may still hold it. */
export const isDone = (ownerId: number, key: string) => readDone(ownerId).includes(key)

/** A full storage forgets it; the outbox itself still knows what waits. */
export function noteDone(ownerId: number, key: string): void {
  storeValue(doneName(ownerId), [...readDone(ownerId), key].slice(-MOST_DONE))
}

// The key and the texts of the form that this window submitted last. A window that forbids its storage knows neither: then the next visit to
// the form removes the copy on the device.
const KEY = 'sell-sending'
const TEXTS = 'sell-sent-texts'

/** Runs just before the submit: the key identifies the copy on the device once its listing is made. */
export function noteSending(typed: Typed): void {
  try {
    sessionStorage.setItem(KEY, typed.key ?? '')
    sessionStorage.setItem(TEXTS, canonical(typed))
  } catch {
    // See above.
  }
}

/** Submitted from this window, and changed since: that is another animal. */
export function isAnotherSince(typed: Typed): boolean {
  try {
    return sessionStorage.getItem(KEY) === typed.key && sessionStorage.getItem(TEXTS) !== canonical(typed)
  } catch {
    return false
  }
}

/** The listing is made. A copy under another key stays: the person has begun another listing since. */
export function forgetSentCopy(ownerId: number): void {
  const copy = readCopy({ ownerId })
  try {
    const sent = sessionStorage.getItem(KEY)
    if (sent) noteDone(ownerId, sent)
    if (copy && copy.typed.key === sent) removeCopy({ ownerId })
  } catch {
    // See above.
  }
}

/** A full or missing store is no reason to stop: the picture is still in the page. */
async function quietly<T>(act: () => Promise<T>, instead: T): Promise<T> {
  try {
    return await act()
  } catch {
    return instead
  }
}

/**
 * Photos that are not uploaded yet, stored on the phone: a closed page or an empty battery must not lose them. Browsers
 * without a cache (plain http) have them only as long as the page is open.
 */
export function photoStore({ ownerId, listingId }: DraftOf) {
  const cacheName = `${OWN_ON_DEVICE}photos-${ownerId}${listingId === undefined ? '' : `-of-${listingId}`}`
  const open = () => caches.open(cacheName)
  const addressOf = (name: string) => `/sell-photo/${name}`
  const readAll = async () => {
    const cache = await open()
    const found = (await cache.keys()).map(async (request) => ({
      name: new URL(request.url).pathname.split('/').at(-1)!,
      picture: await (await cache.match(request))!.blob(),
    }))
    return (await Promise.all(found)).toSorted((a, b) => a.name.localeCompare(b.name))
  }
  return {
    /** False: the phone is full, or has no cache. */
    put: (name: string, picture: Blob) =>
      quietly(async () => (await (await open()).put(addressOf(name), new Response(picture)), true), false),
    remove: (name: string) => quietly(async () => (await open()).delete(addressOf(name)), false),
    clear: () => quietly(() => caches.delete(cacheName), false),
    /** In the order in which they came. */
    all: () => quietly(readAll, []),
  }
}

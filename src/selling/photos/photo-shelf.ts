import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'

/**
 * Pictures that are not uploaded yet, stored on the phone itself: a closed page or an empty battery must not lose them. Browsers without a
 * store (plain http) keep them only as long as the page is open.
 */
interface PhotoShelf {
  /** False where it could not be stored: the phone is full, or has no store. */
  put(name: string, picture: Blob): Promise<boolean>
  remove(name: string): Promise<void>
  /** In the order in which they came. */
  all(): Promise<{ name: string; picture: Blob }[]>
  clear(): Promise<void>
}

/** `listingId`: of the edit form of that listing; else of the sell form. */
export function photoShelf(ownerId: number, listingId?: number): PhotoShelf {
  const shelf = `${OWN_ON_DEVICE}photos-${ownerId}${listingId === undefined ? '' : `-of-${listingId}`}`
  const addressOf = (name: string) => `/sell-photo/${name}`
  const open = () => caches.open(shelf)
  /** A full or missing store is no reason to stop: the picture is still in the page. */
  const quietly = async <T>(act: () => Promise<T>, instead: T): Promise<T> => {
    try {
      return await act()
    } catch {
      return instead
    }
  }
  return {
    put: (name, picture) => quietly(async () => (await (await open()).put(addressOf(name), new Response(picture)), true), false),
    remove: (name) => quietly(async () => void (await (await open()).delete(addressOf(name))), undefined),
    clear: () => quietly(async () => void (await caches.delete(shelf)), undefined),
    all: () =>
      quietly(async () => {
        const store = await open()
        const found = await Promise.all(
          (await store.keys()).map(async (request) => ({
            name: new URL(request.url).pathname.split('/').at(-1)!,
            picture: await (await store.match(request))!.blob(),
          })),
        )
        return found.toSorted((a, b) => a.name.localeCompare(b.name))
      }, []),
  }
}

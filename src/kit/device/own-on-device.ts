/**
 * What a person's own pages keep on the device itself begins with this, in the local storage and in the cache of pictures: a
 * half-written form, pictures that wait for a line. A phone is often a family's, so it goes when its owner logs out.
 */
export const OWN_ON_DEVICE = 'own:'

export function forgetOwnOnDevice(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(OWN_ON_DEVICE)) localStorage.removeItem(key)
    // Missing on plain http.
    void globalThis.caches
      ?.keys()
      .then((names) => names.filter((name) => name.startsWith(OWN_ON_DEVICE)).map((name) => caches.delete(name)))
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

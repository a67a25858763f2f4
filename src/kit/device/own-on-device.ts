/**
 * The prefix of everything that personal pages store on the device, in local storage and in the cache of pictures: a half-written form,
 * pictures that wait to be sent. Families share phones, so a logout deletes it.
 */
export const OWN_ON_DEVICE = 'own:'

export function forgetOwnOnDevice(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(OWN_ON_DEVICE)) localStorage.removeItem(key)
    // `caches` does not exist on plain http.
    void globalThis.caches
      ?.keys()
      .then((names) => names.filter((name) => name.startsWith(OWN_ON_DEVICE)).map((name) => caches.delete(name)))
  } catch {
    // A browser without storage has nothing to delete.
  }
}

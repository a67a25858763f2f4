/** The animals somebody saved before logging in: ids, the newest first, on the device alone. */
const KEY = 'sandhai.saved'
/** As many as an account keeps would be asked for at once at the next login: this many are. */
const MAX_ON_DEVICE = 50

export function savedOnDevice(): number[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => Number.isSafeInteger(id)) : []
  } catch {
    // No storage in this window, or what somebody else wrote there.
    return []
  }
}

/** False where nothing can be stored. */
export function setOnDevice(id: number, isSaved: boolean): boolean {
  const others = savedOnDevice().filter((other) => other !== id)
  try {
    localStorage.setItem(KEY, JSON.stringify((isSaved ? [id, ...others] : others).slice(0, MAX_ON_DEVICE)))
    return true
  } catch {
    return false
  }
}

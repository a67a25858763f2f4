/** Ids that this device remembers under a key of its local storage, in their order; none where it remembers nothing. */
export function idsOnDevice(key: string): number[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => Number.isSafeInteger(id)) : []
  } catch {
    // No storage in this window, or what somebody else wrote there.
    return []
  }
}

/** False where nothing can be stored. */
export function storeIds(key: string, ids: readonly number[]): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(ids))
    return true
  } catch {
    return false
  }
}

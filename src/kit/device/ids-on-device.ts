import { storeValue, valueOnDevice } from './storage.ts'

/** Returns the ids stored on this device under a key, in order; empty when nothing is stored. */
export function idsOnDevice(key: string): number[] {
  const ids = valueOnDevice(key)
  return Array.isArray(ids) ? ids.filter((id) => Number.isSafeInteger(id)) : []
}

/** Returns false when the browser cannot store anything. */
export const storeIds = (key: string, ids: readonly number[]): boolean => storeValue(key, ids)

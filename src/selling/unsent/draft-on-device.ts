import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { storeText, storeValue, valueOnDevice } from '#src/kit/device/storage.ts'
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

/** Returns false when the device's storage is full or forbidden. That is no reason to stop: the server stores the draft, too. */
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

import { idsOnDevice, storeIds } from '#src/kit/device/ids-on-device.ts'

const KEY = 'sandhai.saved'
/** Limits the requests at the next login, which moves all of them to the account. */
const MAX_ON_DEVICE = 50

/** Animals saved before a login, newest first; stored on the device only. */
export const savedOnDevice = (): number[] => idsOnDevice(KEY)

/** False when storage is unavailable. */
export function setOnDevice(id: number, isSaved: boolean): boolean {
  const others = savedOnDevice().filter((other) => other !== id)
  return storeIds(KEY, (isSaved ? [id, ...others] : others).slice(0, MAX_ON_DEVICE))
}

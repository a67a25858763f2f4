import { idsOnDevice, storeIds } from '#src/kit/device/ids-on-device.ts'

const KEY = 'sandhai.saved'
/** As many as an account keeps would be asked for at once at the next login: this many are. */
const MAX_ON_DEVICE = 50

/** The animals somebody saved before logging in: the newest first, on the device alone. */
export const savedOnDevice = (): number[] => idsOnDevice(KEY)

/** False where nothing can be stored. */
export function setOnDevice(id: number, isSaved: boolean): boolean {
  const others = savedOnDevice().filter((other) => other !== id)
  return storeIds(KEY, (isSaved ? [id, ...others] : others).slice(0, MAX_ON_DEVICE))
}

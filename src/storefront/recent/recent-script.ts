import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { idsOnDevice, storeIds } from '#src/kit/device/ids-on-device.ts'

/** It goes when its owner logs out. */
const KEY = `${OWN_ON_DEVICE}recent`
const MAX_RECENT = 12

/** What was looked at stands on this device alone; the page is the same for everybody. */
export function startRecent(): void {
  const seen = Number(document.querySelector<HTMLElement>('[data-view-of]')?.dataset.viewOf ?? 0)
  const others = idsOnDevice(KEY).filter((id) => id !== seen)
  if (seen > 0) storeIds(KEY, [seen, ...others].slice(0, MAX_RECENT))
  const row = document.querySelector<HTMLElement>('[data-recent]')
  if (!row || others.length === 0) return
  // At once, before what they are is known: what stands below it does not move later.
  row.hidden = false
  row.querySelector<HTMLElement>('[data-recent-clear]')!.onclick = () => {
    storeIds(KEY, seen > 0 ? [seen] : [])
    row.hidden = true
  }
  import('./recent-cards.ts')
    .then(({ showCards }) => showCards(row, others.slice(0, MAX_RECENT)))
    // What is sold or gone is remembered no longer.
    .then((shown) => storeIds(KEY, [...(seen > 0 ? [seen] : []), ...shown]))
    // Offline: another time.
    .catch(() => (row.hidden = true))
}

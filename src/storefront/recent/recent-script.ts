import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { idsOnDevice, storeIds } from '#src/kit/device/ids-on-device.ts'

/** A logout deletes it. */
const KEY = `${OWN_ON_DEVICE}recent`
const MAX_RECENT = 12

/** The viewed animals are stored on this device only; the page is the same for everybody. */
export function startRecent(): void {
  const viewedId = Number(document.querySelector<HTMLElement>('[data-view-of]')?.dataset.viewOf ?? 0)
  const others = idsOnDevice(KEY).filter((id) => id !== viewedId)
  if (viewedId > 0) storeIds(KEY, [viewedId, ...others].slice(0, MAX_RECENT))
  const row = document.querySelector<HTMLElement>('[data-recent]')
  if (!row || others.length === 0) return
  // Show the row before its cards arrive, so that the content below does not move later.
  row.hidden = false
  row.querySelector<HTMLElement>('[data-recent-clear]')!.onclick = () => {
    storeIds(KEY, viewedId > 0 ? [viewedId] : [])
    row.hidden = true
  }
  import('./recent-cards.ts')
    .then(({ showCards }) => showCards(row, others.slice(0, MAX_RECENT)))
    // Forget sold and removed animals.
    .then((shown) => storeIds(KEY, [...(viewedId > 0 ? [viewedId] : []), ...shown]))
    // Offline: hide the row.
    .catch(() => (row.hidden = true))
}

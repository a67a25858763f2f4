import { localeOfPath, localized } from '#src/kit/text/locale.ts'
import { nearOnDevice, noteNear } from '#src/storefront/list/near-place.ts'

/** The page is the same for everybody, so the near animals load from the place's list after the first paint. */
export function startNearRow(): void {
  const row = document.querySelector<HTMLElement>('[data-near-row]')
  const near = nearOnDevice()
  if (!row || near === null) return
  const hide = () => delete document.documentElement.dataset.near
  row.querySelector<HTMLElement>('[data-near-clear]')!.onclick = () => {
    noteNear(null)
    hide()
  }
  const list = `${localized('/buy/0', localeOfPath(location.pathname))}?${new URLSearchParams({ near, sort: 'nearest' })}`
  row.querySelector('a')!.href = list
  import('./near-row-cards.ts')
    .then(({ showNearest }) => showNearest(row.querySelector('ul')!, list))
    // Offline or empty: hide the row.
    .catch(hide)
}

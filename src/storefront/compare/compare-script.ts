import { idsOnDevice, storeIds } from '#src/kit/device/ids-on-device.ts'
import { answerToggles, showToggle } from '#src/document/toggle-links.ts'
import { MAX_COMPARED } from './compare-path.ts'

const KEY = 'sandhai.compare'

/** The compared animals are stored on this device only, and in the comparison's URL. */
export function startCompare(): void {
  // On the comparison page: removing an animal also removes it on the device.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLElement>('[data-uncompare]') : null
    if (link)
      storeIds(
        KEY,
        idsOnDevice(KEY).filter((id) => id !== Number(link.dataset.uncompare)),
      )
  })
  const tray = document.querySelector<HTMLElement>('[data-compare-tray]')
  if (!tray) return
  answerToggles('[data-compare]', ({ dataset }) => {
    const id = Number(dataset.compare)
    const chosen = idsOnDevice(KEY)
    const isFull = !chosen.includes(id) && chosen.length >= MAX_COMPARED
    if (!isFull) storeIds(KEY, chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
    showCompared(isFull)
  })
  tray.querySelector('[data-clear]')!.addEventListener('click', () => {
    storeIds(KEY, [])
    showCompared()
  })
  showCompared()
  // For a return by Back from the comparison or a product page.
  addEventListener('pageshow', (event) => event.persisted && showCompared())
}

/** Also updates toggles that were added to the page later. */
export function showCompared(isFull = false): void {
  const tray = document.querySelector<HTMLElement>('[data-compare-tray]')
  if (!tray) return
  const chosen = idsOnDevice(KEY)
  for (const toggle of document.querySelectorAll<HTMLElement>('[data-compare]'))
    showToggle(toggle, chosen.includes(Number(toggle.dataset.compare)))
  tray.hidden = chosen.length === 0
  tray.querySelector('a')!.search = `?ids=${chosen.join(',')}`
  tray.querySelector('[data-count]')!.textContent = `${chosen.length}/${MAX_COMPARED}`
  tray.querySelector<HTMLElement>('[data-full]')!.hidden = !isFull
}

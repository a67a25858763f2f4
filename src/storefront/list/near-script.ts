import { cellOf } from '#src/addresses/places.ts'
import { nearOnDevice } from './near-place.ts'

/** Long enough for a person to answer the permission prompt. A location of some minutes ago is good enough. */
const ASKED = { timeout: 20_000, maximumAge: 600_000 }

/** The list of this link, sorted by distance from a place. */
function nearList(link: HTMLElement, near: string): URL {
  const list = new URL(link.dataset.nearMe!, location.href)
  list.searchParams.set('near', near)
  return list
}

/** A list that waits for a place takes the one that this device has stored. */
export function goNearStoredPlace(): void {
  const link = document.querySelector<HTMLElement>('[data-place-missing] [data-near-me]')
  const near = nearOnDevice()
  if (link && near !== null) location.replace(nearList(link, near))
}

/**
 * Opens the list sorted by distance. The URL contains only a coarse cell of the phone's location. `onFailure` runs when the phone gives no location.
 */
export function goNearMe(link: HTMLElement, onFailure: () => void): void {
  const label = link.querySelector('span')!
  const text = label.textContent
  const fail = () => {
    link.ariaBusy = null
    label.textContent = text
    onFailure()
  }
  // Old browsers, and pages over plain http.
  if (!navigator.geolocation) return fail()
  if (link.ariaBusy === 'true') return
  link.ariaBusy = 'true'
  label.textContent = link.dataset.looking!
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      // Reset the chip for a return by Back.
      link.ariaBusy = null
      label.textContent = text
      location.assign(nearList(link, cellOf({ lat: coords.latitude, lon: coords.longitude })))
    },
    fail,
    ASKED,
  )
}

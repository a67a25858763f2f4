import { cellOf } from '#src/addresses/places.ts'

/** Long enough for a person to answer the phone's question; a place of some minutes ago is as good. */
const ASKED = { timeout: 20_000, maximumAge: 600_000 }

/** Opens the list with the nearest first. Only a coarse cell of where the phone is goes into the address. `onFailure`: it does not say. */
export function goNearMe(link: HTMLElement, onFailure: () => void): void {
  const words = link.querySelector('span')!
  const text = words.textContent
  const fail = () => {
    link.ariaBusy = null
    words.textContent = text
    onFailure()
  }
  // Old browsers, and pages that came by plain http.
  if (!navigator.geolocation) return fail()
  if (link.ariaBusy === 'true') return
  link.ariaBusy = 'true'
  words.textContent = link.dataset.looking!
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const list = new URL(link.dataset.nearMe!, location.href)
      list.searchParams.set('near', cellOf({ lat: coords.latitude, lon: coords.longitude }))
      list.searchParams.set('sort', 'nearest')
      // Back from it, the chip is as it was.
      link.ariaBusy = null
      words.textContent = text
      location.assign(list)
    },
    fail,
    ASKED,
  )
}

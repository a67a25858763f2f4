import { kilometresBetween, type Point } from '#src/addresses/places.ts'
import { sequenceOf } from '#src/orders/run-sheet/sequence.ts'

interface Placed {
  id: number
  /** Null: the place has no coordinates. */
  at: Point | null
}

interface Leg<Stop> {
  stop: Stop
  /** From the previous stop, or from the start for the first stop; null when either place is unknown. */
  kilometres: number | null
}

/** A short open route from the start through all stops. Stops without coordinates come last. */
export function shortRoute<Stop extends Placed>(start: Point | null, stops: readonly Stop[]): Leg<Stop>[] {
  const visits = stops
    .filter(({ at }) => at !== null)
    .map((stop) => ({ stop, orderId: stop.id, kind: 'bring' as const, at: stop.at, window: null }))
  const route = [...sequenceOf(visits, start).map(({ stop }) => stop), ...stops.filter(({ at }) => at === null)]
  return route.map((stop, n) => {
    const before = n === 0 ? start : route[n - 1]?.at
    return { stop, kilometres: before && stop.at ? kilometresBetween(before, stop.at) : null }
  })
}

export const lengthOf = (route: readonly Leg<unknown>[]): number => route.reduce((sum, { kilometres }) => sum + (kilometres ?? 0), 0)

/** Google Maps takes nine points between the start and the end. */
const MOST_ON_MAP = 10

/** A URL for directions through the first ten of these points from the phone's location. Null without points. */
export function mapAddress(points: readonly Point[]): string | null {
  const texts = points.slice(0, MOST_ON_MAP).map(({ lat, lon }) => `${lat},${lon}`)
  const destination = texts.pop()
  if (destination === undefined) return null
  const query = new URLSearchParams({ api: '1', destination, travelmode: 'driving' })
  if (texts.length > 0) query.set('waypoints', texts.join('|'))
  return `https://www.google.com/maps/dir/?${query}`
}

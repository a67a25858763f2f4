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

/** URLs for directions from the phone's location, each through the next ten of these points. */
export function mapLinks(points: readonly Point[]) {
  const texts = points.map(({ lat, lon }) => `${lat},${lon}`)
  return Array.from({ length: Math.ceil(texts.length / MOST_ON_MAP) }, (_, n) => {
    const waypoints = texts.slice(n * MOST_ON_MAP, (n + 1) * MOST_ON_MAP)
    const [from, to] = [n * MOST_ON_MAP + 1, n * MOST_ON_MAP + waypoints.length]
    const query = new URLSearchParams({ api: '1', destination: waypoints.pop() ?? '', travelmode: 'driving' })
    if (waypoints.length > 0) query.set('waypoints', waypoints.join('|'))
    return { stops: from === to ? `${from}` : `${from}–${to}`, address: `https://www.google.com/maps/dir/?${query}` }
  })
}

import { kilometresBetween, type Point } from '#src/addresses/places.ts'

interface Placed {
  /** Null: the place has no coordinates. */
  at: Point | null
}

interface Leg<Stop> {
  stop: Stop
  /** From the previous stop, or from the start for the first stop; null when either place is unknown. */
  kilometres: number | null
}

/**
 * The shortest open route from the start through all stops. Tries every order, because a vet holds few animals (MAX_HOLDS). Equally short routes keep
 * the earlier stop first; stops without coordinates come last.
 */
export function shortestRoute<Stop extends Placed>(start: Point | null, stops: readonly Stop[]): Leg<Stop>[] {
  const unplaced = stops.filter(({ at }) => at === null).map((stop) => ({ stop, kilometres: null }))
  return [
    ...shortestFrom(
      start,
      stops.filter(({ at }) => at !== null),
    ),
    ...unplaced,
  ]
}

function shortestFrom<Stop extends Placed>(start: Point | null, stops: readonly Stop[]): Leg<Stop>[] {
  const routes = stops.map((stop) => {
    const kilometres = start && stop.at ? kilometresBetween(start, stop.at) : null
    const rest = stops.filter((other) => other !== stop)
    return [{ stop, kilometres }, ...shortestFrom(stop.at, rest)]
  })
  return routes.length === 0 ? [] : routes.reduce((best, route) => (lengthOf(route) < lengthOf(best) ? route : best))
}

export const lengthOf = (route: readonly Leg<unknown>[]): number => route.reduce((sum, { kilometres }) => sum + (kilometres ?? 0), 0)

/** A URL for directions through these points from the phone's location. Null without points. */
export function mapAddress(points: readonly Point[]): string | null {
  const texts = points.map(({ lat, lon }) => `${lat},${lon}`)
  const destination = texts.pop()
  if (destination === undefined) return null
  const query = new URLSearchParams({ api: '1', destination, travelmode: 'driving' })
  if (texts.length > 0) query.set('waypoints', texts.join('|'))
  return `https://www.google.com/maps/dir/?${query}`
}

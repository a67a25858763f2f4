import { kilometresBetween, type Point } from '#src/addresses/places.ts'

interface Placed {
  /** Null: the place is not on our map. */
  at: Point | null
}

interface Leg<Stop> {
  stop: Stop
  /** From the stop before, the first one from the start; null where one of the two is unknown. */
  kilometres: number | null
}

/**
 * The shortest route through all stops, from the start to wherever it ends. It tries every sequence: a vet holds few animals (MAX_HOLDS).
 * Of equally short ones the earlier stop stays in front; those that are not on our map come last.
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

/** Directions through these points on the phone's map, from where the phone is. Null without a point. */
export function mapAddress(points: readonly Point[]): string | null {
  const texts = points.map(({ lat, lon }) => `${lat},${lon}`)
  const destination = texts.pop()
  if (destination === undefined) return null
  const query = new URLSearchParams({ api: '1', destination, travelmode: 'driving' })
  if (texts.length > 0) query.set('waypoints', texts.join('|'))
  return `https://www.google.com/maps/dir/?${query}`
}

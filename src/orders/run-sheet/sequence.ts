import { kilometresBetween, type Point } from '#src/addresses/places.ts'

/** A stop of the bearer: fetching or delivering one order. */
export interface Stop {
  orderId: number
  kind: 'fetch' | 'bring'
  /** Null: the place has no coordinates. */
  at: Point | null
  /** Time of day of a delivery: 0 morning, 1 midday, 2 evening; null: any. */
  window: number | null
}

/** Longer tours get no 2-opt, so that the search stays fast. */
const MAX_STOPS_IMPROVED = 40
/** Up to this many stops, a bearer's usual day, the search improves the tour from every start. */
const MAX_STOPS_FROM_ALL = 12
/** A delivery at the wrong time of day costs as much as this many kilometres. */
const WRONG_TIME_KM = 1000
/** Assumed distance to a place without coordinates. */
const UNKNOWN_KM = 30

/**
 * A short sequence of stops: fetches each order before its delivery, and delivers the morning's before the evening's. Takes the nearest
 * neighbour from each possible start, then improves the best tours by reversing and moving parts (2-opt). Deterministic.
 */
export function sequenceOf<S extends Stop>(unsorted: readonly S[]): S[] {
  const stops = unsorted.toSorted((a, b) => a.orderId - b.orderId || (a.kind === 'fetch' ? -1 : 1))
  if (stops.length < 2) return stops
  const starts = stops.filter((stop) => isPossible(stop, stops))
  const tours = starts.map((start) => nearestFrom(start, stops))
  const shortest = (of: S[][]) => of.reduce((a, b) => (costOf(b) < costOf(a) ? b : a))
  if (stops.length > MAX_STOPS_IMPROVED) return shortest(tours)
  return stops.length > MAX_STOPS_FROM_ALL ? improved(shortest(tours)) : shortest(tours.map((tour) => improved(tour)))
}

function nearestFrom<S extends Stop>(start: S, stops: readonly S[]): S[] {
  const tour = [start]
  const remaining = new Set(stops)
  remaining.delete(start)
  while (remaining.size > 0) {
    const last = tour.at(-1)!
    const possible = [...remaining].filter((stop) => isPossible(stop, remaining))
    const next = possible.reduce((a, b) => (stepCost(last, b) < stepCost(last, a) ? b : a))
    tour.push(next)
    remaining.delete(next)
  }
  return tour
}

/** A delivery is impossible while its order is still to fetch. */
const isPossible = (stop: Stop, remaining: Iterable<Stop>): boolean =>
  stop.kind === 'fetch' || ![...remaining].some(({ kind, orderId }) => kind === 'fetch' && orderId === stop.orderId)

function improved<S extends Stop>(tour: S[]): S[] {
  for (let best = tour; ;) {
    const better = shorter(best)
    if (!better) return best
    best = better
  }
}

/** The first change that shortens the tour and keeps it valid; null when there is none. */
function shorter<S extends Stop>(tour: S[]): S[] | null {
  const cost = costOf(tour)
  for (let from = 0; from < tour.length; from++)
    for (let to = from + 1; to < tour.length; to++) {
      const reversed = [...tour.slice(0, from), ...tour.slice(from, to + 1).toReversed(), ...tour.slice(to + 1)]
      const movedLater = [...tour.slice(0, from), ...tour.slice(from + 1, to + 1), tour[from]!, ...tour.slice(to + 1)]
      const movedEarlier = [...tour.slice(0, from), tour[to]!, ...tour.slice(from, to), ...tour.slice(to + 1)]
      // The margin stops rounding errors from causing an endless loop.
      for (const changed of [reversed, movedLater, movedEarlier]) if (isTour(changed) && costOf(changed) < cost - 1e-6) return changed
    }
  return null
}

/** Each order is fetched before it is delivered. */
function isTour(tour: readonly Stop[]): boolean {
  const delivered = new Set<number>()
  for (const { kind, orderId } of tour) {
    if (kind === 'bring') delivered.add(orderId)
    else if (delivered.has(orderId)) return false
  }
  return true
}

const stepCost = (a: Stop, b: Stop): number =>
  (a.at && b.at ? kilometresBetween(a.at, b.at) : UNKNOWN_KM) +
  (a.window !== null && b.window !== null && b.window < a.window ? WRONG_TIME_KM : 0)

/** Straight-line kilometres, plus the penalty for deliveries at the wrong time of day. */
export function costOf(tour: readonly Stop[]): number {
  let cost = 0
  let latest = 0
  for (const [n, stop] of tour.entries()) {
    const before = tour[n - 1]
    if (before) cost += before.at && stop.at ? kilometresBetween(before.at, stop.at) : UNKNOWN_KM
    if (stop.window === null) continue
    if (stop.window < latest) cost += WRONG_TIME_KM
    latest = Math.max(latest, stop.window)
  }
  return cost
}

import { kilometresBetween, type Point } from '#src/addresses/places.ts'

/** A place where the bearer stops: to fetch an order, or to hand it over. */
export interface Stop {
  orderId: number
  kind: 'fetch' | 'bring'
  /** Null: the place is not on our map. */
  at: Point | null
  /** Time of day of a delivery: 0 morning, 1 midday, 2 evening; null: any. */
  window: number | null
}

/** More than this is done in several days; the search stays quick. */
const MOST_IMPROVED = 40
/** So many are improved from every start: a bearer's usual day. */
const MOST_FROM_ALL = 12
/** A delivery in the wrong half of the day costs as much as a day of driving. */
const WRONG_TIME_KM = 1000
/** For a place that is not on our map: neither near nor far. */
const UNKNOWN_KM = 30

/**
 * A sensible sequence of stops: short, each order fetched before it is brought, the morning's deliveries before the evening's. Nearest
 * neighbour from each possible start, the best of them made shorter by turning and moving parts (2-opt). Equal input gives equal output.
 */
export function sequenceOf<Any extends Stop>(unsorted: readonly Any[]): Any[] {
  const stops = unsorted.toSorted((a, b) => a.orderId - b.orderId || (a.kind === 'fetch' ? -1 : 1))
  if (stops.length < 2) return stops
  const starts = stops.filter((stop) => isPossible(stop, stops))
  const tours = starts.map((start) => nearestFrom(start, stops))
  const shortest = (of: Any[][]) => of.reduce((a, b) => (costOf(b) < costOf(a) ? b : a))
  if (stops.length > MOST_IMPROVED) return shortest(tours)
  return stops.length > MOST_FROM_ALL ? improved(shortest(tours)) : shortest(tours.map((tour) => improved(tour)))
}

function nearestFrom<Any extends Stop>(start: Any, stops: readonly Any[]): Any[] {
  const tour = [start]
  const left = new Set(stops)
  left.delete(start)
  while (left.size > 0) {
    const last = tour.at(-1)!
    const possible = [...left].filter((stop) => isPossible(stop, left))
    const next = possible.reduce((a, b) => (stepCost(last, b) < stepCost(last, a) ? b : a))
    tour.push(next)
    left.delete(next)
  }
  return tour
}

/** What is brought is not still to be fetched. */
const isPossible = (stop: Stop, left: Iterable<Stop>): boolean =>
  stop.kind === 'fetch' || ![...left].some(({ kind, orderId }) => kind === 'fetch' && orderId === stop.orderId)

function improved<Any extends Stop>(tour: Any[]): Any[] {
  for (let best = tour; ;) {
    const better = shorter(best)
    if (!better) return best
    best = better
  }
}

/** The first change that makes the tour shorter and keeps it possible. */
function shorter<Any extends Stop>(tour: Any[]): Any[] | null {
  const cost = costOf(tour)
  for (let from = 0; from < tour.length; from++)
    for (let to = from + 1; to < tour.length; to++) {
      const turned = [...tour.slice(0, from), ...tour.slice(from, to + 1).toReversed(), ...tour.slice(to + 1)]
      const later = [...tour.slice(0, from), ...tour.slice(from + 1, to + 1), tour[from]!, ...tour.slice(to + 1)]
      const earlier = [...tour.slice(0, from), tour[to]!, ...tour.slice(from, to), ...tour.slice(to + 1)]
      // A hair more than equal: no change back and forth for ever.
      for (const changed of [turned, later, earlier]) if (isTour(changed) && costOf(changed) < cost - 1e-6) return changed
    }
  return null
}

/** Nothing is fetched after it was brought. */
function isTour(tour: readonly Stop[]): boolean {
  const brought = new Set<number>()
  for (const { kind, orderId } of tour) {
    if (kind === 'bring') brought.add(orderId)
    else if (brought.has(orderId)) return false
  }
  return true
}

const stepCost = (a: Stop, b: Stop): number =>
  (a.at && b.at ? kilometresBetween(a.at, b.at) : UNKNOWN_KM) +
  (a.window !== null && b.window !== null && b.window < a.window ? WRONG_TIME_KM : 0)

/** Kilometres as the crow flies, and what deliveries at the wrong time of day cost. */
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

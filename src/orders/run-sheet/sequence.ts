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
 * A short sequence of stops: fetches each order before its delivery, and delivers the morning's before the evening's,
 * on a day of any length. `from` is the bearer's last known place; null before their first act. Takes the nearest
 * neighbour from the possible starts, then improves the best tours by reversing and moving parts (2-opt).
 * Deterministic.
 */
export function sequenceOf<S extends Stop>(unsorted: readonly S[], from: Point | null = null): S[] {
  // Fetches come before equally near deliveries, so that the animals of one farm are loaded together.
  const isBring = ({ kind }: S) => Number(kind === 'bring')
  const stops = unsorted.toSorted((a, b) => isBring(a) - isBring(b) || a.orderId - b.orderId)
  if (stops.length < 2) return stops
  const remaining = new Remaining(stops)
  const kmTo = ({ at }: S) => kmBetween(from, at)
  const starts = stops.filter((stop) => remaining.isPossible(stop)).toSorted((a, b) => kmTo(a) - kmTo(b))
  const isLong = stops.length > MAX_STOPS_IMPROVED
  const tours = (isLong ? starts.slice(0, 1) : starts).map((start) => nearestFrom(start, stops))
  const shortest = (of: S[][]) => of.reduce((a, b) => (costOf(b, from) < costOf(a, from) ? b : a))
  if (isLong) return shortest(tours)
  if (stops.length > MAX_STOPS_FROM_ALL) return improved(shortest(tours), from)
  return shortest(tours.map((tour) => improved(tour, from)))
}

/** The stops that a tour has not reached yet. */
class Remaining<S extends Stop> {
  readonly stops: Set<S>
  readonly #toFetch: Set<number>
  /** The earliest time of day of a remaining delivery. */
  #earliest: number
  constructor(stops: readonly S[]) {
    this.stops = new Set(stops)
    this.#toFetch = new Set(stops.filter(({ kind }) => kind === 'fetch').map(({ orderId }) => orderId))
    this.#earliest = earliestOf(stops)
  }
  /** A delivery must wait for its own fetch and for the deliveries of every earlier time of day. */
  isPossible({ kind, orderId, window }: S): boolean {
    return kind === 'fetch' || (!this.#toFetch.has(orderId) && (window === null || window <= this.#earliest))
  }
  reach(stop: S): void {
    this.stops.delete(stop)
    if (stop.kind === 'fetch') this.#toFetch.delete(stop.orderId)
    else if (stop.window !== null) this.#earliest = earliestOf(this.stops)
  }
}

function earliestOf(stops: Iterable<Stop>): number {
  let earliest = Infinity
  for (const { window } of stops) if (window !== null && window < earliest) earliest = window
  return earliest
}

function nearestFrom<S extends Stop>(start: S, stops: readonly S[]): S[] {
  const remaining = new Remaining(stops)
  const tour: S[] = []
  for (let next: S | undefined = start; next; next = nearest(next, remaining)) {
    tour.push(next)
    remaining.reach(next)
  }
  return tour
}

function nearest<S extends Stop>(last: S, remaining: Remaining<S>): S | undefined {
  let found: S | undefined
  let foundKm = Infinity
  for (const stop of remaining.stops) {
    if (!remaining.isPossible(stop)) continue
    const km = kmBetween(last.at, stop.at)
    if (km < foundKm) [found, foundKm] = [stop, km]
  }
  return found
}

function improved<S extends Stop>(tour: S[], from: Point | null): S[] {
  for (let best = tour; ;) {
    const better = shorter(best, from)
    if (!better) return best
    best = better
  }
}

/** The first change that shortens the tour and keeps it valid; null when there is none. */
function shorter<S extends Stop>(tour: S[], start: Point | null): S[] | null {
  const cost = costOf(tour, start)
  for (let from = 0; from < tour.length; from++)
    for (let to = from + 1; to < tour.length; to++) {
      const reversed = [...tour.slice(0, from), ...tour.slice(from, to + 1).toReversed(), ...tour.slice(to + 1)]
      const movedLater = [...tour.slice(0, from), ...tour.slice(from + 1, to + 1), tour[from]!, ...tour.slice(to + 1)]
      const movedEarlier = [...tour.slice(0, from), tour[to]!, ...tour.slice(from, to), ...tour.slice(to + 1)]
      // The margin stops rounding errors from causing an endless loop.
      for (const changed of [reversed, movedLater, movedEarlier])
        if (isTour(changed) && costOf(changed, start) < cost - 1e-6) return changed
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

const kmBetween = (a: Point | null, b: Point | null): number => (a && b ? kilometresBetween(a, b) : UNKNOWN_KM)

/** Straight-line kilometres from `from` on, plus the penalty for deliveries at the wrong time of day. */
export function costOf(tour: readonly Stop[], from: Point | null = null): number {
  let cost = 0
  let latest = 0
  for (const [n, stop] of tour.entries()) {
    const before = n === 0 ? from && { at: from } : tour[n - 1]
    if (before) cost += kmBetween(before.at, stop.at)
    if (stop.window === null) continue
    if (stop.window < latest) cost += WRONG_TIME_KM
    latest = Math.max(latest, stop.window)
  }
  return cost
}

/** Straight-line kilometres of the tour from `from` on, between the places that have coordinates. */
export function kilometresOf(tour: readonly Stop[], from: Point | null = null): number {
  let sum = 0
  let last = from
  for (const { at } of tour) {
    if (last && at) sum += kilometresBetween(last, at)
    last = at ?? last
  }
  return sum
}

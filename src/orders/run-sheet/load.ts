import type { Stop } from './sequence.ts'

/** A stop with what is loaded or unloaded there. */
export interface LoadedStop extends Stop {
  categoryId: number
  /** The number of animals. */
  count: number
}

/** How many animals need the place of one cow, by category. Feed and equipment count nothing. */
const PER_COW = new Map([
  [1, 1],
  [2, 6],
  [3, 6],
  [4, 60],
  [5, 6],
  [6, 1],
])

const cowsOf = ({ categoryId, count }: LoadedStop): number => {
  const perCow = PER_COW.get(categoryId)
  return perCow === undefined ? 0 : count / perCow
}

/**
 * The fullest the vehicle gets on this tour, in places of a cow, rounded up. Animals with a delivery but no fetch are
 * on board from the start.
 */
export function fullestOf(tour: readonly LoadedStop[]): number {
  const toFetch = new Set(tour.filter(({ kind }) => kind === 'fetch').map(({ orderId }) => orderId))
  const onBoard = tour.filter(({ orderId }) => !toFetch.has(orderId))
  let load = onBoard.reduce((sum, stop) => sum + cowsOf(stop), 0)
  let fullest = load
  for (const stop of tour) {
    load += stop.kind === 'fetch' ? cowsOf(stop) : -cowsOf(stop)
    fullest = Math.max(fullest, load)
  }
  // The margin keeps six sixths from becoming two.
  return Math.ceil(Math.max(fullest - 1e-6, 0))
}

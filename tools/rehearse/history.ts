/** The acts of one buyer, and their orders in the database afterwards. */
export interface Entry {
  buyerId: number
  listingId: number
  /** The order in the successful answer; null when the buyer got none and knows nothing. */
  acknowledged: string | null
  /** The ids of their orders in the database. */
  orders: string[]
}

export interface Shelf {
  listingId: number
  before: number
  after: number
}

export interface Verdict {
  acknowledged: number
  placed: number
  lost: number[]
  doubled: number[]
  wrongStock: number[]
}

/** Checks that no acknowledged order is lost, nobody has two for one, and each animal's stock fell by exactly the ordered number. */
export function judge(entries: Entry[], shelves: Shelf[]): Verdict {
  const placed = Map.groupBy(entries, ({ listingId }) => listingId)
  const ordered = (id: number) => (placed.get(id) ?? []).reduce((sum, { orders }) => sum + orders.length, 0)
  return {
    acknowledged: entries.filter(({ acknowledged }) => acknowledged !== null).length,
    placed: entries.reduce((sum, { orders }) => sum + orders.length, 0),
    lost: entries.filter(({ acknowledged, orders }) => acknowledged !== null && orders.length === 0).map(({ buyerId }) => buyerId),
    doubled: entries.filter(({ orders }) => orders.length > 1).map(({ buyerId }) => buyerId),
    wrongStock: shelves.filter(({ listingId, before, after }) => before - after !== ordered(listingId)).map(({ listingId }) => listingId),
  }
}

export const isClean = ({ lost, doubled, wrongStock }: Verdict): boolean => lost.length + doubled.length + wrongStock.length === 0

/** The longest time without a success between `from` and `to`; all in milliseconds since the beginning. */
export function longestGap(successes: number[], from: number, to: number): number {
  const inside = [from, ...successes.filter((at) => at > from && at < to), to].sort((a, b) => a - b)
  return Math.max(...inside.slice(1).map((at, n) => at - inside[n]!))
}

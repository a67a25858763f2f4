import type { Money } from '#src/kit/time-money/money.ts'

/** SN-000042: read out over the phone, printed on documents, name of the PDF. */
export const orderNumber = (id: number) => `SN-${String(id).padStart(6, '0')}`

export const paymentMethods = ['cash', 'upi'] as const
export type PaymentMethod = (typeof paymentMethods)[number]
/** The payment at the door as somebody stated it. Null on an order: nobody has stated it (decisions.md §7.1). */
export interface Payment {
  method: PaymentMethod
  amount: Money
}
/** For this long, the same confirmation without a key counts as a repeat. */
export const SAME_CONFIRMATION_MINUTES = 10

/** The amount to pay at the door. */
export const payableOf = ({ unitPrice, count, discount }: { unitPrice: Money; count: number; discount: Money }): Money =>
  unitPrice * BigInt(count) - discount

/** Usual days from order to delivery by distance, used while too few deliveries over that distance exist. */
const usualDays = [
  { upToKm: 60, from: 2, to: 4 },
  { upToKm: 200, from: 3, to: 6 },
  { upToKm: Infinity, from: 4, to: 9 },
]

const bandOf = (kilometres: number) => usualDays.find(({ upToKm }) => kilometres <= upToKm)!

/** Minimum number of deliveries for an estimate. */
const DELIVERIES_NEEDED = 5

/** The distance of a delivery, and its days since the order. */
export interface Delivery {
  kilometres: number
  days: number
}

/**
 * Usual days until the farthest animal of an order arrives: the range of real deliveries over a similar distance, without the fastest and
 * the slowest tenth. It is an estimate, never a promise. Null when a place has no coordinates.
 */
export function expectedDays(kilometres: number | null, deliveries: Delivery[]): { from: number; to: number } | null {
  if (kilometres === null) return null
  const band = bandOf(kilometres)
  const durations = deliveries.filter((each) => bandOf(each.kilometres) === band).map(({ days }) => Math.max(1, days))
  if (durations.length < DELIVERIES_NEEDED) return { from: band.from, to: band.to }
  durations.sort((a, b) => a - b)
  const percentile = (part: number) => durations[Math.ceil(part * durations.length) - 1]!
  return { from: percentile(0.1), to: percentile(0.9) }
}

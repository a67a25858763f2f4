import type { Money } from '#src/kit/time-money/money.ts'

/** Ids and names are part of the wire (reference-data.md). No other name may contain "Delivered". 0 is a line of a cart, not an order. */
export const orderStatuses = [
  { id: 1, en: 'Order placed', ta: 'ஆர்டர் பெறப்பட்டது' },
  { id: 2, en: 'Order confirmed', ta: 'ஆர்டர் உறுதி செய்யப்பட்டது' },
  { id: 3, en: 'Health check done', ta: 'உடல்நலப் பரிசோதனை முடிந்தது' },
  { id: 4, en: 'Ready for pickup', ta: 'எடுத்துச் செல்லத் தயார்' },
  { id: 5, en: 'On the way', ta: 'வழியில் உள்ளது' },
  { id: 6, en: 'Delivered', ta: 'ஒப்படைக்கப்பட்டது' },
  { id: 100, en: 'Cancelled', ta: 'ரத்து செய்யப்பட்டது' },
  { id: 101, en: 'Refused on delivery day', ta: 'டெலிவரி நாளில் வாங்குபவர் வேண்டாம் என்றார்' },
  { id: 102, en: 'Not available', ta: 'விற்பனையாளரிடம் இல்லை' },
] as const
export type OrderStatus = (typeof orderStatuses)[number]['id']

export const PLACED = 1
export const CONFIRMED = 2
export const ON_THE_WAY = 5
export const DELIVERED = 6
export const CANCELLED = 100
export const REFUSED = 101
export const NOT_AVAILABLE = 102

export const statusName = (id: number, locale: 'ta' | 'en'): string => orderStatuses.find((each) => each.id === id)?.[locale] ?? ''

/** Delivered, and nobody has stated yet what was paid. */
export const isUnrecorded = ({ status, paymentMethod }: { status: number; paymentMethod: string | null }): boolean =>
  status === DELIVERED && paymentMethod === null

/** No step leads out of these. */
export const isTerminal = (status: number): boolean => status === DELIVERED || status >= CANCELLED
/** The order ended without a sale: stock and discount are given back. */
export const isCalledOff = (status: number): boolean => status >= CANCELLED

/** The published graph (decisions.md §4): the next statuses of each status. */
const graph: Record<number, readonly OrderStatus[]> = {
  1: [2, 102, 100],
  2: [3, 4, 102, 100],
  3: [4, 102, 100],
  4: [5, 102, 100],
  5: [6, 101, 100],
}

export const isStep = (from: number, to: number): boolean => graph[from]?.includes(to as OrderStatus) === true

/** The role in which somebody acts on an order. */
export type OrderPart = 'buyer' | 'seller' | 'admin' | 'bearer'

/** SN-000042: read out over the phone, printed on papers, the name of the PDF. */
export const orderNumber = (id: number) => `SN-${String(id).padStart(6, '0')}`

export const paymentMethods = ['cash', 'upi'] as const
export type PaymentMethod = (typeof paymentMethods)[number]
/** What was handed over at the door, as somebody stated it. Null on an order: nobody has stated it (decisions.md §7.1). */
export interface Payment {
  method: PaymentMethod
  amount: Money
}
/** The buyer's four digits may be tried this often; after that only an admin closes the order. */
export const HANDOVER_TRIES = 5
/** The same confirmation without a key is recognised for this long. */
export const SAME_CONFIRMATION_MINUTES = 10

/** What is to be paid at the door. */
export const payableOf = ({ unitPrice, count, discount }: { unitPrice: Money; count: number; discount: Money }): Money =>
  unitPrice * BigInt(count) - discount

/** Days from the order until an animal usually comes, by how far it stands, while too few have come from as far to say. */
const usualDays = [
  { upToKm: 60, from: 2, to: 4 },
  { upToKm: 200, from: 3, to: 6 },
  { upToKm: Infinity, from: 4, to: 9 },
]

const bandOf = (kilometres: number) => usualDays.find(({ upToKm }) => kilometres <= upToKm)!

/** Fewer deliveries than these do not show what is usual. */
const DELIVERIES_NEEDED = 5

/** How far an animal was brought, and how many days after its order. */
export interface Delivery {
  kilometres: number
  days: number
}

/**
 * Days until the farthest animal of an order usually comes: what deliveries over such a distance really took, without the quickest and the
 * slowest tenth. Further steps depend on people, so it is never a promise. Null where a place is not on our map.
 */
export function expectedDays(kilometres: number | null, deliveries: Delivery[]): { from: number; to: number } | null {
  if (kilometres === null) return null
  const band = bandOf(kilometres)
  const taken = deliveries.filter((each) => bandOf(each.kilometres) === band).map(({ days }) => Math.max(1, days))
  if (taken.length < DELIVERIES_NEEDED) return { from: band.from, to: band.to }
  taken.sort((a, b) => a - b)
  const at = (part: number) => taken[Math.ceil(part * taken.length) - 1]!
  return { from: at(0.1), to: at(0.9) }
}

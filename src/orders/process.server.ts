import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'

/*
 * The life of an order, from top to bottom: its parties, its statuses, and each step between two statuses. Rights,
 * buttons, the API's description, SMS, the timeline and docs/rules.md read it here. `steps/take-step.server.ts` takes
 * the steps under its locks. Only the server reads this file, so that no browser loads the texts of all SMS.
 */

/** The role in which a person acts on an order. An admin who is its buyer or seller acts as such (`partOf`). */
export type OrderPart = 'buyer' | 'seller' | 'admin' | 'bearer'
export const partTexts = {
  buyer: m.order_part_buyer,
  seller: m.order_part_seller,
  admin: m.order_part_admin,
  bearer: m.order_part_bearer,
}

/** The buyer places all rows of the cart or none; each becomes an order and takes its stock. */
export const IN_CART = 0
/** The buyer waits for the seller's answer. */
export const PLACED = 1
export const CONFIRMED = 2
export const CHECKED = 3
export const READY = 4
export const ON_THE_WAY = 5
/** The buyer has the animal. The order counts for the bonus of the person whose code its cart carried. */
export const DELIVERED = 6
export const CANCELLED = 100
export const REFUSED = 101
export const NOT_AVAILABLE = 102

/** Ids and names are on the wire (reference-data.md). No other name may contain "Delivered". */
export const orderStatuses = [
  { id: PLACED, en: 'Order placed', ta: 'ஆர்டர் பெறப்பட்டது' },
  { id: CONFIRMED, en: 'Order confirmed', ta: 'ஆர்டர் உறுதி செய்யப்பட்டது' },
  { id: CHECKED, en: 'Health check done', ta: 'உடல்நலப் பரிசோதனை முடிந்தது' },
  { id: READY, en: 'Ready for pickup', ta: 'எடுத்துச் செல்லத் தயார்' },
  { id: ON_THE_WAY, en: 'On the way', ta: 'வழியில் உள்ளது' },
  { id: DELIVERED, en: 'Delivered', ta: 'ஒப்படைக்கப்பட்டது' },
  { id: CANCELLED, en: 'Cancelled', ta: 'ரத்து செய்யப்பட்டது' },
  { id: REFUSED, en: 'Refused on delivery day', ta: 'டெலிவரி நாளில் வாங்குபவர் வேண்டாம் என்றார்' },
  { id: NOT_AVAILABLE, en: 'Not available', ta: 'விற்பனையாளரிடம் இல்லை' },
] as const
export type OrderStatus = (typeof orderStatuses)[number]['id']

export const statusName = (id: number, locale: Locale): string => orderStatuses.find((status) => status.id === id)?.[locale] ?? ''

/** The order ended without a sale. */
export const isCalledOff = (status: number): boolean => status >= CANCELLED
/** No step leads out of these statuses. Only `undoEnd` does, for an admin's own end, within seconds (decision 0127). */
export const isTerminal = (status: number): boolean => status === DELIVERED || isCalledOff(status)

/** Colour classes of a status, the same for buyer, seller and admin: waiting, in progress, done, called off. */
export function statusLook(status: number): string {
  if (status === DELIVERED) return 'bg-leaf text-white'
  if (isCalledOff(status)) return 'bg-brick-soft text-brick'
  return status === PLACED ? 'bg-turmeric-soft' : 'bg-leaf-soft text-leaf'
}

/** Delivered without a recorded payment: an admin records it, once, as a step from 6 to 6 (`recordPayment`). */
export const isUnrecorded = ({ status, paymentMethod }: { status: number; paymentMethod: string | null }): boolean =>
  status === DELIVERED && paymentMethod === null

/** Tries of the seller's three digits, and again of the buyer's four; after that only an admin takes the step. */
export const HANDOVER_TRIES = 5

/** The texts tell buyer and seller what comes next. */
export const nextTexts: Partial<Record<number, Partial<Record<'buyer' | 'seller', typeof m.order_next_1>>>> = {
  [PLACED]: { buyer: m.order_next_1, seller: m.own_order_next_1 },
  [CONFIRMED]: { buyer: m.order_next_2, seller: m.own_order_next_2 },
  [CHECKED]: { buyer: m.order_next_3, seller: m.own_order_next_2 },
  [READY]: { buyer: m.order_next_4, seller: m.own_order_next_4 },
  [ON_THE_WAY]: { buyer: m.order_next_5, seller: m.own_order_next_5 },
  [DELIVERED]: { seller: m.own_order_next_6 },
  [REFUSED]: { seller: m.own_order_next_101 },
  [NOT_AVAILABLE]: { seller: m.own_order_next_102 },
}

/** Each step writes a row of the history and an audit event, and sends SMS. These effects are further ones. */
type Effect =
  | 'stock and discount return'
  | 'both sides read the reason'
  | 'the same admin may undo it within seconds'
  | 'day and payment are recorded'
  | 'receipt and commission invoice get their numbers'

type Variables = Record<'name' | 'number' | 'when' | 'amount' | 'sale' | 'link' | 'paid' | 'rest', string>
type StepText = (variables: Variables, of: { locale: Locale }) => string

interface Step {
  /** The names of its SMS templates contain it, for example `order-confirmed-buyer`. */
  name: string
  /** The statuses that it leaves; the usual one is first. */
  from: readonly [OrderStatus, ...OrderStatus[]]
  to: OrderStatus
  by: readonly OrderPart[]
  /** A buyer of this user type may not take it. */
  exceptTypeId?: number
  sentence: string
  effects?: readonly Effect[]
  /**
   * The bearer gets an SMS when they leave and when they need not come. They are at the door when the buyer refuses,
   * and a seller who is the bearer gets no second SMS at an end.
   */
  sms: Record<'buyer' | 'seller', StepText> & { bearer?: 'leaves' | 'off' }
  /** The button for the ticked orders of the desk, and the button that ends one order there. */
  bulk?: { act: string; text: typeof m.orders_bulk_confirm }
  button?: typeof m.order_end_cancel
}

const endEffects: readonly Effect[] = [
  'stock and discount return',
  'both sides read the reason',
  'the same admin may undo it within seconds',
]

/** Each status is the end of one step at most. */
export const steps: readonly Step[] = [
  {
    name: 'confirmed',
    from: [PLACED],
    to: CONFIRMED,
    by: ['seller', 'admin'],
    sentence: 'The seller confirms the order.',
    sms: { buyer: m.sms_order_confirmed_buyer, seller: m.sms_order_confirmed_seller },
    bulk: { act: 'bulk-confirm', text: m.orders_bulk_confirm },
  },
  {
    name: 'checked',
    from: [CONFIRMED],
    to: CHECKED,
    by: ['admin'],
    sentence: 'The health check is done.',
    sms: { buyer: m.sms_order_checked_buyer, seller: m.sms_order_checked_seller },
  },
  {
    name: 'ready',
    from: [CONFIRMED, CHECKED],
    to: READY,
    by: ['admin'],
    sentence: 'The animal can be collected from the seller.',
    sms: { buyer: m.sms_order_ready_buyer, seller: m.sms_order_ready_seller },
    bulk: { act: 'bulk-ready', text: m.orders_bulk_ready },
  },
  {
    name: 'on-the-way',
    from: [READY],
    to: ON_THE_WAY,
    by: ['admin'],
    sentence: 'The bearer has collected it: an admin records it, or the bearer on the page of their day, with three digits of the seller.',
    sms: { buyer: m.sms_order_on_the_way_buyer, seller: m.sms_order_on_the_way_seller, bearer: 'leaves' },
    bulk: { act: 'bulk-way', text: m.orders_bulk_way },
  },
  {
    name: 'delivered',
    from: [ON_THE_WAY],
    to: DELIVERED,
    by: ['bearer', 'admin'],
    sentence: 'The bearer hands it over and records the four digits that the buyer gives after accepting it, or an admin records a note.',
    effects: ['day and payment are recorded', 'receipt and commission invoice get their numbers'],
    sms: { buyer: m.sms_order_delivered_buyer, seller: m.sms_order_delivered_seller },
  },
  {
    name: 'cancelled',
    from: [PLACED, CONFIRMED, CHECKED, READY, ON_THE_WAY],
    to: CANCELLED,
    by: ['buyer', 'admin'],
    // Whatever their type was when they ordered (B §4).
    exceptTypeId: 2,
    sentence: 'The buyer no longer wants it. A buyer of user type 2 may not cancel.',
    effects: endEffects,
    sms: { buyer: m.sms_order_cancelled_buyer, seller: m.sms_order_cancelled_seller, bearer: 'off' },
    button: m.order_end_cancel,
  },
  {
    name: 'refused',
    from: [ON_THE_WAY],
    to: REFUSED,
    by: ['buyer', 'admin'],
    sentence: 'The buyer refuses it at the door, with a reason. The bearer may report it on the page of their day, with a picture.',
    effects: endEffects,
    sms: { buyer: m.sms_order_refused_buyer, seller: m.sms_order_refused_seller },
    button: m.order_end_refused,
  },
  {
    name: 'unavailable',
    from: [PLACED, CONFIRMED, CHECKED, READY],
    to: NOT_AVAILABLE,
    by: ['seller', 'admin'],
    sentence: 'The seller cannot supply it.',
    effects: endEffects,
    sms: { buyer: m.sms_order_unavailable_buyer, seller: m.sms_order_unavailable_seller, bearer: 'off' },
    button: m.order_end_unavailable,
  },
]

export const stepTo = (to: number): Step | undefined => steps.find((step) => step.to === to)
export const isStep = (from: number, to: number): boolean => stepTo(to)?.from.includes(from as OrderStatus) === true
export const hasEffect = (to: number, effect: Effect): boolean => stepTo(to)?.effects?.includes(effect) === true

/** The usual steps from "placed" to a status. */
export function wayTo(status: OrderStatus): OrderStatus[] {
  const step = stepTo(status)
  return step ? [...wayTo(step.from[0]), status] : []
}

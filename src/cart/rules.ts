import type { Money } from '#src/kit/time-money/money.ts'

/** Maximum number of different listings in a cart. */
export const MAX_LINES = 50

export const FIRST_ORDER = 1
export const REFERRAL = 2

/** A discount that the buyer can use now. */
export interface DiscountOffer {
  typeId: typeof FIRST_ORDER | typeof REFERRAL
  percent: number
  flat: Money
  cap: Money
}

export interface PricedLine {
  count: number
  /** The buyer's price of one animal. */
  unitPrice: Money
  /** The price of one before the seller's offer; equal without an offer. */
  originalPrice: Money
}

export interface Quote {
  /** Sum of the items at their unit prices. */
  price: Money
  firstOrderDiscount: Money
  referralDiscount: Money
  /** 'Your Delivery is FREE!!' */
  delivery: Money
  payable: Money
  /** The sum that the sellers' offers and the discount save. */
  savings: Money
}

const wholeOf = ({ count, unitPrice }: PricedLine): Money => unitPrice * BigInt(count)

/** A paisa in 1/10,000 rupee; the smallest unit for cash on delivery. */
const PAISA = 100n

/** The discount on the first (oldest) line, never more than that line (decisions.md §4), in whole paise. */
export function discountOn(first: PricedLine | undefined, offer: DiscountOffer | null): Money {
  if (!first || !offer) return 0n
  const whole = wholeOf(first)
  const nominal = offer.percent > 0 ? (whole * BigInt(offer.percent)) / 100n : offer.flat
  const smallest = [nominal, offer.cap, whole].reduce((smallest, each) => (each < smallest ? each : smallest))
  return smallest - (smallest % PAISA)
}

/** The most that a discount can take off. */
const worthOf = ({ percent, flat, cap }: DiscountOffer): Money => (percent > 0 || cap < flat ? cap : flat)

/**
 * The lost part of a discount when the first line costs less than the discount is worth; shown before it is spent. Null when nothing is
 * lost; a percentage of a larger line is the full discount.
 */
export function wastedOn(first: PricedLine | undefined, offer: DiscountOffer | null): { worth: Money; taken: Money } | null {
  if (!first || !offer) return null
  const worth = worthOf(offer)
  return wholeOf(first) < worth ? { worth, taken: discountOn(first, offer) } : null
}

/** Lines and counts as text, by which a page sends back what it showed. Oldest line first. */
export const linesText = (lines: { id: number; count: number }[]): string => lines.map(({ id, count }) => `${id}x${count}`).join(' ')

/** The only function that prices a cart, a confirmation and its orders. Oldest line first, current prices. */
export function quote(lines: PricedLine[], offer: DiscountOffer | null): Quote {
  const price = lines.reduce((sum, line) => sum + wholeOf(line), 0n)
  const offered = lines.reduce((sum, line) => sum + (line.originalPrice - line.unitPrice) * BigInt(line.count), 0n)
  const discount = discountOn(lines[0], offer)
  return {
    price,
    firstOrderDiscount: offer?.typeId === FIRST_ORDER ? discount : 0n,
    referralDiscount: offer?.typeId === REFERRAL ? discount : 0n,
    delivery: 0n,
    payable: price - discount,
    savings: offered + discount,
  }
}

import type { Money } from '#src/kit/money.ts'

/** A cart has room for this many different listings. */
export const MAX_LINES = 50

export const FIRST_ORDER = 1
export const REFERRAL = 2

/** A discount that the buyer has a right to now. */
export interface DiscountOffer {
  typeId: typeof FIRST_ORDER | typeof REFERRAL
  percent: number
  flat: Money
  cap: Money
}

export interface PricedLine {
  count: number
  /** What one costs the buyer. */
  unitPrice: Money
  /** What it cost before the seller's own offer; the same without one. */
  originalPrice: Money
}

export interface Quote {
  /** Items at their unit price. */
  price: Money
  firstOrderDiscount: Money
  referralDiscount: Money
  /** 'Your Delivery is FREE!!' */
  delivery: Money
  payable: Money
  /** What the sellers' offers and the discount save. */
  savings: Money
}

const wholeOf = ({ count, unitPrice }: PricedLine): Money => unitPrice * BigInt(count)

/** 1/10,000 rupee in a paisa: there is no smaller coin to be paid with at a door. */
const PAISA = 100n

/** Off the first (oldest) line, and never more than that line (decisions.md §4), in whole paise. */
export function discountOn(first: PricedLine | undefined, offer: DiscountOffer | null): Money {
  if (!first || !offer) return 0n
  const whole = wholeOf(first)
  const asked = offer.percent > 0 ? (whole * BigInt(offer.percent)) / 100n : offer.flat
  const least = [asked, offer.cap, whole].reduce((least, each) => (each < least ? each : least))
  return least - (least % PAISA)
}

/** Which lines, and how many of each: what a page that showed them says back. Lines oldest first. */
export const linesText = (lines: { id: number; count: number }[]): string => lines.map(({ id, count }) => `${id}x${count}`).join(' ')

/** The one place where a cart, a confirmation and its orders are reckoned up. Lines oldest first; prices as they are now. */
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

/**
 * Money is an integer of 1/10,000 rupee in a bigint, never floating point (decisions.md §4). On the wire it is a JSON number with at most 4 decimals.
 */
export type Money = bigint
const UNIT = 10_000n

/** The maximum digits before the point in the price of one animal. */
const PRICE_DIGITS = 8
/** The maximum digits of an order total: a price times the maximum stock of a listing. */
export const TOTAL_DIGITS = 12

/**
 * Parses typed or sent text with at most `digits` digits before the point and 4 decimals; null for anything else. It checks the text, so 1.00005 is
 * refused, not rounded.
 */
export function parseRupees(text: string, digits = PRICE_DIGITS): Money | null {
  const match = /^(\d+)(?:\.(\d{1,4}))?$/.exec(text)
  if (!match || match[1]!.length > digits) return null
  return BigInt(match[1]!) * UNIT + BigInt((match[2] ?? '').padEnd(4, '0'))
}

/** The exact decimal text of any amount, for JSON, which has no bigint. `parseRupees` reads it back. */
export function decimalOf(money: Money): string {
  const fraction = String(money % UNIT)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return `${money / UNIT}${fraction && `.${fraction}`}`
}

/** An amount as a form shows it: 85.125 gets a fourth decimal, because forms read three as 85,125 (decision 0116). */
export const fieldRupees = (money: Money): string => decimalOf(money).replace(/\.\d{3}$/, '$&0')

/** The maximum length of a typed amount; no price in words is longer. */
export const MAX_AMOUNT_TEXT = 100

/** An amount written in our own code (seed, tests), in whole or fractional rupees. */
export function rupees(amount: number): Money {
  return BigInt(Math.round(amount * Number(UNIT)))
}

/** For the wire. Exact for every price and for sums below 10^11 rupees, because a double carries 15 digits. */
export function toRupeeNumber(money: Money): number {
  return Number(money) / Number(UNIT)
}

/** ₹1,25,000 in Indian grouping, the same in both languages. Shows paise only when there are some. */
export function formatRupees(money: Money): string {
  const fraction = money % UNIT
  const digits = fraction === 0n ? 0 : fraction % 100n === 0n ? 2 : 4
  return formats[digits].format(toRupeeNumber(money))
}

/** Created once, because creating a formatter costs as much as rendering a card. */
const formats = { 0: rupeeFormat(0), 2: rupeeFormat(2), 4: rupeeFormat(4) }

function rupeeFormat(digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat('en-IN', {
    style: 'currency',
    currency: 'INR',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** 100 × (original − offer) ÷ original, to 2 decimals, half up (A §9). Null without a real discount. */
export function percentOff(original: Money, offer: Money | null): number | null {
  if (offer === null || offer <= 0n || offer >= original) return null
  const hundredths = ((original - offer) * 20_000n + original) / (2n * original)
  return hundredths === 0n ? null : Number(hundredths) / 100
}

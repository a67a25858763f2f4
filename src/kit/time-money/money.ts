/**
 * Money is a whole number of 1/10,000 rupee in a bigint, never floating point (decisions.md §4).
 * On the wire it is a JSON number with at most 4 decimals.
 */
export type Money = bigint
const UNIT = 10_000n

/** What one animal may cost has at most as many digits before the point. */
const PRICE_DIGITS = 8
/** And what is paid for an order: so many times the price as a listing may have animals. */
export const TOTAL_DIGITS = 12

/**
 * From text as typed or sent, at most `digits` of them with up to 4 decimals; null when it is anything else. The check is on the text:
 * 1.00005 is refused, not rounded.
 */
export function parseRupees(text: string, digits = PRICE_DIGITS): Money | null {
  const match = /^(\d+)(?:\.(\d{1,4}))?$/.exec(text)
  if (!match || match[1]!.length > digits) return null
  return BigInt(match[1]!) * UNIT + BigInt((match[2] ?? '').padEnd(4, '0'))
}

/** As text, exact and of any size: for JSON, which has no bigint. `parseRupees` reads it again. */
export function decimalOf(money: Money): string {
  const fraction = String(money % UNIT)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return `${money / UNIT}${fraction && `.${fraction}`}`
}

/** Whole or fractional rupees written in our own code (seed, tests). */
export function rupees(amount: number): Money {
  return BigInt(Math.round(amount * Number(UNIT)))
}

/** For the wire: exact for whatever a price may be, and for sums below 10^11 rupees, because a double carries 15 digits. */
export function toRupeeNumber(money: Money): number {
  return Number(money) / Number(UNIT)
}

/** ₹1,25,000 in Indian grouping; paise only when there are some. The same in both languages. */
export function formatRupees(money: Money): string {
  const fraction = money % UNIT
  const digits = fraction === 0n ? 0 : fraction % 100n === 0n ? 2 : 4
  return formats[digits].format(toRupeeNumber(money))
}

/** Made once: making one costs as much as rendering a card. */
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

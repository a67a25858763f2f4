import { parseRupees, type Money } from '#src/kit/time-money/money.ts'

/** GST on live animals is 0 %; the documents state it in figures. */
export const IGST_PERCENT = 0
export const CGST_PERCENT = 0

/**
 * Sandhai's commission on a sale: a percentage of the items at their unit price, before any discount (decisions.md §4). In whole paise,
 * rounded half up, because the amount must be payable.
 */
export const commissionOf = (total: Money, percent: number): Money => ((total * BigInt(percent) + 5000n) / 10_000n) * 100n

/** Cash at the door is rounded up or down to whole rupees. */
export const RUPEE: Money = 10_000n

/** The rest of a payable amount of which only a part was paid; the paise that cash leaves out are no rest. */
export const restOf = (payable: Money, paid: Money): Money => (paid < payable - (payable % RUPEE) ? payable - paid : 0n)

export type InvoiceKind = 'commission' | 'receipt'

/** SC: sale commission. BR: buyer's receipt. */
const prefixes: Record<InvoiceKind, string> = { commission: 'SC', receipt: 'BR' }

/** The Indian financial year of a day (YYYY-MM-DD, IST): April to March, `2026-27`. Serial numbers restart with it. */
export function financialYear(day: string): string {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const begins = month >= 4 ? year : year - 1
  return `${begins}-${String((begins + 1) % 100).padStart(2, '0')}`
}

export const seriesOf = (kind: InvoiceKind, day: string) => `${prefixes[kind]}/${financialYear(day)}`

/** At most 16 characters, as the GST rules require of a serial number: `SC/2026-27/00042`. */
export const invoiceNumber = (series: string, serial: number) => `${series}/${String(serial).padStart(5, '0')}`

/** Parses what `decimalOf` wrote into a snapshot; anything else is corrupt data. */
export function moneyIn(text: string): Money {
  const money = parseRupees(text, 13)
  if (money === null) throw new Error('A document contains an invalid amount.')
  return money
}

export const settlementMethods = ['cash', 'upi', 'bank'] as const

export const settlementKinds = ['paid', 'received', 'back'] as const

/** A payment to or from the seller, as an admin recorded it. */
export interface Settlement {
  id: number
  kind: (typeof settlementKinds)[number]
  amount: Money
  method: (typeof settlementMethods)[number]
  reference: string
  /** Indian calendar day. */
  paidOn: string
  note: string
}

/** The seller's amount in an entry: below 0 when the seller paid. */
export const settledBy = ({ kind, amount }: Pick<Settlement, 'kind' | 'amount'>): Money =>
  kind === 'paid' ? amount : kind === 'received' ? -amount : 0n

/**
 * The part of the seller's amount that an entry leaves open; below 0 it paid too much. `due`: below 0 when the seller
 * owes it.
 */
export const leftOpen = (due: Money, { kind, amount }: Pick<Settlement, 'kind' | 'amount'>): Money =>
  (kind === 'received' ? -due : due) - amount

/** PO-7, in our pages and in the bank's file. */
export const payoutNumber = (id: number): string => `PO-${id}`

import type { Ctx } from '#src/kit/context.ts'
import { methodName } from '#src/invoices/settlement-text.ts'
import { daysBetween, formatDay, formatMonth } from '#src/kit/time-money/dates.ts'
import { formatRupees, type Money } from '#src/kit/time-money/money.ts'
import { animalName } from '#src/orders/checkout/order-names.ts'
import { m } from '#src/paraglide/messages.js'
import type { MonthSums } from './earnings.server.ts'
import type { Sale, SaleSums } from './sales.server.ts'

/** One sale in words, for its seller or for an admin. */
export function shownSale(ctx: Ctx, sale: Sale) {
  const { locale } = ctx
  return {
    id: sale.orderId,
    orderNo: sale.orderNo,
    name: animalName(sale.animal, locale),
    code: sale.animal.code,
    delivered: formatDay(new Date(sale.deliveredOn), locale),
    price: sale.count === 1 ? null : `${sale.count} × ${formatRupees(sale.unitPrice)}`,
    total: formatRupees(sale.total),
    discount: sale.discount > 0n ? formatRupees(sale.discount) : null,
    commissionPercent: sale.commissionPercent,
    commission: formatRupees(-sale.commission),
    due: formatRupees(sale.due),
    collected: collectedText(ctx, sale),
    held: sale.held > 0n ? formatRupees(-sale.held) : null,
    paid: paidText(ctx, sale),
    balance: shownBalance(sale.balance),
    isPartly: sale.balance !== 0n && sale.settled !== 0n,
    age: sale.balance === 0n ? null : ageText(ctx, daysBetween(new Date(sale.deliveredOn), ctx.now)),
  }
}
export type ShownSale = ReturnType<typeof shownSale>

/** Null while nothing is recorded that counts. */
export function paidText({ locale }: Ctx, { entry }: Sale): string | null {
  if (!entry) return null
  const words = {
    amount: formatRupees(entry.amount),
    method: methodName(entry.method, locale),
    day: formatDay(new Date(entry.paidOn), locale),
    reference: entry.reference,
  }
  if (entry.kind === 'back') return m.earn_taken_back(words, { locale })
  return (entry.kind === 'received' ? m.earn_received_as : m.earn_paid_as)(words, { locale })
}

export function collectedText({ locale }: Ctx, { collected, held }: Pick<Sale, 'collected' | 'held'>): string {
  const say = { locale }
  if (!collected) return m.earn_collected_open({}, say)
  const amount = formatRupees(collected.amount)
  if (collected.method === 'upi') return m.earn_collected_upi({ amount }, say)
  if (held > 0n) return m.earn_collected_self({ amount }, say)
  if (collected.byName === null) return m.earn_collected_office({ amount }, say)
  return m.earn_collected_cash({ amount, name: collected.byName || m.profile_deleted_user({}, say) }, say)
}

/** How long a sale waits for its money. */
function ageText({ locale }: Ctx, days: number): string {
  if (days <= 0) return m.earn_waits_today({}, { locale })
  return days === 1 ? m.earn_waits_one({}, { locale }) : m.earn_waits({ days }, { locale })
}

/** What is open between Sandhai and the seller, and whose turn it is. */
export const shownBalance = (balance: Money) => ({
  side: balance > 0n ? ('sandhai' as const) : balance < 0n ? ('seller' as const) : null,
  amount: formatRupees(balance < 0n ? -balance : balance),
})

/** Label and amount, as page, CSV and PDF show them; the last is what is open. */
export function sumLines({ locale }: Pick<Ctx, 'locale'>, sums: SaleSums): [string, string][] {
  const say = { locale }
  return [
    [m.earn_total({}, say), formatRupees(sums.total)],
    [m.earn_commission({}, say), formatRupees(-sums.commission)],
    [m.earn_due({}, say), formatRupees(sums.due)],
    ...(sums.held > 0n ? [[m.earn_held({}, say), formatRupees(-sums.held)] as [string, string]] : []),
    [m.earn_settled({}, say), formatRupees(-sums.settled)],
    sums.balance < 0n ? [m.earn_owe({}, say), formatRupees(-sums.balance)] : [m.earn_balance({}, say), formatRupees(sums.balance)],
  ]
}

export const salesText = (count: number, { locale }: Pick<Ctx, 'locale'>): string =>
  count === 1 ? m.earn_sales_one({}, { locale }) : m.earn_sales({ count }, { locale })

export const shownMonth = (ctx: Ctx, month: MonthSums) => ({
  month: month.month,
  name: formatMonth(month.month, ctx.locale),
  due: formatRupees(month.due),
  isOpen: month.balance !== 0n,
})

const addUp = <K extends keyof SaleSums>(months: SaleSums[], key: K): bigint => months.reduce((sum, each) => sum + BigInt(each[key]), 0n)

/** All months together. */
export const totalOf = (months: SaleSums[]): SaleSums => ({
  sales: months.reduce((sum, { sales }) => sum + sales, 0),
  total: addUp(months, 'total'),
  discount: addUp(months, 'discount'),
  commission: addUp(months, 'commission'),
  due: addUp(months, 'due'),
  held: addUp(months, 'held'),
  settled: addUp(months, 'settled'),
  balance: addUp(months, 'balance'),
})

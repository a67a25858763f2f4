import type { Ctx } from '#src/kit/context.ts'
import { restOf } from '#src/invoices/rules.ts'
import { entryText } from '#src/invoices/settlement-text.ts'
import { daysBetween, formatDay, formatMonth } from '#src/kit/time-money/dates.ts'
import { formatRupees, type Money } from '#src/kit/time-money/money.ts'
import { animalName } from '#src/orders/order-names.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import type { MonthSums } from './earnings.server.ts'
import type { Sale, SaleSums } from './sales.server.ts'

/** One sale as text, for its seller or an admin. */
export function shownSale(ctx: Ctx, sale: Sale) {
  const { locale } = ctx
  return {
    id: sale.orderId,
    orderNo: sale.orderNo,
    name: animalName(sale.animal, locale),
    listed: listedText(sale, locale),
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

/** Names the agent and the owner of an assisted sale, in the words of the product page. Null for a sale of the seller's own. */
export function listedText({ sellerName, animal }: Pick<Sale, 'sellerName' | 'animal'>, locale: Locale): string | null {
  if (!animal.ownerName) return null
  return m.product_listed_for({ agent: sellerName || m.profile_deleted_user({}, { locale }), owner: animal.ownerName }, { locale })
}

/** Null while no valid entry is recorded. */
export const paidText = ({ locale }: Ctx, { entry }: Sale): string | null => entry && entryText(entry, locale)

/** The payment of the buyer, and what is still open of it. */
export function collectedText(ctx: Ctx, sale: Pick<Sale, 'collected' | 'held' | 'total' | 'discount'>): string {
  const [opts, rest] = [{ locale: ctx.locale }, openOf(sale)]
  if (!sale.collected) return m.earn_collected_open({}, opts)
  if (rest === 0n) return takenText(ctx, sale.collected, sale.held)
  const paid = sale.collected.amount === 0n ? m.invoice_paid_nothing({}, opts) : `${takenText(ctx, sale.collected, sale.held)}.`
  return `${paid} ${m.invoice_paid_rest({ rest: formatRupees(rest) }, opts)}`
}

/** How much less than the payable amount the buyer paid. */
export const openOf = ({ collected, total, discount }: Pick<Sale, 'collected' | 'total' | 'discount'>): Money =>
  collected ? restOf(total - discount, collected.amount) : total - discount

function takenText({ locale }: Ctx, collected: NonNullable<Sale['collected']>, held: Money): string {
  const opts = { locale }
  const amount = formatRupees(collected.amount)
  if (collected.method === 'upi') return m.earn_collected_upi({ amount }, opts)
  if (held > 0n) return m.earn_collected_self({ amount }, opts)
  if (collected.byName === null) return m.earn_collected_office({ amount }, opts)
  return m.earn_collected_cash({ amount, name: collected.byName || m.profile_deleted_user({}, opts) }, opts)
}

/** How long the sale has been waiting for its payment. */
function ageText({ locale }: Ctx, days: number): string {
  if (days <= 0) return m.earn_waits_today({}, { locale })
  return days === 1 ? m.earn_waits_one({}, { locale }) : m.earn_waits({ days }, { locale })
}

/** The open balance between Sandhai and the seller, and which side must pay. */
export const shownBalance = (balance: Money) => ({
  side: balance > 0n ? ('sandhai' as const) : balance < 0n ? ('seller' as const) : null,
  amount: formatRupees(balance < 0n ? -balance : balance),
})

/** Labels and amounts for page, CSV and PDF; the last line is the open balance. */
export function sumLines({ locale }: Pick<Ctx, 'locale'>, sums: SaleSums): [string, string][] {
  const opts = { locale }
  return [
    [m.earn_total({}, opts), formatRupees(sums.total)],
    [m.earn_commission({}, opts), formatRupees(-sums.commission)],
    [m.earn_due({}, opts), formatRupees(sums.due)],
    ...(sums.held > 0n ? [[m.earn_held({}, opts), formatRupees(-sums.held)] as [string, string]] : []),
    [m.earn_settled({}, opts), formatRupees(-sums.settled)],
    sums.balance < 0n ? [m.earn_owe({}, opts), formatRupees(-sums.balance)] : [m.earn_balance({}, opts), formatRupees(sums.balance)],
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

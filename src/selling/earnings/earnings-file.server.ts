import { methodName } from '#src/invoices/settlement-text.ts'
import type { Ctx } from '#src/kit/context.ts'
import { csvLine } from '#src/kit/text/csv.ts'
import { formatDay, formatMonth, indianDay } from '#src/kit/time-money/dates.ts'
import { formatRupees, toRupeeNumber } from '#src/kit/time-money/money.ts'
import { typesetPdf } from '#src/kit/text/typesetter.server.ts'
import { animalName } from '#src/orders/checkout/order-names.ts'
import { m } from '#src/paraglide/messages.js'
import { allSales, type MonthSums } from './earnings.server.ts'
import { sumLines } from './earnings-shown.server.ts'
import type { Sale } from './sales.server.ts'

/** Amounts as figures, so that a spreadsheet adds them up. */
export const earningsHead = ({ locale }: Pick<Ctx, 'locale'>): string[] =>
  [
    m.earn_order,
    m.earn_delivered,
    m.order_csv_item,
    m.order_csv_code,
    m.order_csv_count,
    m.order_csv_price,
    m.earn_total,
    m.earn_discount_short,
    m.earn_commission,
    m.earn_due,
    m.order_payment_method,
    m.earn_collected,
    m.earn_csv_collected_by,
    m.earn_held,
    m.earn_settled,
    m.earn_csv_paid_how,
    m.earn_csv_paid_reference,
    m.earn_csv_paid_day,
    m.earn_balance,
  ].map((text) => text({}, { locale }))

export function earningsCells({ locale }: Pick<Ctx, 'locale'>, sale: Sale): (string | number)[] {
  const { collected } = sale
  const entry = sale.entry?.kind === 'back' ? null : sale.entry
  return [
    sale.orderNo,
    sale.deliveredOn,
    animalName(sale.animal, locale),
    sale.animal.code,
    sale.count,
    toRupeeNumber(sale.unitPrice),
    toRupeeNumber(sale.total),
    toRupeeNumber(sale.discount),
    toRupeeNumber(sale.commission),
    toRupeeNumber(sale.due),
    collected ? methodName(collected.method, locale) : '',
    collected ? toRupeeNumber(collected.amount) : '',
    collected ? takerName(sale, locale) : '',
    toRupeeNumber(sale.held),
    toRupeeNumber(sale.settled),
    entry ? methodName(entry.method, locale) : '',
    entry?.reference ?? '',
    entry?.paidOn ?? '',
    toRupeeNumber(sale.balance),
  ]
}

const takerName = ({ collected }: Sale, locale: Ctx['locale']): string =>
  (collected?.method === 'cash' && collected.byName) || m.earn_sandhai({}, { locale })

/** The sales of a month, or of all, as a CSV file (RFC 4180) in the reader's language. */
export async function earningsFile(ctx: Ctx, query: { sellerId: number; month: string | null }): Promise<string> {
  const lines = [csvLine(earningsHead(ctx))]
  for await (const batch of allSales(ctx, query)) lines.push(...batch.map((sale) => csvLine(earningsCells(ctx, sale))))
  return lines.join('')
}

/** So many sales of a month stand on its statement; more are in the table. */
const MAX_ON_PAPER = 1000

/** The statement of a month, for the seller to keep. */
export async function statementPdf(ctx: Ctx, sums: MonthSums, seller: { id: number; name: string }): Promise<Buffer> {
  const { locale } = ctx
  const say = { locale }
  const rows: string[][] = []
  for await (const batch of allSales(ctx, { sellerId: seller.id, month: sums.month })) {
    rows.push(...batch.map((sale) => statementRow(ctx, sale)))
    if (rows.length >= MAX_ON_PAPER) break
  }
  return typesetPdf(ctx, {
    template: 'invoices/statement.typ',
    data: {
      lang: locale,
      brand: m.site_name({}, say),
      title: m.earn_statement({}, say),
      footer: ctx.publicOrigin.replace(/^https?:\/\//, ''),
      facts: [
        [m.earn_month({}, say), formatMonth(sums.month, locale)],
        [m.invoice_seller({}, say), seller.name],
        [m.invoice_date({}, say), formatDay(new Date(indianDay(ctx.now)), locale)],
      ],
      columns: [m.earn_order, m.earn_delivered, m.earn_total, m.earn_commission, m.earn_due, m.earn_settled].map((text) => text({}, say)),
      widths: [17, 12, 9, 8, 12, 15],
      rows: rows.slice(0, MAX_ON_PAPER),
      sums: sumLines(ctx, sums),
      notes: [m.earn_statement_note({}, say)],
    },
  })
}

const statementRow = ({ locale }: Ctx, sale: Sale): string[] => [
  `${sale.orderNo} · ${animalName(sale.animal, locale)}`,
  formatDay(new Date(sale.deliveredOn), locale),
  formatRupees(sale.total),
  formatRupees(-sale.commission),
  formatRupees(sale.due),
  sale.settled !== 0n && sale.entry ? `${formatRupees(sale.settled)} · ${sale.entry.reference}` : formatRupees(sale.settled),
]

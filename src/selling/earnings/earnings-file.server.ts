import { methodName } from '#src/invoices/settlement-text.ts'
import type { Ctx } from '#src/kit/context.ts'
import { csvLine } from '#src/kit/text/csv.ts'
import { formatDay, formatMonth, indianDay } from '#src/kit/time-money/dates.ts'
import { formatRupees, toRupeeNumber } from '#src/kit/time-money/money.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { typesetPdf } from '#src/kit/paper/typesetter.server.ts'
import { animalName } from '#src/orders/order-names.ts'
import { m } from '#src/paraglide/messages.js'
import { allSales, type MonthSums } from './earnings.server.ts'
import { collectedText, listedText, openOf, sumLines } from './earnings-view.server.ts'
import type { Sale } from './sales.server.ts'

/** Amounts are plain numbers, so that a spreadsheet can add them up. */
const earningsHead = ({ locale }: Pick<Ctx, 'locale'>): string[] =>
  [
    m.earn_order,
    m.earn_delivered,
    m.order_csv_item,
    m.order_csv_code,
    m.invoice_seller,
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

function earningsCells({ locale }: Pick<Ctx, 'locale'>, sale: Sale): (string | number)[] {
  const { collected } = sale
  const entry = sale.entry?.kind === 'back' ? null : sale.entry
  return [
    sale.orderNo,
    sale.deliveredOn,
    animalName(sale.animal, locale),
    sale.animal.code,
    listedText(sale, locale) ?? sale.sellerName,
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

/** The sales of a month, or all, as a CSV file (RFC 4180) in the viewer's language. */
export async function earningsFile(ctx: Ctx, query: { sellerId: number; month: string | null }): Promise<string> {
  const lines = [csvLine(earningsHead(ctx))]
  for await (const batch of allSales(ctx, query)) lines.push(...batch.map((sale) => csvLine(earningsCells(ctx, sale))))
  return lines.join('')
}

/** Maximum number of sales on a month's statement; the CSV has all. */
const MAX_ON_PAPER = 1000

/** The statement of a month as a PDF for the seller's records. */
export async function statementPdf(ctx: Ctx, sums: MonthSums, seller: { id: number; name: string }): Promise<Buffer> {
  const { locale } = ctx
  const opts = { locale }
  const rows: string[][] = []
  for await (const batch of allSales(ctx, { sellerId: seller.id, month: sums.month })) {
    rows.push(...batch.map((sale) => statementRow(ctx, sale)))
    if (rows.length >= MAX_ON_PAPER) break
  }
  return typesetPdf(ctx, {
    template: 'invoices/statement.typ',
    data: {
      lang: locale,
      brand: m.site_name({}, opts),
      title: m.earn_statement({}, opts),
      footer: ctx.publicOrigin.replace(/^https?:\/\//, ''),
      facts: [
        [m.earn_month({}, opts), formatMonth(sums.month, locale)],
        [m.invoice_seller({}, opts), seller.name],
        [m.invoice_date({}, opts), formatDay(new Date(indianDay(ctx.now)), locale)],
      ],
      columns: [m.earn_order, m.earn_delivered, m.earn_total, m.earn_commission, m.earn_due, m.earn_settled, m.earn_balance].map((text) =>
        text({}, opts),
      ),
      widths: [17, 12, 9, 8, 10, 13, 10],
      rows: rows.slice(0, MAX_ON_PAPER),
      sums: sumLines(ctx, sums),
      notes: [m.earn_statement_note({}, opts)],
    },
  })
}

/** Names what the buyer has not paid, where nobody recorded a payment or it was too small. */
const statementRow = (ctx: Ctx, sale: Sale): string[] =>
  statementCells(ctx.locale, sale, openOf(sale) > 0n ? collectedText(ctx, sale) : null)

const statementCells = (locale: Locale, sale: Sale, open: string | null): string[] => [
  [sale.orderNo, animalName(sale.animal, locale), listedText(sale, locale), open].filter((each) => each !== null).join(' · '),
  formatDay(new Date(sale.deliveredOn), locale),
  formatRupees(sale.total),
  formatRupees(-sale.commission),
  formatRupees(sale.due),
  sale.settled !== 0n && sale.entry ? `${formatRupees(sale.settled)} · ${sale.entry.reference}` : formatRupees(sale.settled),
  formatRupees(sale.balance),
]

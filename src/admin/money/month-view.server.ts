import { CGST_PERCENT, IGST_PERCENT } from '#src/invoices/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { csvLine } from '#src/kit/text/csv.ts'
import { typesetPdf } from '#src/kit/paper/typesetter.server.ts'
import { formatDay, formatMonth, indianDay } from '#src/kit/time-money/dates.ts'
import { formatRupees, toRupeeNumber } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { readMonthEntries, readMonthSheet, sheetAmounts, type MonthEntries, type SheetAmount, type SheetSums } from './month.server.ts'

const names: Record<SheetAmount, typeof m.earn_total> = {
  total: m.earn_total,
  first: m.money_first,
  referral: m.money_referral,
  payable: m.money_payable,
  cash: m.money_in_cash,
  upi: m.money_in_upi,
  unrecorded: m.order_payment_open,
  short: m.money_short,
  commission: m.earn_commission,
  due: m.money_due,
  held: m.money_held,
  settled: m.money_settled,
  balance: m.money_balance,
}
/** Shorter names beside the seller's own. */
const columnNames: Partial<typeof names> = {
  due: m.money_column_due,
  held: m.money_column_held,
  settled: m.money_column_settled,
}
const minus: SheetAmount[] = ['first', 'referral', 'commission', 'held', 'settled']

/** Label and amount of each line of the sheet; the last line is the open balance. Omits amounts of 0, except four that readers always look for. */
export function sheetLines({ locale }: Pick<Ctx, 'locale'>, sums: SheetSums): [string, string][] {
  const say = { locale }
  const always: SheetAmount[] = ['total', 'commission', 'due', 'settled', 'balance']
  return sheetAmounts.flatMap((name): [string, string][] => {
    if (sums[name] === 0n && !always.includes(name)) return []
    const line: [string, string] = [names[name]({}, say), formatRupees(minus.includes(name) ? -sums[name] : sums[name])]
    const taxes: [string, string][] = [
      [m.invoice_igst({ percent: IGST_PERCENT }, say), formatRupees(0n)],
      [m.invoice_cgst({ percent: CGST_PERCENT }, say), formatRupees(0n)],
    ]
    return name === 'commission' ? [line, ...taxes] : [line]
  })
}

export const entryLines = ({ locale }: Pick<Ctx, 'locale'>, entries: MonthEntries): [string, string][] => [
  [m.money_entries_paid({}, { locale }), formatRupees(entries.paid)],
  ...(entries.received > 0n ? [[m.money_entries_received({}, { locale }), formatRupees(entries.received)] as [string, string]] : []),
  [m.money_corrections({}, { locale }), String(entries.corrections)],
  [m.money_taken_back({}, { locale }), String(entries.takenBack)],
]

/** CSV with one line for each seller and a total. Amounts are plain numbers that a spreadsheet can add up. */
export async function monthFile(ctx: Ctx, month: string): Promise<string> {
  const { lines, sums } = await readMonthSheet(ctx, month)
  const say = { locale: ctx.locale }
  const cells = (who: [string, number | string], each: SheetSums) => [
    ...who,
    each.sales,
    ...sheetAmounts.map((amount) => toRupeeNumber(each[amount])),
  ]
  return [
    csvLine([m.own_seller({}, say), m.users_number({}, say), m.money_sales({}, say), ...sheetAmounts.map((name) => names[name]({}, say))]),
    ...lines.map((line) => csvLine(cells([line.name || m.profile_deleted_user({}, say), line.sellerId], line))),
    csvLine(cells([m.money_all({}, say), ''], sums)),
  ].join('')
}

/** Sellers in the PDF; the CSV has all of them. */
const MAX_ON_PAPER = 1000

export async function monthPdf(ctx: Ctx, month: string): Promise<Buffer> {
  const { lines, sums } = await readMonthSheet(ctx, month)
  const entries = await readMonthEntries(ctx, month)
  const say = { locale: ctx.locale }
  const columns: SheetAmount[] = ['total', 'commission', 'due', 'held', 'settled', 'balance']
  return typesetPdf(ctx, {
    template: 'invoices/statement.typ',
    data: {
      lang: ctx.locale,
      brand: m.site_name({}, say),
      title: m.money_sheet({}, say),
      footer: ctx.publicOrigin.replace(/^https?:\/\//, ''),
      facts: [
        [m.earn_month({}, say), formatMonth(month, ctx.locale)],
        [m.money_sales({}, say), String(sums.sales)],
        [m.invoice_date({}, say), formatDay(new Date(indianDay(ctx.now)), ctx.locale)],
        ...entryLines(ctx, entries),
      ],
      columns: [m.own_seller({}, say), m.money_sales({}, say), ...columns.map((name) => (columnNames[name] ?? names[name])({}, say))],
      widths: [14, 7, 11, 10, 12, 11, 12, 10],
      rows: lines
        .slice(0, MAX_ON_PAPER)
        .map((line) => [
          `${line.name || m.profile_deleted_user({}, say)} #${line.sellerId}`,
          String(line.sales),
          ...columns.map((name) => formatRupees(line[name])),
        ]),
      sums: sheetLines(ctx, sums),
      notes: [m.earn_statement_note({}, say)],
    },
  })
}

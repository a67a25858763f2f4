import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { formHeaders, formLoader } from '#src/kit/http/page.server.ts'
import { fileRefusal } from '#src/kit/problem-text.ts'
import { formatMonth } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { askedMonth, monthAfter, monthBefore } from './asked-month.server.ts'
import { entryLines, sheetLines } from './month-view.server.ts'
import { MonthView } from './month-view.tsx'
import { readMonthEntries, readMonthSheet } from './month.server.ts'
import type { Route } from './+types/month-page'

/** Sellers on the page; the file has all of them. */
const SELLERS_SHOWN = 100

/** The closing sheet of a month: every sale delivered in it, with its present state. */
export const loader = formLoader(async (ctx, { url }) => {
  const { month, now } = askedMonth(ctx, url)
  const { lines, sums } = await readMonthSheet(ctx, month)
  const entries = await readMonthEntries(ctx, month)
  return {
    month,
    now,
    fileRefused: fileRefusal(url.searchParams.get('csv'), ctx.locale, 'PASSWORD_WRONG'),
    name: formatMonth(month, ctx.locale),
    before: monthBefore(month),
    after: month < now ? monthAfter(month) : null,
    sales: sums.sales,
    sums: sheetLines(ctx, sums),
    entries: entryLines(ctx, entries),
    sellerCount: lines.length,
    sellers: lines.slice(0, SELLERS_SHOWN).map((line) => ({
      id: line.sellerId,
      name: line.name || m.profile_deleted_user({}, { locale: ctx.locale }),
      sales: line.sales,
      total: formatRupees(line.total),
      commission: formatRupees(line.commission),
      due: formatRupees(line.due),
      held: formatRupees(line.held),
      settled: formatRupees(line.settled),
      balance: line.balance === 0n ? '' : formatRupees(line.balance),
    })),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/money/month', title: m.money_sheet(), description: m.money_month_lead() }) : []

export default function MonthPage({ loaderData }: Route.ComponentProps) {
  return <MonthView {...loaderData} />
}

export type MonthData = Route.ComponentProps['loaderData']

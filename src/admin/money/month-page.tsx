import { requireCapability } from '#src/accounts/page-guards.server.ts'
import { plainMeta } from '#src/content/frame/plain-meta.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { formatMonth } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { askedMonth, monthAfter, monthBefore } from './asked-month.server.ts'
import { entryLines, sheetLines } from './month-shown.server.ts'
import { MonthView } from './month-view.tsx'
import { readMonthEntries, readMonthSheet } from './month.server.ts'
import type { Route } from './+types/month-page'

/** So many sellers stand on the page; all of them are in the file. */
const SELLERS_SHOWN = 100

/** The closing sheet of a month: everything that was delivered in it, as it stands now. */
export const loader = pageLoader(async (ctx, { url }) => {
  requireCapability(ctx, url, 'operate')
  const { month, now } = askedMonth(ctx, url)
  const { lines, sums } = await readMonthSheet(ctx, month)
  const entries = await readMonthEntries(ctx, month)
  return {
    month,
    now,
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
      settled: formatRupees(line.settled),
      balance: line.balance === 0n ? '' : formatRupees(line.balance),
    })),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/money/month', title: m.money_sheet(), description: m.money_month_lead() }) : []

export default function MonthPage({ loaderData }: Route.ComponentProps) {
  return <MonthView {...loaderData} />
}

export type MonthData = Route.ComponentProps['loaderData']

import { pageLoader } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { payoutNumber } from '#src/invoices/rules.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { m } from '#src/paraglide/messages.js'
import { readPageNumber, tableAddress } from '#src/ui/desk-query.ts'
import { SearchHead } from '#src/ui/desk-filter.tsx'
import { DeskTable, TablePages, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { MoneyTabs } from './money-tabs.tsx'
import { listPayouts, PAYOUTS_PER_PAGE } from './payouts.server.ts'
import type { Route } from './+types/payouts-page'

/** The payouts; those with open lines come first, because they wait for the bank's references. */
export const loader = pageLoader(async (ctx, { url }) => {
  const page = readPageNumber(url.searchParams.get('page'))
  const text = searchText(url.searchParams.get('q') ?? '', 80)
  const { count, listed } = await listPayouts(ctx, page, text)
  const payouts = listed.map(({ id, at, amount, byName, lines, open, failed }) => ({
    id,
    byName,
    lines,
    open,
    failed,
    number: payoutNumber(id),
    day: formatDay(at, ctx.locale),
    amount: formatRupees(amount),
  }))
  return { payouts, text, page, perPage: PAYOUTS_PER_PAGE, count }
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.payouts(), description: m.payouts_lead() }))

type Payout = Route.ComponentProps['loaderData']['payouts'][number]

export default function PayoutsPage({ loaderData: { payouts, text, ...pages } }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="space-y-4 py-2">
      <SearchHead title={m.money_desk()} path="/admin/money/payouts" text={text} />
      <MoneyTabs here="/admin/money/payouts" />
      {payouts.length === 0 ? (
        <p className="panel p-4">{text ? m.desk_none_found() : m.payouts_none()}</p>
      ) : (
        <DeskTable
          caption={m.payouts()}
          columns={columns()}
          rows={payouts}
          keyOf={({ id }) => id}
          addressOf={({ id }) => to(`/admin/money/payouts/${id}`)}
        />
      )}
      <TablePages {...pages} pageAddress={(page) => to(tableAddress('/admin/money/payouts', { q: text, page }))} />
    </div>
  )
}

const columns = (): Column<Payout>[] => [
  { id: 'number', label: m.payout(), cell: ({ number }) => number },
  { id: 'day', label: m.money_day(), onCard: 'bare', cell: ({ day }) => day },
  { id: 'by', label: m.payout_by(), width: 'md:w-1/4', cell: ({ byName }) => byName },
  { id: 'lines', label: m.money_owed(), isNumber: true, cell: ({ lines }) => lines },
  { id: 'amount', label: m.orders_col_amount(), isNumber: true, onCard: 'bare', cell: ({ amount }) => <b>{amount}</b> },
  { id: 'open', label: m.payout_open(), isNumber: true, cell: ({ open }) => open },
  { id: 'failed', label: m.payout_line_failed(), isNumber: true, cell: ({ failed }) => failed },
]

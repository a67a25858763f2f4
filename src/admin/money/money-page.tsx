import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { readPageNumber, readSort, sortText, tableAddress } from '#src/ui/desk-query.ts'
import { DeskTable, TablePages, TableViews, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { owedSorts, owedViews, readOwed, SELLERS_PER_PAGE, type OwedSeller, type OwedView } from './owed.server.ts'
import { Figures } from './figures.tsx'
import { SellerName } from './seller-name.tsx'
import { MoneyTabs } from './money-tabs.tsx'
import type { Route } from './+types/money-page'

/** The open balances between Sandhai and the sellers, by age. */
export const loader = pageLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const view = owedViews.find((name) => name === query.get('show')) ?? 'open'
  const sort = readSort(query.get('sort'), owedSorts, { by: 'oldest', isDown: true })
  const page = readPageNumber(query.get('page'))
  const { totals, sellers } = await readOwed(ctx, { view, sort, page })
  return {
    view,
    sort,
    page,
    perPage: SELLERS_PER_PAGE,
    counts: totals.sellers,
    sales: totals.sales,
    totals: {
      toPay: formatRupees(totals.toPay),
      toGet: totals.toGet > 0n ? formatRupees(totals.toGet) : null,
      commission: formatRupees(totals.commission),
      week: formatRupees(totals.week),
      month: formatRupees(totals.month),
      older: formatRupees(totals.older),
      isOld: totals.older !== 0n,
    },
    sellers: sellers.map(shown),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

const shown = ({ sellerId, name, sales, oldest, ...owed }: OwedSeller) => ({
  sellerId,
  name: name || m.profile_deleted_user(),
  sales,
  oldest,
  commission: formatRupees(owed.commission),
  week: owed.week === 0n ? '' : formatRupees(owed.week),
  month: owed.month === 0n ? '' : formatRupees(owed.month),
  older: owed.older === 0n ? '' : formatRupees(owed.older),
  balance: formatRupees(owed.balance),
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = plainMeta<Route.MetaArgs>(() => ({ path: '/admin/money', title: m.money_desk(), description: m.money_lead() }))

type Seller = Route.ComponentProps['loaderData']['sellers'][number]

const viewTexts: Record<OwedView, () => string> = {
  open: m.money_view_open,
  late: m.money_view_late,
  older: m.money_view_older,
  owing: m.money_view_owing,
}

export default function MoneyPage({ loaderData: data }: Route.ComponentProps) {
  const to = useLocalPath()
  const { totals, view, sort, counts, sellers } = data
  const address = (changes: Record<string, string | number | null>) =>
    to(tableAddress('/admin/money', { show: view === 'open' ? null : view, sort: sortText(sort), ...changes }))
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.money_desk()}</h1>
      <MoneyTabs here="/admin/money" />
      <Figures
        figures={[
          { label: m.money_to_pay(), value: totals.toPay },
          ...(totals.toGet ? [{ label: m.money_to_get(), value: totals.toGet }] : []),
          { label: m.money_commission_open(), value: totals.commission },
          { label: m.money_week(), value: totals.week },
          { label: m.money_days_30(), value: totals.month },
          { label: m.money_older(), value: totals.older, isBad: totals.isOld },
        ]}
      />
      <TableViews
        views={(Object.keys(viewTexts) as OwedView[]).map((name) => ({
          name: viewTexts[name](),
          address: address({ show: name === 'open' ? null : name }),
          isHere: name === view,
          count: counts[name],
        }))}
      />
      {sellers.length === 0 ? (
        <p className="panel p-4">{data.sales === 0 ? m.money_none() : m.money_none_here()}</p>
      ) : (
        <DeskTable
          caption={m.money_owed()}
          columns={columns()}
          rows={sellers}
          keyOf={({ sellerId }) => sellerId}
          addressOf={({ sellerId }) => to(`/admin/money/${sellerId}`)}
          sort={sort}
          sortAddress={(by) => address({ sort: by })}
        />
      )}
      <TablePages page={data.page} perPage={data.perPage} count={counts[view]} pageAddress={(page) => address({ page })} />
    </div>
  )
}

const columns = (): Column<Seller>[] => [
  { id: 'name', label: m.own_seller(), sorts: 'up', width: 'md:w-1/4', cell: (seller) => <SellerName {...seller} id={seller.sellerId} /> },
  { id: 'sales', label: m.money_sales(), sorts: 'down', isNumber: true, cell: ({ sales }) => sales },
  { id: 'commission', label: m.earn_commission(), sorts: 'down', isNumber: true, cell: ({ commission }) => commission },
  { id: 'week', label: m.money_week(), sorts: 'down', isNumber: true, cell: ({ week }) => week },
  { id: 'month', label: m.money_days_30(), sorts: 'down', isNumber: true, cell: ({ month }) => month },
  {
    id: 'older',
    label: m.money_older(),
    sorts: 'down',
    isNumber: true,
    cell: ({ older }) => older && <b className="text-brick">{older}</b>,
  },
  { id: 'balance', label: m.money_to_pay(), sorts: 'down', isNumber: true, cell: ({ balance }) => <b>{balance}</b> },
  {
    id: 'oldest',
    label: m.money_oldest(),
    sorts: 'down',
    isNumber: true,
    cell: ({ oldest }) => (oldest === 1 ? m.money_days_one() : m.money_days({ days: oldest })),
  },
]

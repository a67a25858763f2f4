import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { readPageNumber, readSort } from '#src/ui/desk-query.ts'
import { MoneyView } from './money-view.tsx'
import { owedSorts, owedViews, readOwed, SELLERS_PER_PAGE, type OwedSeller } from './owed.server.ts'
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

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/money', title: m.money_desk(), description: m.money_lead() }) : []

export default function MoneyPage({ loaderData }: Route.ComponentProps) {
  return <MoneyView {...loaderData} />
}

export type MoneyData = Route.ComponentProps['loaderData']

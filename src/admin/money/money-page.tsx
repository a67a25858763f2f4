import { redirect } from 'react-router'
import { z } from 'zod'
import { NumberedName } from '#src/accounts/numbered-name.tsx'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { payoutNumber } from '#src/invoices/rules.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { m } from '#src/paraglide/messages.js'
import { findPayees } from '#src/selling/earnings/payees.server.ts'
import { readPageNumber, readSort, sortText, tableAddress } from '#src/ui/desk-query.ts'
import { DeskTable, TablePages, TableViews, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { makePayout } from './make-payout.server.ts'
import { owedSorts, owedViews, readOwed, SELLERS_PER_PAGE, type OwedSeller, type OwedView } from './owed.server.ts'
import { downToPaisa } from './settle.server.ts'
import { findOpenPayouts } from './payouts.server.ts'
import { PayoutForm, PayoutTick } from './payout-form.tsx'
import { Figures } from './figures.tsx'
import { MoneyTabs } from './money-tabs.tsx'
import type { Route } from './+types/money-page'

/** The open balances between Sandhai and the sellers, by age. */
export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const view = owedViews.find((name) => name === query.get('show')) ?? 'open'
  const sort = readSort(query.get('sort'), owedSorts, { by: 'oldest', isDown: true })
  const page = readPageNumber(query.get('page'))
  const { totals, sellers } = await readOwed(ctx, { view, sort, page })
  const ids = sellers.map(({ sellerId }) => sellerId)
  const payees = await findPayees(ctx, ids)
  const paying = await findOpenPayouts(ctx, ids)
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
    sellers: sellers.map((seller) => ({
      ...shown(seller),
      method: payees.get(seller.sellerId)?.payee.method ?? null,
      paying: paying.get(seller.sellerId)?.payoutId ?? null,
    })),
  }
})

const shown = ({ sellerId, name, sales, oldest, payable, ...owed }: OwedSeller) => ({
  sellerId,
  name: name || m.profile_deleted_user(),
  sales,
  oldest,
  commission: formatRupees(owed.commission),
  week: owed.week === 0n ? '' : formatRupees(owed.week),
  month: owed.month === 0n ? '' : formatRupees(owed.month),
  older: owed.older === 0n ? '' : formatRupees(owed.older),
  balance: formatRupees(owed.balance),
  /** In 1/10,000 rupee, as text, for the live sum. */
  payable: String(downToPaisa(payable)),
})

const chosen = z.object({ id: z.coerce.number().int('field_wrong'), seen: z.coerce.bigint('field_wrong') })

/** Makes a payout to the ticked sellers, of the sums that the admin saw. */
export const action = pageAction('money', async (ctx, { form }): Promise<never> => {
  const { id, leftOut } = await makePayout(
    ctx,
    form.getAll('sellers').map((id) => parseInput(chosen, { id, seen: textOf(form, `seen-${String(id)}`) })),
  )
  throw redirect(localized(`/admin/money/payouts/${id}${leftOut > 0 ? `?left=${leftOut}` : ''}`, ctx.locale))
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.money_desk(), description: m.money_lead() }))

type Seller = Route.ComponentProps['loaderData']['sellers'][number]

const viewTexts: Record<OwedView, () => string> = {
  open: m.money_view_open,
  late: m.money_view_late,
  older: m.money_view_older,
  owing: m.money_view_owing,
}

export default function MoneyPage({ loaderData: data, actionData }: Route.ComponentProps) {
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
        <PayoutForm sellers={sellers} refused={actionData?.refused}>
          {(foot) => (
            <DeskTable
              caption={m.money_owed()}
              lead={(seller) => <PayoutTick seller={seller} />}
              foot={foot}
              columns={columns()}
              rows={sellers}
              keyOf={({ sellerId }) => sellerId}
              addressOf={({ sellerId }) => to(`/admin/money/${sellerId}`)}
              sort={sort}
              sortAddress={(by) => address({ sort: by })}
            />
          )}
        </PayoutForm>
      )}
      <TablePages page={data.page} perPage={data.perPage} count={counts[view]} pageAddress={(page) => address({ page })} />
    </div>
  )
}

const columns = (): Column<Seller>[] => [
  {
    id: 'name',
    label: m.own_seller(),
    sorts: 'up',
    width: 'md:w-1/4',
    cell: (seller) => <NumberedName {...seller} id={seller.sellerId} />,
  },
  { id: 'payee', label: m.payout_account(), onCard: 'bare', cell: PayeeState },
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

/** The way to pay a seller; the payout that is already paying them. */
function PayeeState({ method, paying }: Seller) {
  const to = useLocalPath()
  if (paying !== null)
    return (
      <a href={to(`/admin/money/payouts/${paying}`)} className="link">
        {payoutNumber(paying)}
      </a>
    )
  return method === null ? <span className="text-stone">{m.payout_no_account()}</span> : { upi: m.order_upi, bank: m.payee_bank }[method]()
}

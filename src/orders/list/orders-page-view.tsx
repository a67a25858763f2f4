import { useLocation } from 'react-router'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Pager } from '#src/ui/pager.tsx'
import { OrderCard } from '#src/orders/card/order-card.tsx'
import { ordersCount } from '../orders-count.ts'
import type { BulkDone } from './order-desk.server.ts'
import { OrdersDesk } from './orders-desk.tsx'
import type { Done, OrdersPageData } from './orders-page.tsx'

type ListPage = Extract<OrdersPageData, { kind: 'list' }>

interface ViewProps {
  page: OrdersPageData
  refused: FormRefusal | undefined
  bulk: BulkDone | undefined
}

export function OrdersView({ page, refused, bulk }: ViewProps) {
  if (page.kind === 'desk') return <OrdersDesk page={page} refused={refused} bulk={bulk} />
  return (
    <div className="page-column max-w-4xl">
      <h1 className="text-2xl">{m.orders_title()}</h1>
      {page.kind === 'logged-out' ? <LoggedOut path="/orders" refused={refused} /> : <List page={page} refused={refused} />}
    </div>
  )
}

export const doneTexts: Record<Done, () => string> = {
  cancelled: m.orders_done_cancelled,
  ended: m.orders_done_ended,
  undone: m.order_step_undone,
  saved: m.orders_done_saved,
  planned: m.orders_done_planned,
  refused: m.orders_done_refused,
  settled: m.orders_done_settled,
  paid: m.orders_done_paid,
}

function List({ page, refused }: { page: ListPage; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { search } = useLocation()
  const { orders } = page
  // The next form makes the notice of the earlier one stale.
  const query = new URLSearchParams(search)
  query.delete('done')
  const action = to(`/orders${query.size > 0 ? `?${query}` : ''}`)
  const isShown = orders.some(({ id }) => String(id) === refused?.typed.id)
  return (
    <>
      {page.done && !refused && (
        <p role="status" className="done">
          {doneTexts[page.done]()}
        </p>
      )}
      {refused && !isShown && <FormFailure detail={refused.detail} />}
      {page.sells && (
        <a href={to('/seller-product/?tab=1')} className="tap-link font-semibold">
          {m.orders_of_own()}
        </a>
      )}
      {page.toBring.length > 0 && <ToBring page={page} />}
      {orders.length === 0 ? (
        <Empty page={page} />
      ) : (
        <>
          <p className="text-stone">{ordersCount(page.count, page.countsUpTo)}</p>
          <ul className="grid gap-4">
            {orders.map((order) => (
              <li key={order.id}>
                <OrderCard
                  order={order}
                  csrf={page.csrf}
                  action={action}
                  refused={refused?.typed.id === String(order.id) ? refused : undefined}
                  phone={page.phone}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <Pager
        label={m.orders_pages()}
        first={page.isFirstPage ? null : to('/orders')}
        next={page.next === null ? null : to(`/orders?after=${page.next}`)}
      />
    </>
  )
}

/** The orders that the viewer has to deliver, each with a link to its handover page. */
function ToBring({ page }: { page: ListPage }) {
  const to = useLocalPath()
  return (
    <section aria-labelledby="to-bring" className="notice-panel space-y-2 p-4">
      <h2 id="to-bring" className="text-lg">
        {m.orders_to_bring()}
      </h2>
      <ul className="grid gap-2 md:grid-cols-2">
        {page.toBring.map((order) => (
          <li key={order.id}>
            <a href={to(`/orders/${order.id}/handover`)} className="button-plain w-full justify-between text-left">
              <span>
                {order.orderNo} · {order.name}
                <span className="block text-sm font-normal">{order.when ?? order.statusName}</span>
              </span>
              <Icon name="next" size={20} className="shrink-0" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Empty({ page }: { page: ListPage }) {
  const to = useLocalPath()
  if (!page.isFirstPage) {
    return (
      <p className="panel p-4">
        {m.orders_none_found()}{' '}
        <a href={to('/orders')} className="link font-semibold">
          {m.own_show_all()}
        </a>
      </p>
    )
  }
  return (
    <div className="empty-panel">
      <p className="text-lg">{m.orders_empty()}</p>
      {page.sells && !page.buys ? (
        <a href={to('/sell')} className="button-primary">
          {m.own_sell()}
        </a>
      ) : (
        <a href={to('/buy/0')} className="button-primary">
          {m.missing_browse()}
        </a>
      )}
    </div>
  )
}

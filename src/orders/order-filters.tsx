import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { OrdersPageData } from './orders-page.tsx'

type ListPage = Extract<OrdersPageData, { kind: 'list' }>

/** For admins, who see everybody's. On a phone it opens with a tap; what is chosen keeps it open. */
export function OrderFilters({ page }: { page: ListPage }) {
  const to = useLocalPath()
  const { filters } = page
  return (
    <details open={page.query !== '' || undefined} className="panel group lg:details-content:[content-visibility:visible]">
      <summary className="flex min-h-11 list-none items-center justify-between gap-2 px-4 font-semibold text-leaf lg:cursor-default [&::-webkit-details-marker]:hidden">
        {m.orders_filter()}
        <span aria-hidden="true" className="transition-transform group-open:rotate-180">
          ▾
        </span>
      </summary>
      <form
        method="get"
        action={to('/orders')}
        className="grid items-end gap-3 px-4 pb-4 sm:grid-cols-2 lg:grid-cols-[2fr_1.2fr_1fr_1fr_1fr_auto]"
      >
        <div className="sm:col-span-full lg:col-span-1">
          <label htmlFor="orders-q" className="label">
            {m.orders_search()}
          </label>
          <input id="orders-q" name="q" type="search" defaultValue={filters.text} maxLength={80} className="field" />
        </div>
        <div>
          <label htmlFor="orders-status" className="label">
            {m.order_status()}
          </label>
          <select id="orders-status" name="status" defaultValue={filters.status ?? ''} className="field">
            <option value="">{m.orders_any()}</option>
            {page.statuses.map((status) => (
              <option key={status.id} value={status.id}>
                {status.name}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor="orders-on" className="label">
            {m.orders_on()}
          </label>
          <select id="orders-on" name="on" defaultValue={filters.on} className="field">
            <option value="placed">{m.orders_on_placed()}</option>
            <option value="delivery">{m.orders_on_delivery()}</option>
          </select>
        </div>
        <div>
          <label htmlFor="orders-from" className="label">
            {m.orders_from()}
          </label>
          <input id="orders-from" name="from" type="date" defaultValue={filters.from ?? ''} className="field" />
        </div>
        <div>
          <label htmlFor="orders-to" className="label">
            {m.orders_to()}
          </label>
          <input id="orders-to" name="to" type="date" defaultValue={filters.to ?? ''} className="field" />
        </div>
        <button type="submit" className="button-primary">
          {m.orders_find()}
        </button>
        <label className="flex min-h-11 items-center gap-2 sm:col-span-full">
          <input type="checkbox" name="flagged" value="1" defaultChecked={filters.isFlagged} className="size-5 accent-leaf" />
          {m.orders_flagged_only()}
        </label>
      </form>
    </details>
  )
}

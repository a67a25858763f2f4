import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import type { OrdersPageData } from './orders-page.tsx'

type ListPage = Extract<OrdersPageData, { kind: 'list' }>

/** For admins, who see everybody's orders. On a phone it opens with a tap; an active filter keeps it open. */
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
        className="grid items-end gap-3 px-4 pb-4 sm:grid-cols-2 lg:grid-cols-[1.6fr_1.2fr_1.4fr_1fr_1fr_auto]"
      >
        <div className="sm:col-span-full lg:col-span-1">
          <Field id="orders-q" name="q" type="search" label={m.orders_search()} defaultValue={filters.text} maxLength={80} />
        </div>
        <SelectField
          id="orders-status"
          name="status"
          label={m.order_status()}
          none={m.orders_any()}
          options={page.statuses}
          defaultValue={filters.status ?? ''}
        />
        <SelectField
          id="orders-on"
          name="on"
          label={m.orders_on()}
          options={[
            { id: 'placed', name: m.orders_on_placed() },
            { id: 'delivery', name: m.orders_on_delivery() },
          ]}
          defaultValue={filters.on}
        />
        <Field id="orders-from" name="from" type="date" label={m.orders_from()} defaultValue={filters.from ?? ''} />
        <Field id="orders-to" name="to" type="date" label={m.orders_to()} defaultValue={filters.to ?? ''} />
        <button type="submit" className="button-primary">
          {m.orders_find()}
        </button>
        <Choice type="checkbox" name="flagged" value="1" defaultChecked={filters.isFlagged} className="gap-2 sm:col-span-full">
          {m.orders_flagged_only()}
        </Choice>
      </form>
    </details>
  )
}

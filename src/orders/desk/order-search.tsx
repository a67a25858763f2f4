import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import type { OrdersDeskData } from './orders-desk.tsx'

/** One field for who or what, always in sight; the rest opens with a tap, and stays open while it narrows the table. */
export function OrderSearch({ page }: { page: OrdersDeskData }) {
  const to = useLocalPath()
  const { choices } = page
  const isNarrowed = choices.status !== null || choices.from !== null || choices.to !== null || choices.isFlagged
  return (
    <form method="get" action={to('/orders')} className="panel grid gap-2 p-3">
      <div className="grid grid-cols-[1fr_auto] items-end gap-2">
        <Field id="orders-q" name="q" type="search" label={m.orders_search()} defaultValue={choices.text} maxLength={80} />
        <button type="submit" className="button-primary">
          {m.orders_find()}
        </button>
      </div>
      <details open={isNarrowed || undefined} className="group">
        <summary className="tap-link list-none gap-2 font-semibold [&::-webkit-details-marker]:hidden">
          {m.orders_filter()}
          <span aria-hidden="true" className="transition-transform group-open:rotate-180">
            ▾
          </span>
        </summary>
        <div className="grid items-end gap-3 sm:grid-cols-2">
          <SelectField
            id="orders-status"
            name="status"
            label={m.order_status()}
            none={m.orders_any()}
            options={page.statuses}
            defaultValue={choices.status ?? ''}
          />
          <SelectField
            id="orders-on"
            name="on"
            label={m.orders_on()}
            options={[
              { id: 'placed', name: m.orders_on_placed() },
              { id: 'delivery', name: m.orders_on_delivery() },
            ]}
            defaultValue={choices.on}
          />
          <Field id="orders-from" name="from" type="date" label={m.orders_from()} defaultValue={choices.from ?? ''} />
          <Field id="orders-to" name="to" type="date" label={m.orders_to()} defaultValue={choices.to ?? ''} />
          <Choice type="checkbox" name="flagged" value="1" defaultChecked={choices.isFlagged} className="gap-2 sm:col-span-full">
            {m.orders_flagged_only()}
          </Choice>
        </div>
      </details>
    </form>
  )
}

import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { DeskFilter, FilterSelect } from '#src/ui/desk-filter.tsx'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import type { OrdersDeskData } from './orders-view.server.ts'

/** The search, the status, and the rarer filters, which fold out over the table. */
export function OrderSearch({ page: { choices, statuses } }: { page: OrdersDeskData }) {
  const to = useLocalPath()
  const folded = [choices.from, choices.to, choices.isFlagged].filter(Boolean).length
  return (
    <DeskFilter action={to('/orders')} label={m.orders_search()} find={m.orders_find()} text={choices.text}>
      <FilterSelect
        name="status"
        label={m.order_status()}
        none={`${m.order_status()}: ${m.orders_any()}`}
        options={statuses}
        defaultValue={choices.status ?? ''}
      />
      <details className="group open:max-md:basis-full">
        <summary className="tap-link unmarked gap-2 font-semibold">
          {m.orders_filter()}
          {folded > 0 && <span className="chip-heed">{folded}</span>}
          <span aria-hidden="true" className="fold-arrow" />
        </summary>
        <div className="grid items-end gap-3 md:absolute md:top-full md:right-0 md:z-20 md:w-96 md:panel md:grid-cols-2 md:p-3 md:shadow-card">
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
          <Choice type="checkbox" name="flagged" value="1" defaultChecked={choices.isFlagged} className="gap-2">
            {m.orders_flagged_only()}
          </Choice>
          <Field id="orders-from" name="from" type="date" label={m.orders_from()} defaultValue={choices.from ?? ''} />
          <Field id="orders-to" name="to" type="date" label={m.orders_to()} defaultValue={choices.to ?? ''} />
        </div>
      </details>
    </DeskFilter>
  )
}

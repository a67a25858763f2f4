import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { Field } from '#src/ui/field.tsx'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import type { OrdersDeskData } from './orders-desk.tsx'

/** One search field, always visible; the other filters fold out and stay open while one is set. */
export function OrderSearch({ page }: { page: OrdersDeskData }) {
  const to = useLocalPath()
  const { choices } = page
  const isNarrowed = choices.status !== null || choices.from !== null || choices.to !== null || choices.isFlagged
  return (
    <form method="get" action={to('/orders')} className="panel flex flex-wrap items-center gap-x-4 gap-y-1 p-3">
      <div className="flex min-w-0 flex-1 basis-64 gap-2">
        <Input
          name="q"
          type="search"
          aria-label={m.orders_search()}
          placeholder={m.orders_search()}
          defaultValue={choices.text}
          maxLength={80}
          className="min-w-0 flex-1"
        />
        <button type="submit" className="button-primary">
          {m.orders_find()}
        </button>
      </div>
      <details open={isNarrowed || undefined} className="group open:basis-full">
        <summary className="tap-link unmarked gap-2 font-semibold">
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

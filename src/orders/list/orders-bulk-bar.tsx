import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { Field } from '#src/ui/field.tsx'
import { Outcome } from '#src/ui/form-failure.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import type { BulkResult } from './bulk.server.ts'
import type { OrdersDeskData } from './orders-view.server.ts'

interface BarProps {
  page: OrdersDeskData
  /** The ticked orders; without scripts all orders that can be ticked. */
  rows: OrdersDeskData['rows']
  /** The page's orders that can be ticked. */
  all: number[]
  isAlive: boolean
  onAll: (isChosen: boolean) => void
}

/**
 * Offers the steps that at least one ticked order accepts. The plan's button comes first, so that Enter in the day field
 * never changes a status.
 */
export function BulkBar({ page, rows, all, isAlive, onAll }: BarProps) {
  const chosen = isAlive ? rows.length : null
  const ofPage = rows.filter(({ id }) => all.includes(id)).length
  return (
    <fieldset className="row gap-x-4 gap-y-1">
      <legend className="sr-only">{m.orders_bulk()}</legend>
      <div className="row gap-x-4 gap-y-1">
        {chosen !== 0 && <b>{chosen ? m.orders_bulk_chosen({ count: chosen }) : m.orders_bulk_choose()}</b>}
        {isAlive && (
          <Choice
            type="checkbox"
            ref={(box) => void (box && (box.indeterminate = ofPage > 0 && ofPage < all.length))}
            checked={ofPage > 0 && ofPage === all.length}
            onChange={({ target }) => onAll(target.checked)}
            className="gap-2"
          >
            {m.orders_bulk_all()}
          </Choice>
        )}
      </div>
      <div className={`row items-end gap-2 ${chosen === 0 ? 'hidden' : ''}`}>
        <Field id="bulk-day" name="deliverOn" type="date" min={page.today} max={page.lastDay} label={m.orders_bulk_day()} />
        <SelectField
          id="bulk-bearer"
          name="listedBearerId"
          label={m.orders_bulk_bearer()}
          none={m.orders_bulk_same()}
          options={page.bearers}
        />
        <button type="submit" name="act" value="bulk-plan" className="button-plain">
          {m.orders_bulk_plan()}
        </button>
        {page.bulkSteps.map(
          ({ act, from, text }) =>
            rows.some(({ status }) => from.includes(status)) && (
              <button key={act} type="submit" name="act" value={act} className="button-plain">
                {text}
              </button>
            ),
        )}
      </div>
    </fieldset>
  )
}

/** The number of changed orders, and each refused order with its reason. */
export function BulkOutcome({ results }: { results: BulkResult[] }) {
  const refused = results.flatMap((each) => (each.refusal === null ? [] : { ...each, name: each.orderNo }))
  const count = results.length - refused.length
  return <Outcome done={count === 1 ? m.orders_bulk_done_one() : m.orders_bulk_done({ count })} refused={refused} />
}

import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { SelectField } from '#src/ui/select-field.tsx'

interface SettlementFieldsProps {
  /** Prefix of the fields' ids. */
  id: string
  /** Initial values: what was typed, else what is recorded. */
  values: { method?: string | undefined; reference?: string | undefined; day: string }
  errors: Record<string, string>
  firstDay: string
  lastDay: string
}

/** Method, reference and day of a payment to or from a seller. */
export function SettlementFields({ id, values, errors, firstDay, lastDay }: SettlementFieldsProps) {
  const field = fieldsOf(id, { errors })
  return (
    <>
      <SelectField
        {...field('method', values.method)}
        label={m.settle_method()}
        none={m.order_method_choose()}
        options={[
          { id: 'bank', name: m.settle_bank() },
          { id: 'upi', name: m.order_upi() },
          { id: 'cash', name: m.order_cash() },
        ]}
      />
      <Field {...field('reference', values.reference)} autoComplete="off" maxLength={80} label={m.settle_reference()} />
      <Field {...field('day', values.day)} type="date" min={firstDay} max={lastDay} label={m.settle_day()} />
    </>
  )
}

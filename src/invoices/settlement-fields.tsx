import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
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
export const SettlementFields = ({ id, values, errors, firstDay, lastDay }: SettlementFieldsProps) => (
  <>
    <SelectField
      id={`${id}-method`}
      name="method"
      label={m.settle_method()}
      none={m.order_method_choose()}
      options={[
        { id: 'bank', name: m.settle_bank() },
        { id: 'upi', name: m.order_upi() },
        { id: 'cash', name: m.order_cash() },
      ]}
      defaultValue={values.method ?? ''}
      error={errors.method}
    />
    <Field
      id={`${id}-reference`}
      name="reference"
      autoComplete="off"
      maxLength={80}
      label={m.settle_reference()}
      defaultValue={values.reference}
      error={errors.reference}
    />
    <Field
      id={`${id}-day`}
      name="day"
      type="date"
      min={firstDay}
      max={lastDay}
      label={m.settle_day()}
      defaultValue={values.day}
      error={errors.day}
    />
  </>
)

import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'

/** What was handed over at the door: what was to be paid, unless somebody writes another amount. */
export function AmountPaid({
  id,
  typed,
  payable,
  error,
}: {
  id: string
  typed: string | undefined
  payable: string
  error: string | undefined
}) {
  return (
    <Field
      id={id}
      name="amountPaid"
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      label={m.order_amount_paid()}
      before="₹"
      defaultValue={typed ?? payable}
      error={error}
    />
  )
}

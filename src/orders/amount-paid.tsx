import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'

/** The amount paid at the door: the payable amount, unless somebody enters another one. */
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

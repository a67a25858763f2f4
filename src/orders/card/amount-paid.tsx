import { m } from '#src/paraglide/messages.js'
import { MoneyField } from '#src/ui/field.tsx'

/** The field for the amount paid at the door, prefilled with the payable amount. */
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
  return <MoneyField id={id} name="amountPaid" label={m.order_amount_paid()} defaultValue={typed ?? payable} error={error} />
}

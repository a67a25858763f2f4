import { MAX_AMOUNT_TEXT } from '#src/kit/time-money/money.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { SheetButton } from '#src/ui/sheet.tsx'
import { FEE_UNITS } from './fee-units.ts'

interface AskOwnerProps {
  id: number
  fee: { amount: string; unit: 'rupees' | 'percent' }
  action: string
  refused: FormRefusal | undefined
}

/** The agent changes their fee, or asks the owner again. A refused form stays open, because only a script could open the sheet again. */
export function AskOwnerSheet({ refused, ...form }: AskOwnerProps) {
  const own = refused?.typed.act === 'ask-owner' ? refused : undefined
  if (own) return <FeeForm {...form} refused={own} />
  return (
    <SheetButton id={`ask-owner-${form.id}`} className="tap-link cursor-pointer text-left" label={m.own_ask_owner()}>
      <FeeForm {...form} refused={undefined} />
    </SheetButton>
  )
}

const FeeForm = ({ id, fee, action, refused }: AskOwnerProps) => (
  <PostForm reloadDocument action={action} className="space-y-3">
    <HiddenFields act="ask-owner" id={id} />
    <Field
      id={`owner-fee-${id}`}
      name="ownerFee"
      inputMode="decimal"
      autoComplete="off"
      maxLength={MAX_AMOUNT_TEXT}
      label={m.sell_owner_fee()}
      hint={m.own_ask_owner_hint()}
      defaultValue={refused?.typed.ownerFee ?? fee.amount}
      error={refused?.errors.ownerFee}
    />
    <SelectField
      id={`owner-fee-unit-${id}`}
      name="ownerFeeUnit"
      label={m.sell_owner_fee_unit()}
      options={FEE_UNITS.map(({ id, name }) => ({ id, name: name() }))}
      defaultValue={refused?.typed.ownerFeeUnit ?? fee.unit}
    />
    <button type="submit" className="button-primary w-full">
      {m.own_ask_owner_send()}
    </button>
  </PostForm>
)

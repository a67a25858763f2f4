import { use } from 'react'
import { MAX_AMOUNT_TEXT } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { FEE_UNITS } from '#src/selling/owners/fee-units.ts'
import { AskedFor } from '#src/ui/asked-for.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { ListingForm, TextQuestion } from './form-parts.tsx'

/** An agent says whose animal it is: their own, or that of somebody who is then asked (selling/owners). */
export function WhoseSection() {
  const { typed, errors } = use(ListingForm)
  return (
    <section id="owner" aria-labelledby="owner-title" className="form-panel sm:p-5">
      <h2 id="owner-title" className="text-lg">
        {m.sell_whose_title()}
      </h2>
      <RadioCards
        id="listing-whose"
        name="whose"
        legend={m.sell_whose_title()}
        hasHiddenLegend
        columns="sm:grid-cols-2"
        options={[
          { id: 'mine', name: m.sell_whose_mine() },
          { id: 'other', name: m.sell_whose_other(), more: m.sell_owner_hint() },
        ]}
        chosen={typed.whose ?? 'mine'}
        error={errors.whose}
      />
      <AskedFor isAsked={typed.whose === 'other'}>
        <TextQuestion name="ownerPhone" label={m.sell_owner_phone()} isRequired before="+91" inputMode="tel" maxLength={40} />
        <TextQuestion name="ownerName" label={m.sell_owner_name()} isRequired maxLength={80} />
        <TextQuestion
          name="ownerFee"
          label={m.sell_owner_fee()}
          hint={m.sell_owner_fee_hint()}
          isRequired
          inputMode="decimal"
          maxLength={MAX_AMOUNT_TEXT}
        />
        <SelectField
          id="listing-ownerFeeUnit"
          name="ownerFeeUnit"
          label={m.sell_owner_fee_unit()}
          options={FEE_UNITS.map(({ id, name }) => ({ id, name: name() }))}
          defaultValue={typed.ownerFeeUnit ?? 'rupees'}
        />
      </AskedFor>
    </section>
  )
}

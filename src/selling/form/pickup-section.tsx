import { use } from 'react'
import { m } from '#src/paraglide/messages.js'
import type { ShownAddress } from '#src/addresses/addresses-view.server.ts'
import { FieldError, RequiredMark } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { ChoiceCard } from '#src/ui/radio-cards.tsx'
import { ListingForm } from './form-parts.tsx'

/**
 * Asks where the animal is fetched: at one of the seller's addresses, or at a new one, after which the seller comes
 * back here.
 */
export function PickupSection({ book, addPath }: { book: ShownAddress[] | null; addPath: string }) {
  const { typed, errors } = use(ListingForm)
  const to = useLocalPath()
  const error = errors.pickup
  return (
    <fieldset
      id="pickup"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error && 'listing-pickup-error'}
      className="form-panel gap-3 sm:p-5"
    >
      <legend className="float-left w-full text-lg leading-tight font-bold">
        {m.sell_pickup_title()}
        <RequiredMark />
      </legend>
      <p className="clear-both text-sm text-stone">{m.sell_pickup_hint()}</p>
      <p className="note text-sm">{m.sell_free_hint()}</p>
      {book === null && (
        <p role="alert" className="failure">
          {m.sell_pickup_failed()}{' '}
          <a href={to('/sell')} className="underline">
            {m.sell_try_again()}
          </a>
        </p>
      )}
      {book?.map((address) => (
        // A chosen one that is gone is asked for again.
        <AddressCard key={address.id} address={address} isChosen={typed.pickup === String(address.id)} />
      ))}
      <FieldError id="listing-pickup" error={error} />
      <a href={to(addPath)} className="button-plain">
        {m.sell_pickup_add()}
      </a>
    </fieldset>
  )
}

const AddressCard = ({ address, isChosen }: { address: ShownAddress; isChosen: boolean }) => (
  <ChoiceCard
    type="radio"
    name="pickup"
    value={address.id}
    defaultChecked={isChosen}
    aria-label={address.name}
    className="items-start gap-3 p-3"
    tick="mt-1"
  >
    <b>{address.name}</b>
    <br />
    <span className="text-sm">
      {address.lines.join(', ')}, {address.place.taluk}, {address.place.district} {address.place.pincode}
    </span>
  </ChoiceCard>
)

import { use } from 'react'
import { m } from '#src/paraglide/messages.js'
import type { ShownAddress } from '#src/addresses/addresses-view.server.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { ListingForm, Star, Wrong } from './form-parts.tsx'

/** Where it is fetched: one of the seller's addresses, or a new one and back here. */
export function PickupStep({ book, addPath }: { book: ShownAddress[] | null; addPath: string }) {
  const { typed, errors } = use(ListingForm)
  const to = useLocalPath()
  const error = errors.pickup
  return (
    <fieldset
      id="pickup"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error && 'listing-pickup-error'}
      className="panel grid min-w-0 gap-3 p-4 sm:p-5"
    >
      <legend className="float-left w-full text-lg leading-tight font-bold">
        {m.sell_pickup_title()}
        <Star />
      </legend>
      <p className="clear-both text-sm text-stone">{m.sell_pickup_hint()}</p>
      {book === null && (
        <p role="alert" className="rounded-control bg-brick-soft p-3 font-semibold text-brick">
          {m.sell_pickup_failed()}{' '}
          <a href={to('/sell')} className="underline">
            {m.sell_try_again()}
          </a>
        </p>
      )}
      {book?.map(({ id, name, address1, address2, place }, index) => (
        <label
          key={id}
          className="flex cursor-pointer items-start gap-3 rounded-control border border-line bg-white p-3 has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-3 has-focus-visible:outline-turmeric"
        >
          <input
            type="radio"
            name="pickup"
            value={id}
            // The newest, unless one was chosen: most have one farm. A chosen one that is gone is asked for again.
            defaultChecked={typed.pickup ? typed.pickup === String(id) : index === 0}
            aria-label={name}
            className="mt-1 size-5 shrink-0 accent-leaf"
          />
          <span className="min-w-0">
            <b>{name}</b>
            <br />
            <span className="text-sm">
              {[address1, address2].filter(Boolean).join(', ')}, {place.taluk}, {place.district} {place.pincode}
            </span>
          </span>
        </label>
      ))}
      <Wrong name="pickup" error={error} />
      <a href={to(addPath)} className="button-plain">
        {m.sell_pickup_add()}
      </a>
    </fieldset>
  )
}

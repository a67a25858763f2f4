import { useEffect, useRef } from 'react'
import type { ShownPlace } from '#src/listings/addresses-view.server.ts'
import { usePincodePlace } from '#src/listings/use-pincode-place.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useLocale } from '#src/ui/language.ts'

/** A PIN code, and where that is: looked up while it is typed, or by its button. */
export function PincodeField({ typed, error, place }: { typed: string; error: string | undefined; place: ShownPlace | null }) {
  const { answer, look } = usePincodePlace(place, useLocale())
  const box = useRef<HTMLInputElement>(null)
  // Filled in before the scripts were here.
  useEffect(() => {
    if (answer.kind === 'none') void look(box.current?.value ?? '')
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form comes alive
  }, [])
  const found = answer.kind === 'known' ? answer.place : null
  // What the server said of an earlier code is over when another has been found.
  const wrong = answer.kind === 'unknown' ? m.product_delivery_unknown() : found ? undefined : error
  return (
    <div className="min-w-0">
      <Field
        ref={box}
        id="enquiry-pincode"
        name="pincode"
        label={
          <>
            {m.enquiry_around()}
            <span aria-hidden="true" className="text-brick">
              {' '}
              *
            </span>
          </>
        }
        hint={m.enquiry_around_hint()}
        defaultValue={typed}
        error={wrong}
        onInput={(event) => void look(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={10}
        placeholder="638701"
        aria-required
        after={
          <button
            type="submit"
            name="act"
            value="lookup"
            onClick={(event) => {
              event.preventDefault()
              void look(box.current?.value ?? '')
            }}
            className="button-plain shrink-0 px-4"
          >
            {m.address_lookup()}
          </button>
        }
      />
      <p role="status" className="mt-1 min-h-6 text-sm font-semibold">
        {found && [...new Set([found.taluk, found.district, found.state])].filter(Boolean).join(', ')}
        {answer.kind === 'looking' && m.address_looking()}
        {answer.kind === 'failed' && m.address_lookup_failed()}
      </p>
    </div>
  )
}

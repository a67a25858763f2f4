import { useEffect, useRef, type ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useLocale } from '#src/ui/language.ts'
import type { ShownPlace } from './addresses-view.server.ts'
import { usePincodePlace, type PincodeAnswer } from './use-pincode-place.ts'

interface PincodeFieldProps {
  id: string
  label: ReactNode
  hint: string
  typed: string
  /** What the server said of what was sent. */
  error: string | undefined
  /** Where the server has already said that `typed` is. */
  known: ShownPlace | null
  isRequired?: boolean
  /** Where it is, below the box. */
  children: (answer: PincodeAnswer) => ReactNode
}

/** A PIN code, sent as `pincode`, and where that is: looked up while it is typed, or by its button (`act` is `lookup`). */
export function PincodeField({ id, label, hint, typed, error, known, isRequired, children }: PincodeFieldProps) {
  const { answer, look } = usePincodePlace(known, useLocale())
  const box = useRef<HTMLInputElement>(null)
  // Filled in before the scripts were here, or sent without them.
  useEffect(() => {
    if (answer.kind === 'none') void look(box.current?.value ?? '')
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form comes alive
  }, [])
  return (
    <div className="min-w-0">
      <Field
        ref={box}
        id={id}
        name="pincode"
        label={label}
        hint={hint}
        defaultValue={typed}
        // What the server said of an earlier code is over when another has been found.
        error={answer.kind === 'unknown' ? m.product_delivery_unknown() : answer.kind === 'known' ? undefined : error}
        onInput={(event) => void look(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={10}
        placeholder="638701"
        aria-required={isRequired}
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
      {children(answer)}
    </div>
  )
}

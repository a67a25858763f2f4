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
  error: string | undefined
  /** The place that the server has already found for `typed`. */
  known: ShownPlace | null
  isRequired?: boolean
  isFocused?: boolean
  children: (answer: PincodeAnswer) => ReactNode
}

/** Field `pincode` with its place, looked up while typing or by a button (`act=lookup`). */
export function PincodeField({ id, label, hint, typed, error, known, isRequired = false, isFocused = false, children }: PincodeFieldProps) {
  const { answer, look } = usePincodePlace(known, useLocale())
  const box = useRef<HTMLInputElement>(null)
  // Text typed before hydration, or submitted without scripts.
  useEffect(() => {
    if (answer.kind === 'none') void look(box.current?.value ?? '')
    // oxlint-disable-next-line react/exhaustive-deps -- once, after hydration
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
        // Once another code has been found, the server's error is stale.
        error={wrongIn(answer) ?? (answer.kind === 'known' ? undefined : error)}
        onInput={(event) => void look(event.currentTarget.value)}
        {...(isFocused && { autoFocus: true })}
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={60}
        placeholder="638701"
        isRequired={isRequired}
        after={
          <button
            type="submit"
            name="act"
            value="lookup"
            onClick={(event) => {
              event.preventDefault()
              void look(box.current?.value ?? '', true)
            }}
            className="button-plain shrink-0 px-4 max-[20rem]:shrink"
          >
            {m.address_lookup()}
          </button>
        }
      />
      {children(answer)}
    </div>
  )
}

function wrongIn({ kind }: PincodeAnswer): string | undefined {
  if (kind === 'unknown') return m.product_delivery_unknown()
  return kind === 'invalid' ? m.product_delivery_invalid() : undefined
}

import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'

interface PhoneFieldProps {
  id: string
  error?: string | undefined
  defaultValue?: string | undefined
  hint?: string | undefined
  /** `username` when the phone number is the login name. */
  autoComplete?: 'username' | 'tel-national'
  ref?: React.Ref<HTMLInputElement>
}

/** Ten digits after a fixed +91. A repeated +91, a leading 0 and the digits of every script are accepted (readers.ts). */
export function PhoneField({ id, error, defaultValue, hint, autoComplete = 'tel-national', ref }: PhoneFieldProps) {
  return (
    <Field
      ref={ref}
      id={id}
      name="phone"
      // Not `tel`: HTML allows neither of the two autofill names on it (autofill detail tokens, control group Text).
      type="text"
      inputMode="tel"
      autoComplete={autoComplete}
      maxLength={60}
      label={m.accounts_phone()}
      hint={hint ?? m.accounts_phone_hint()}
      before="+91"
      defaultValue={defaultValue?.replace(/^\+91/, '')}
      error={error}
    />
  )
}

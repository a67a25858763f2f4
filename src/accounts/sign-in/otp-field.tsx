import { useEffect, useRef, type RefObject } from 'react'
import { useRouteLoaderData } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'

interface OtpFieldProps {
  id: string
  label?: string
  hint?: string | null
  error?: string | undefined
  /** The code comes from an authenticator app, not by SMS. */
  isFromApp?: boolean
  onInput?: (text: string) => void
}

/** Field for six digits. */
export function OtpField({ id, label = m.accounts_otp(), hint = m.accounts_otp_hint(), error, isFromApp = false, onInput }: OtpFieldProps) {
  const to = useLocalPath()
  const { isDemo = false } = (useRouteLoaderData('root') ?? {}) as { isDemo?: boolean }
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // In a modal this field replaces the focused element.
    if (input.current?.closest('dialog')) input.current.focus()
    // A person may have typed the code before the scripts loaded.
    if (input.current?.value) onInput?.(input.current.value)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, [])
  useWebOtp(input, isFromApp, onInput)
  return (
    <div>
      <Field
        ref={input}
        id={id}
        name="otp"
        inputMode="numeric"
        autoComplete="one-time-code"
        // A whole pasted SMS gives its code.
        maxLength={500}
        label={label}
        {...(hint !== null && { hint })}
        error={error}
        onInput={(event) => onInput?.(event.currentTarget.value)}
        // A recovery code is ten digits and a dash.
        className={`${isFromApp ? 'max-w-60' : 'max-w-44'} text-center text-xl tracking-[0.2em]`}
      />
      {isDemo && !isFromApp && (
        <a href={to('/dev/outbox')} target="_blank" rel="noopener" className="tap-link text-sm">
          {m.accounts_otp_demo()}
        </a>
      )}
    </div>
  )
}

/** Fills in the code from the SMS, in a browser with WebOTP. */
function useWebOtp(input: RefObject<HTMLInputElement | null>, isFromApp: boolean, onInput: OtpFieldProps['onInput']) {
  useEffect(() => {
    if (isFromApp || !('OTPCredential' in window)) return
    const giveUp = new AbortController()
    const request = { otp: { transport: ['sms'] }, signal: giveUp.signal } as CredentialRequestOptions
    navigator.credentials.get(request).then(
      (credential) => {
        const code = (credential as { code?: string } | null)?.code
        if (!code || !input.current) return
        input.current.value = code
        onInput?.(code)
      },
      // Dismissed, refused, or no SMS came: the person types the code.
      () => {},
    )
    return () => giveUp.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- requested once per mounted field
  }, [isFromApp])
}

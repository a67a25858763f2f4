import { useEffect, useRef } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { PasswordField } from './password-field.tsx'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import { rememberedPhone, rememberPhone } from './remember-phone.ts'

interface LoginFieldsProps {
  /** Prefix of the fields' ids: page and modal may be in one document. */
  id: string
  errors: Record<string, string>
  typedPhone?: string | undefined
}

/** Phone number and 'Remember me'. `noteRemembered` stores the number at submit. */
export function LoginFields({ id, errors, typedPhone }: LoginFieldsProps) {
  const phone = useRef<HTMLInputElement>(null)
  const remember = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const known = rememberedPhone()
    if (known === null) return
    if (phone.current!.value === '') phone.current!.value = known
    remember.current!.checked = true
  }, [])
  return (
    <>
      <PhoneField ref={phone} id={`${id}-phone`} autoComplete="username" defaultValue={typedPhone} error={errors.phone} />
      <Choice
        ref={remember}
        type="checkbox"
        name="remember"
        onChange={(event) => !event.currentTarget.checked && rememberPhone(null)}
        tick="size-6"
      >
        {m.login_remember()}
      </Choice>
    </>
  )
}

interface WithPasswordProps {
  id: string
  error: string | undefined
  /** Open after a refused password. */
  isOpen: boolean
  children: React.ReactNode
}

/** Folded password field, for people who prefer their password to a code. */
export const WithPassword = ({ id, error, isOpen, children }: WithPasswordProps) => (
  <details open={isOpen || undefined} className="border-t border-line pt-2">
    <summary className="min-h-11 content-center font-semibold text-leaf">{m.login_with_password()}</summary>
    <div className="mt-2 grid gap-4">
      <PasswordField id={`${id}-password`} error={error} />
      {children}
    </div>
  </details>
)

export function noteRemembered(form: HTMLFormElement): void {
  const sent = new FormData(form)
  rememberPhone(sent.get('remember') ? String(sent.get('phone')).trim() : null)
}

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

/** Phone, password, 'Remember me'. `noteRemembered` stores the number when the form is sent. */
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
      <PasswordField id={`${id}-password`} error={errors.password} />
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

export function noteRemembered(form: HTMLFormElement): void {
  const sent = new FormData(form)
  rememberPhone(sent.get('remember') ? String(sent.get('phone')).trim() : null)
}

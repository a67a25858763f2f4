import { useEffect, useRef } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { PasswordField } from './password-field.tsx'
import { PhoneField } from '../phone-field.tsx'
import { rememberedPhone, rememberPhone } from './remember-phone.ts'

interface LoginFieldsProps {
  /** Prefix of the fields' ids: page and modal may be in one document. */
  id: string
  errors: Record<string, string>
  typedPhone?: string | undefined
}

/** Phone number, password and 'Remember me' (A §2.1). `noteRemembered` stores the number at submit. */
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

/**
 * For a person without a password: the button that sends a code to the number, beside the login of the specification (decisions.md §8.1).
 * `value` tells it apart from the other buttons of the form.
 */
export function CodeButton({ id }: { id: string }) {
  return (
    <div className="grid gap-1">
      <button type="submit" name="step" value="send" aria-describedby={`${id}-code-hint`} className="button-plain">
        {m.login_by_code()}
      </button>
      <p id={`${id}-code-hint`} className="text-center text-sm text-stone">
        {m.login_by_code_hint()}
      </p>
    </div>
  )
}

export function noteRemembered(form: HTMLFormElement): void {
  const sent = new FormData(form)
  rememberPhone(sent.get('remember') ? String(sent.get('phone')).trim() : null)
}

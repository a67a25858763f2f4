import { useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useIsFirstPaint } from '#src/ui/first-paint.ts'

interface PasswordFieldProps {
  id: string
  label?: string
  isNew?: boolean
  /** Replaces the hint of a new password. */
  hint?: string
  error?: string | undefined
}

/** With a button that shows the password; paste and password managers work. */
export function PasswordField({
  id,
  label = m.accounts_password(),
  isNew = false,
  hint = m.accounts_password_hint(),
  error,
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const hasScripts = !useIsFirstPaint()
  return (
    <Field
      id={id}
      name="password"
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      autoCapitalize="none"
      spellCheck={false}
      label={label}
      {...(isNew && { hint })}
      error={error}
      after={
        hasScripts && (
          <button
            type="button"
            aria-label={m.accounts_password_show()}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
            className="min-h-11 shrink-0 cursor-pointer rounded-control border border-line px-3 text-sm font-semibold text-leaf hover:bg-leaf-soft aria-pressed:bg-leaf aria-pressed:text-white"
          >
            {m.accounts_show()}
          </button>
        )
      }
    />
  )
}

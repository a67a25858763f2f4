import type { ReactNode } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { SettingKey } from '#src/kit/settings.ts'
import { m } from '#src/paraglide/messages.js'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'

interface SettingFrameProps {
  name: SettingKey
  title: string
  hint: string
  /** The value that the form was rendered with; after a refusal the present value, for the next attempt. */
  seen: string
  refused: FormRefusal | undefined
  children: ReactNode
}

export function SettingFrame({ name, title, hint, seen, refused, children }: SettingFrameProps) {
  const to = useLocalPath()
  const hasFieldError = refused && Object.keys(refused.errors).length > 0
  return (
    <PostForm
      ref={useFocusOnError(refused)}
      id={name}
      reloadDocument
      action={to(`/admin/settings#${name}`)}
      noValidate
      onSubmit={sendOnce}
      className="form-panel"
    >
      <h2 className="text-lg">{title}</h2>
      <p className="text-sm text-stone">{hint}</p>
      <input type="hidden" name="key" value={name} />
      <input type="hidden" name="seen" value={seen} />
      {children}
      {refused && !hasFieldError && <FormFailure {...refused} />}
      <button type="submit" className="button-primary justify-self-start">
        {m.settings_save()}
      </button>
    </PostForm>
  )
}

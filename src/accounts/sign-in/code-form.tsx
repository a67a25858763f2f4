import type { ReactNode } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { OtpField } from './otp-field.tsx'
import { ResendOtp } from './resend-otp.tsx'

interface CodeFormProps {
  /** Prefix of the fields' ids. */
  id: string
  text: string
  phone: string
  resendInSeconds: number
  refused: FormRefusal | undefined
  /** The hidden fields of every form on the page. */
  hidden: ReactNode
  /** The value of `step` that each button sends. */
  steps: { give: string; resend: string; drop: string }
  submit: string
  onInput?: (code: string) => void
  children?: ReactNode
}

/** Form for the code that was sent to a number, with buttons for a new code and for another number. */
export function CodeForm({ id, text, phone, resendInSeconds, refused, hidden, steps, submit, onInput, children }: CodeFormProps) {
  const form = useFocusOnError(refused)
  return (
    <>
      <p className="mt-2">{text}</p>
      <form ref={form} method="post" noValidate onSubmit={sendOnce} className="form-panel mt-4">
        {hidden}
        <input type="hidden" name="phone" value={phone} />
        <OtpField id={`${id}-otp`} error={besideFields(refused).otp} onInput={onInput} />
        {children}
        {refused && <FormFailure {...refused} />}
        <button type="submit" name="step" value={steps.give} className="button-primary">
          {submit}
        </button>
      </form>
      <form method="post" onSubmit={sendOnce} className="row mt-3 justify-between gap-x-4">
        {hidden}
        <input type="hidden" name="phone" value={phone} />
        <ResendOtp inSeconds={resendInSeconds} name="step" value={steps.resend} />
        <button type="submit" name="step" value={steps.drop} className="link min-h-11 cursor-pointer">
          {m.reset_other()}
        </button>
      </form>
    </>
  )
}

import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { CodeForm } from './code-form.tsx'
import { PersonFields } from './person-fields.tsx'
import { phoneText } from '../phone-text.ts'

/** Steps of /login after the number (code-login.server.ts): the code, and the name of a new person. */
interface StepProps {
  phone: string
  refused: FormRefusal | undefined
  /** The hidden fields of every form on the page. */
  hidden: React.ReactNode
}

export function CodeStep({ phone, ...more }: StepProps & { resendInSeconds: number }) {
  return (
    <CodeForm
      id="login"
      text={m.register_otp_sent({ phone: phoneText(phone) })}
      phone={phone}
      steps={{ give: 'code', resend: 'send', drop: 'drop' }}
      submit={m.login_submit()}
      {...more}
    />
  )
}

interface NameStepProps extends StepProps {
  typeId: number | null
  choices: readonly number[]
  referralCode: string | null
}

export function NameStep({ phone, refused, hidden, ...who }: NameStepProps) {
  const form = useFocusOnError(refused)
  return (
    <>
      <p className="mt-2">{m.login_name_text({ phone: phoneText(phone) })}</p>
      <form ref={form} method="post" noValidate onSubmit={sendOnce} className="form-panel mt-4">
        {hidden}
        <PersonFields id="login" {...who} errors={refused?.errors ?? {}} typed={refused?.typed ?? {}} />
        {refused && <FormFailure {...refused} />}
        <button type="submit" name="step" value="name" className="button-primary">
          {m.login_name_submit()}
        </button>
      </form>
      <form method="post" onSubmit={sendOnce} className="mt-3">
        {hidden}
        <button type="submit" name="step" value="drop" className="link min-h-11 cursor-pointer">
          {m.reset_other()}
        </button>
      </form>
    </>
  )
}

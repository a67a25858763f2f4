import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocale } from '#src/ui/language.ts'
import { Field } from '#src/ui/field.tsx'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { OtpField } from './otp-field.tsx'
import { Consent, typeTexts } from './register-fields.tsx'
import { ResendOtp } from './resend-otp.tsx'
import { phoneText } from '#src/accounts/phone-text.ts'
import { userTypes } from '#src/accounts/reference-data.ts'

/** The steps of /login after the number (code-login.server.ts): its code, and the name of somebody new. */
interface StepProps {
  phone: string
  refused: FormRefusal | undefined
  /** The fields that every form of the page sends. */
  hidden: React.ReactNode
}

export function CodeStep({ phone, resendInSeconds, refused, hidden }: StepProps & { resendInSeconds: number }) {
  const form = useFocusOnError(refused)
  return (
    <>
      <p className="mt-2">{m.register_otp_sent({ phone: phoneText(phone) })}</p>
      <form ref={form} method="post" noValidate onSubmit={sendOnce} className="form-panel mt-4">
        {hidden}
        <input type="hidden" name="phone" value={phone} />
        <OtpField id="login-otp" error={besideFields(refused).otp} />
        {refused && <FormFailure {...refused} />}
        <button type="submit" name="step" value="code" className="button-primary">
          {m.login_submit()}
        </button>
      </form>
      <form method="post" onSubmit={sendOnce} className="row mt-3 justify-between gap-x-4">
        {hidden}
        <input type="hidden" name="phone" value={phone} />
        <ResendOtp inSeconds={resendInSeconds} name="step" value="send" />
        <button type="submit" name="step" value="drop" className="link min-h-11 cursor-pointer">
          {m.reset_other()}
        </button>
      </form>
    </>
  )
}

interface NameStepProps extends StepProps {
  /** What somebody who came this way wants to be; null asks. */
  typeId: number | null
  choices: number[]
  referralCode: string | null
}

export function NameStep({ phone, typeId, choices, referralCode, refused, hidden }: NameStepProps) {
  const form = useFocusOnError(refused)
  const locale = useLocale()
  const { errors = {}, typed = {} } = refused ?? {}
  return (
    <>
      <p className="mt-2">{m.login_name_text({ phone: phoneText(phone) })}</p>
      <form ref={form} method="post" noValidate onSubmit={sendOnce} className="form-panel mt-4">
        {hidden}
        <Field
          id="login-name"
          name="name"
          autoComplete="name"
          maxLength={100}
          label={m.register_name()}
          defaultValue={typed.name}
          error={errors.name}
        />
        {typeId === null ? (
          <RadioCards
            id="login-type"
            name="typeId"
            legend={m.register_type()}
            options={userTypes
              .filter(({ id }) => choices.includes(id))
              .map(({ id, ...names }) => ({ id, name: <span className="font-semibold">{names[locale]}</span>, more: typeTexts[id]?.() }))}
            chosen={typed.typeId}
            error={errors.typeId}
            card="gap-3"
          />
        ) : (
          <input type="hidden" name="typeId" value={typeId} />
        )}
        {referralCode && (
          <p className="rounded-control bg-turmeric-soft p-3 text-sm font-semibold">
            {m.register_invited({ code: referralCode })}
            <input type="hidden" name="referralCode" value={referralCode} />
          </p>
        )}
        <Consent id="login-consent" error={errors.hasConsented} isTicked={typed.hasConsented !== undefined} />
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

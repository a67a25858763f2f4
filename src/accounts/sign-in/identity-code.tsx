import { useEffect, useState, type ComponentProps } from 'react'
import { useFetcher } from 'react-router'
import { phoneText } from '../phone-text.ts'
import { m } from '#src/paraglide/messages.js'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { AskForm, Submit, textsOf, useAsk } from './identity-asking.tsx'
import { OtpField } from './otp-field.tsx'
import { PersonFields } from './person-fields.tsx'
import { ResendOtp } from './resend-otp.tsx'

/** Steps of the login modal after the number: the code, and the name of a new person. The login page has the same steps. */

/** Display only; the server decides (otp.server.ts). */
export const RESEND_MS = 60_000

export const shownPhone = (typed: string) => phoneText(/^\d{10}$/.test(typed.replace(/\s/g, '')) ? `+91${typed.replace(/\s/g, '')}` : typed)

interface CodeViewProps {
  /** The number that the code went to; null for a code after a password. */
  phone: string | null
  onEnter: (answer: object) => void
  onNew: () => void
  onOther: () => void
}

export function CodeView({ phone, onEnter, onNew, onOther }: CodeViewProps) {
  const { ask, form, isAsking, refused } = useAsk()
  const [times, setTimes] = useState(0)
  const [typed, setTyped] = useState('')
  // A code may arrive before the answer to "send another".
  useEffect(() => {
    if (/^\s*\d{6}\s*$/.test(typed) && !isAsking) form.current?.requestSubmit()
  }, [typed, isAsking, form])
  async function give(sent: HTMLFormElement) {
    setTyped('')
    const { otp = '' } = textsOf(sent)
    const answer = await ask('PUT', '/login-code', phone === null ? { otp } : { phone, otp })
    if (answer && 'needs_name' in answer) onNew()
    else if (answer) onEnter(answer)
  }
  async function resend() {
    if (await ask('POST', '/login-code', { phone })) setTimes(times + 1)
  }
  return (
    <AskForm form={form} onSend={give}>
      <p>{phone === null ? m.login_code_text() : m.register_otp_sent({ phone: shownPhone(phone) })}</p>
      <OtpField id="identity-otp" hint={m.login_code_hint()} error={besideFields(refused).otp} onInput={setTyped} />
      {refused && <FormFailure {...refused} />}
      <Submit isAsking={isAsking} label={m.login_submit()} />
      <div className="row justify-between gap-x-4">
        {phone !== null && <ResendOtp key={times} inSeconds={RESEND_MS / 1000} type="button" onClick={() => void resend()} />}
        <button type="button" onClick={onOther} className="link min-h-11 cursor-pointer">
          {phone === null ? m.login_code_again() : m.reset_other()}
        </button>
      </div>
    </AskForm>
  )
}

interface NameViewProps extends Pick<CodeViewProps, 'onEnter' | 'onOther'> {
  phone: string
  /** Address of the login page, with the wanted user type and the inviter. */
  page: string
}

export function NameView({ phone, page, onEnter, onOther }: NameViewProps) {
  const { data, load } = useFetcher<Pick<ComponentProps<typeof PersonFields>, 'choices' | 'typeId' | 'referralCode'>>()
  useEffect(() => void load(page), [load, page])
  const { ask, form, isAsking, refused } = useAsk()
  if (!data) return <p role="status">{m.register_opening()}</p>
  async function submit(sent: HTMLFormElement) {
    const { name, typeId = '', referralCode, hasConsented } = textsOf(sent)
    const person = { username: name, usertype: Number(typeId), consent: hasConsented === 'yes' }
    const answer = await ask('PUT', '/login-code', { ...person, ...(referralCode !== undefined && { loginreferralcode: referralCode }) })
    if (answer) onEnter(answer)
  }
  return (
    <AskForm form={form} onSend={submit}>
      <p>{m.login_name_text({ phone: shownPhone(phone) })}</p>
      <PersonFields id="identity" {...data} errors={refused?.errors ?? {}} typed={{}} />
      {refused && <FormFailure {...refused} />}
      <Submit isAsking={isAsking} label={m.login_name_submit()} />
      <button type="button" onClick={onOther} className="link min-h-11 cursor-pointer justify-self-start">
        {m.reset_other()}
      </button>
    </AskForm>
  )
}

import { useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Dialog } from '#src/ui/dialog.tsx'
import { askIdentity, keepPending, storedPending, type Asked, type Pending } from './identity-calls.ts'
import { LoginFields, noteRemembered, WithPassword } from './login-fields.tsx'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { OtpField } from './otp-field.tsx'
import { PasswordField } from './password-field.tsx'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import { phoneText } from '#src/accounts/phone-text.ts'
import { RegisterFields } from './register-fields.tsx'
import { ResendOtp } from './resend-otp.tsx'
import { useLocale } from '#src/ui/language.ts'
import { bare, localized } from '#src/kit/text/locale.ts'

/** Named like the pages. */
type FormView = 'login' | 'register' | 'reset-password'
interface IdentityDialogProps {
  /** The tapped link: which form, and with `next` where to go afterwards. Without `next` the page is reloaded with the new login. */
  href: string
  onClose: () => void
}

const titles = { login: m.login_title, register: m.register_title, 'reset-password': m.reset_title, otp: m.register_otp_title }

export function IdentityDialog({ href, onClose }: IdentityDialogProps) {
  const { pathname, searchParams } = new URL(href)
  const next = searchParams.get('next')
  const [pending, setPending] = useState<Pending | null>(storedPending)
  const [view, setView] = useState<FormView>(bare(pathname).replace(/\//g, '').toLowerCase() as FormView)
  const locale = useLocale()
  const enter = (answer: object) => {
    // A right password may not be enough: the next question is then a separate page.
    const step = 'awaits_totp' in answer ? '/login/second-step' : 'otp_length' in answer ? '/login/code' : null
    if (step !== '/login/code') keepPending(null)
    if (step) window.location.assign(`${localized(step, locale)}?next=${encodeURIComponent(next ?? here())}`)
    else if (next && new URL(next, href).origin === window.location.origin) window.location.assign(next)
    else window.location.reload()
  }
  const goToCode = () => window.location.assign(`${localized('/login', locale)}?next=${encodeURIComponent(next ?? here())}`)
  const wait = (now: Pending | null) => {
    keepPending(now)
    setPending(now)
  }
  // Specification A §4: while a registration waits, any of our buttons asks for its code. People with an account can skip that.
  const [wantsLogin, setWantsLogin] = useState(false)
  const step = pending && !wantsLogin && view !== 'reset-password' ? 'otp' : view
  const show = (wanted: FormView) => {
    setWantsLogin(wanted === 'login')
    setView(wanted)
  }
  return (
    <Dialog id="door" title={titles[step]()} closeLabel={m.accounts_close()} onClose={onClose}>
      {step === 'login' && <LoginView onEnter={enter} onCode={goToCode} onView={show} onClose={onClose} />}
      {step === 'register' && <RegisterView onPending={wait} onView={show} />}
      {step === 'otp' && <OtpView key={pending!.resendAt} pending={pending!} onPending={wait} onEnter={enter} onView={show} />}
      {step === 'reset-password' && <ResetView onEnter={enter} onView={show} />}
    </Dialog>
  )
}

const here = () => window.location.pathname + window.location.search

interface ViewProps {
  onEnter: (answer: object) => void
  onView: (view: FormView) => void
  onPending: (pending: Pending | null) => void
  onClose: () => void
}

/** One request at a time; the latest answer is shown until the next. */
function useAsk() {
  const [state, setState] = useState<{ isAsking: boolean; refused?: Extract<Asked, { isTaken: false }> }>({ isAsking: false })
  const form = useFocusOnError(state.refused)
  async function ask(...question: Parameters<typeof askIdentity>): Promise<object | null> {
    if (state.isAsking) return null
    setState({ isAsking: true })
    const asked = await askIdentity(...question)
    setState(asked.isTaken ? { isAsking: false } : { isAsking: false, refused: asked })
    return asked.isTaken ? asked.answer : null
  }
  return { ask, form, isAsking: state.isAsking, refused: state.refused }
}

const textsOf = (form: HTMLFormElement) => Object.fromEntries(new FormData(form)) as Record<string, string | undefined>

function Submit({ isAsking, label }: { isAsking: boolean; label: string }) {
  return (
    <button type="submit" aria-disabled={isAsking || undefined} className="button-primary aria-disabled:opacity-70">
      {isAsking ? m.accounts_sending() : label}
    </button>
  )
}

function LoginView({ onEnter, onCode, onView, onClose }: Pick<ViewProps, 'onEnter' | 'onView' | 'onClose'> & { onCode: () => void }) {
  const { ask, form, isAsking, refused } = useAsk()
  const errors = besideFields(refused)
  async function submit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const sent = event.currentTarget
    const { phone, password } = textsOf(sent)
    const isByPassword = password !== '' || (event.nativeEvent.submitter as HTMLButtonElement | null)?.value === 'password'
    const answer = isByPassword ? await ask('POST', '/login', { username: phone, password }) : await ask('POST', '/login-code', { phone })
    if (!answer) return
    noteRemembered(sent)
    // The code is asked for by the page: it knows what this browser waits for, also after a reload.
    if (isByPassword) onEnter(answer)
    else onCode()
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-stone">{m.login_lead()}</p>
      <LoginFields id="door" errors={errors} />
      {refused && <FormFailure {...refused} />}
      <Submit isAsking={isAsking} label={m.reset_send()} />
      <WithPassword id="door" error={errors.password} isOpen={errors.password !== undefined}>
        <button type="submit" value="password" className="button-plain">
          {m.login_submit()}
        </button>
        <button type="button" onClick={() => onView('reset-password')} className="link-button">
          {m.login_forgot()}
        </button>
      </WithPassword>
      <div className="grid gap-2 border-t border-line pt-3">
        <button type="button" onClick={() => onView('register')} className="button-plain">
          {m.login_register()}
        </button>
        <button type="button" onClick={onClose} className="min-h-11 cursor-pointer text-stone underline underline-offset-2">
          {m.accounts_close()}
        </button>
      </div>
    </form>
  )
}

function RegisterView({ onPending, onView }: Pick<ViewProps, 'onPending' | 'onView'>) {
  const { ask, form, isAsking, refused } = useAsk()
  // The form is long: a message at its foot is shown beside the field, too.
  const errors = refused?.errors ?? {}
  async function submit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const { phone = '', password, name, titleId, typeId, pan, degree, referralCode, hasConsented } = textsOf(event.currentTarget)
    const answer = await ask('POST', '/user', {
      phone,
      password,
      username: name,
      title: titleId ?? '',
      usertype: typeId ?? '',
      sellerpannumber: pan ?? '',
      userdegree: degree ?? '',
      loginreferralcode: referralCode ?? '',
      consent: hasConsented === 'yes',
    })
    if (answer) onPending({ id: (answer as { id: number }).id, phone, until: Date.now() + PENDING_MS, resendAt: Date.now() + RESEND_MS })
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <RegisterFields
        id="door"
        errors={errors}
        typed={{}}
        referralCode={/(?:^|; )refcode=([A-Za-z0-9]{10})(?:;|$)/.exec(document.cookie)?.[1] ?? null}
      />
      {refused && <FormFailure {...refused} />}
      <Submit isAsking={isAsking} label={m.register_submit()} />
      <button type="button" onClick={() => onView('login')} className="link-button">
        {m.register_to_login()}
      </button>
    </form>
  )
}

/** The server's limit, which alone decides (register.server.ts, otp.server.ts). */
const PENDING_MS = 15 * 60_000
const RESEND_MS = 60_000

function OtpView({ pending, onPending, onEnter, onView }: Pick<ViewProps, 'onPending' | 'onEnter' | 'onView'> & { pending: Pending }) {
  const { ask: askToVerify, form, isAsking, refused } = useAsk()
  const { ask: askToSend, form: sendForm, refused: unsent } = useAsk()
  // The value when this step was opened.
  const [now] = useState(Date.now)
  async function verify(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const answer = await askToVerify('PUT', `/userprofile/id=${pending.id}`, { otp: textsOf(event.currentTarget).otp, verify_otp: true })
    if (answer) onEnter(answer)
  }
  async function resend(phone?: string) {
    const answer = await askToSend('POST', '/auth/otp/resend', phone === undefined ? {} : { phone })
    if (answer) onPending({ ...pending, phone: phone ?? pending.phone, resendAt: Date.now() + RESEND_MS })
  }
  const restart = () => {
    onPending(null)
    onView('register')
  }
  // The quarter of an hour is over, or another window has finished the registration.
  const isOver = refused?.code === 'NOT_FOUND' || unsent?.code === 'NOT_FOUND'
  return (
    <>
      <p>{m.register_otp_sent({ phone: shownPhone(pending.phone) })}</p>
      <p className="text-sm text-stone">{m.register_otp_left({ minutes: Math.max(0, Math.ceil((pending.until - now) / 60_000)) })}</p>
      <form ref={form} noValidate onSubmit={(event) => void verify(event)} className="mt-4 grid gap-4">
        <OtpField id="door-otp" error={besideFields(refused).otp} />
        {refused && !isOver && <FormFailure {...refused} />}
        {!isOver && <Submit isAsking={isAsking} label={m.register_otp_submit()} />}
        {isOver ? (
          <>
            <FormFailure detail={m.problem_otp_expired()} />
            <button type="button" onClick={restart} className="button-primary">
              {m.register_again()}
            </button>
          </>
        ) : (
          <ResendOtp inSeconds={Math.max(0, Math.ceil((pending.resendAt - now) / 1000))} type="button" onClick={() => void resend()} />
        )}
      </form>
      <OtherPhone form={sendForm} error={besideFields(unsent).phone} onSend={(phone) => void resend(phone)} onRestart={restart} />
      {unsent && !isOver && <FormFailure {...unsent} />}
      <button type="button" onClick={() => onView('login')} className="link-button mt-2">
        {m.register_to_login()}
      </button>
    </>
  )
}

interface OtherPhoneProps {
  form: React.Ref<HTMLFormElement>
  error: string | undefined
  onSend: (phone: string) => void
  onRestart: () => void
}

/** For whoever mistyped their number. */
function OtherPhone({ form, error, onSend, onRestart }: OtherPhoneProps) {
  return (
    <details className="mt-3">
      <summary className="min-h-11 py-2 font-semibold text-leaf">{m.register_change()}</summary>
      <p className="mt-1 text-sm text-stone">{m.register_otp_none()}</p>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSend(textsOf(event.currentTarget).phone ?? '')
        }}
        className="mt-3 grid gap-4"
      >
        <PhoneField id="door-new-phone" error={error} />
        <button type="submit" className="button-plain">
          {m.register_change_submit()}
        </button>
      </form>
      <button type="button" onClick={onRestart} className="link mt-2 min-h-11 cursor-pointer">
        {m.register_again()}
      </button>
    </details>
  )
}

const shownPhone = (typed: string) => phoneText(/^\d{10}$/.test(typed.replace(/\s/g, '')) ? `+91${typed.replace(/\s/g, '')}` : typed)

function ResetView({ onEnter, onView }: Pick<ViewProps, 'onEnter' | 'onView'>) {
  const { ask, form, isAsking, refused } = useAsk()
  const errors = besideFields(refused)
  const [sent, setSent] = useState<{ phone: string; times: number } | null>(null)
  const [otp, setOtp] = useState('')
  async function start(phone: string) {
    if (await ask('POST', '/auth/reset', { phone })) setSent((before) => ({ phone, times: (before?.times ?? 0) + 1 }))
  }
  async function save(phone: string, sentForm: HTMLFormElement) {
    const { otp, password = '' } = textsOf(sentForm)
    // The number as its owner wrote it; the path has the plus.
    const digits = phone.replace(/\D/g, '').replace(/^0?(?=\d{10}$)/, '91')
    const answer = await ask('PATCH', `/reset-password/userphone=%2B${digits}`, { otp, password })
    if (answer) onEnter(answer)
  }
  if (!sent)
    return (
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void start(textsOf(event.currentTarget).phone ?? '')
        }}
        className="grid gap-4"
      >
        <p className="text-stone">{m.reset_lead()}</p>
        <PhoneField id="door-reset-phone" autoComplete="username" error={errors.phone} />
        {refused && <FormFailure {...refused} />}
        <Submit isAsking={isAsking} label={m.reset_send()} />
        <button type="button" onClick={() => onView('register')} className="button-plain">
          {m.login_register()}
        </button>
      </form>
    )
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save(sent.phone, event.currentTarget)
      }}
      className="grid gap-4"
    >
      <p>{m.reset_sent({ phone: shownPhone(sent.phone) })}</p>
      <OtpField id="door-reset-otp" error={errors.otp} onInput={setOtp} />
      {otp.length > 5 && <PasswordField id="door-reset-password" isNew label={m.reset_password()} error={errors.password} />}
      {refused && <FormFailure {...refused} />}
      <Submit isAsking={isAsking} label={m.reset_save()} />
      <div className="row justify-between gap-x-4">
        <ResendOtp key={sent.times} inSeconds={RESEND_MS / 1000} type="button" onClick={() => void start(sent.phone)} />
        <button type="button" onClick={() => setSent(null)} className="link min-h-11 cursor-pointer">
          {m.reset_other()}
        </button>
      </div>
    </form>
  )
}

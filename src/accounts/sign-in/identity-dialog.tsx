import { useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Dialog } from '#src/ui/dialog.tsx'
import { askIdentity, type Asked } from './identity-calls.ts'
import { LoginFields, noteRemembered, WithPassword } from './login-fields.tsx'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { OtpField } from './otp-field.tsx'
import { PasswordField } from './password-field.tsx'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import { phoneText } from '#src/accounts/phone-text.ts'
import { RegisterView } from './register-view.tsx'
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

const titles = { login: m.login_title, register: m.register_title, 'reset-password': m.reset_title }

export function IdentityDialog({ href, onClose }: IdentityDialogProps) {
  const { pathname, searchParams } = new URL(href)
  const next = searchParams.get('next')
  const [view, setView] = useState<FormView>(bare(pathname).replace(/\//g, '').toLowerCase() as FormView)
  const locale = useLocale()
  const pageAt = (path: string) => `${localized(path, locale)}?next=${encodeURIComponent(next ?? here())}`
  const enter = (answer: object) => {
    // A right password may not be enough: the next question is then a separate page.
    const step = 'awaits_totp' in answer ? '/login/second-step' : 'otp_length' in answer ? '/login/code' : null
    if (step) window.location.assign(pageAt(step))
    else if (next && new URL(next, href).origin === window.location.origin) window.location.assign(next)
    else window.location.reload()
  }
  const goToCode = () => window.location.assign(pageAt('/login'))
  return (
    <Dialog id="door" title={titles[view]()} closeLabel={m.accounts_close()} onClose={onClose}>
      {view === 'login' && <LoginView onEnter={enter} onCode={goToCode} onView={setView} onClose={onClose} />}
      {view === 'register' && <RegisterView page={pageAt('/register')} onLogin={() => setView('login')} />}
      {view === 'reset-password' && <ResetView onEnter={enter} onView={setView} />}
    </Dialog>
  )
}

const here = () => window.location.pathname + window.location.search

interface ViewProps {
  onEnter: (answer: object) => void
  onView: (view: FormView) => void
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

interface LoginViewProps extends ViewProps {
  onCode: () => void
  onClose: () => void
}

function LoginView({ onEnter, onCode, onView, onClose }: LoginViewProps) {
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

/** The server's limit, which alone decides (otp.server.ts). */
const RESEND_MS = 60_000

const shownPhone = (typed: string) => phoneText(/^\d{10}$/.test(typed.replace(/\s/g, '')) ? `+91${typed.replace(/\s/g, '')}` : typed)

function ResetView({ onEnter, onView }: ViewProps) {
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

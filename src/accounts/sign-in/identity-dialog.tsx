import { useRef, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { closeDialogOf, Dialog } from '#src/ui/dialog.tsx'
import { AskForm, Submit, textsOf, useAsk } from './identity-asking.tsx'
import { CodeView, NameView, RESEND_MS, shownPhone } from './identity-code.tsx'
import { CodeButton, LoginFields, noteRemembered } from './login-fields.tsx'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { OtpField } from './otp-field.tsx'
import { PasswordField } from './password-field.tsx'
import { SamplePeople } from './sample-people.tsx'
import { PhoneField } from '../phone-field.tsx'
import { RegisterView } from './registration-form.tsx'
import { ResendOtp } from './resend-otp.tsx'
import { useLocale } from '#src/ui/language.ts'
import { isWish, noteAwaitedCode } from './sign-in-links.ts'
import { replaceAddress } from '#src/router-seams/history-entry.ts'
import { bare, localized } from '#src/kit/text/locale.ts'

/** The first three have the names of their pages. */
type FormView = 'login' | 'register' | 'reset-password' | 'code' | 'second-code' | 'name'
interface IdentityDialogProps {
  /** The tapped link: names the form, and in `next` where to go afterwards. Without `next` the page reloads after the login. */
  href: string
  onClose: () => void
}

const titles = {
  login: m.login_title,
  register: m.register_title,
  'reset-password': m.reset_title,
  code: m.login_otp_title,
  'second-code': m.login_code_title,
  name: m.login_name_title,
}

/** Lifetime of a code (otp.server.ts). Meanwhile a tap on login in this tab leads to the page that asks for it. */
const CODE_MS = 10 * 60_000

export function IdentityDialog({ href, onClose }: IdentityDialogProps) {
  const url = new URL(href)
  const { pathname, searchParams } = url
  const locale = useLocale()
  const hasWish = isWish(url)
  const next = hasWish ? localized('/my-cart', locale) : searchParams.get('next')
  const [view, setView] = useState<FormView>(bare(pathname).replace(/\//g, '').toLowerCase() as FormView)
  const [phone, setPhone] = useState('')
  const [isIn, setIsIn] = useState(false)
  const onward = useRef<() => void>(null)
  const content = useRef<HTMLDivElement>(null)
  const pageAt = (path: string) => `${localized(path, locale)}?next=${encodeURIComponent(next ?? here())}`
  const leaveBy = (go: () => void) => {
    onward.current = go
    // The person may have closed the modal while the answer was on its way.
    if (content.current) closeDialogOf(content.current)
    else go()
  }
  const enter = (answer: object) => {
    if ('otp_length' in answer) return setView('second-code')
    noteAwaitedCode(0)
    setIsIn(true)
    // An admin needs a second step, which is a separate page.
    if ('awaits_totp' in answer) leaveBy(() => window.location.assign(pageAt('/login/second-step')))
    else if (hasWish) void fulfilWish(next!).then(leaveBy)
    else if (next && new URL(next, href).origin === window.location.origin) leaveBy(() => window.location.assign(next))
    else leaveBy(() => window.location.reload())
  }
  const askForCode = (phone: string) => {
    noteAwaitedCode(Date.now() + CODE_MS)
    setPhone(phone)
    setView('code')
  }
  const askAgain = () => {
    noteAwaitedCode(0)
    setView('login')
  }
  const code = { onEnter: enter, onNew: () => setView('name'), onOther: askAgain }
  return (
    <Dialog id="identity" title={titles[view]()} onClose={() => (onward.current ?? onClose)()}>
      <div ref={content}>
        {isIn ? (
          <p role="status">{m.register_opening()}</p>
        ) : (
          <>
            {view === 'login' && <LoginView lead={hasWish ? m.login_wish() : null} onEnter={enter} onCode={askForCode} onView={setView} />}
            {view === 'code' && <CodeView {...code} phone={phone} />}
            {view === 'second-code' && <CodeView {...code} phone={null} />}
            {view === 'name' && <NameView {...code} phone={phone} page={pageAt('/login')} />}
            {view === 'register' && <RegisterView page={pageAt('/register')} onLogin={() => setView('login')} />}
            {view === 'reset-password' && <ResetView onEnter={enter} onView={setView} />}
          </>
        )}
      </div>
    </Dialog>
  )
}

/**
 * Adds the wanted animal to the cart (wish.ts); the person stays on their page, which then opens the sheet "added"
 * (storefront/animal/add-script.ts). On a refusal, or when the answer is lost, goes to the cart, which explains it.
 */
async function fulfilWish(cart: string): Promise<() => void> {
  const answer = await fetch(cart).catch(() => null)
  const isAdded = answer !== null && new URL(answer.url).searchParams.has('added')
  if (!isAdded) return () => window.location.assign(answer?.url ?? cart)
  return () => {
    replaceAddress(`#${ADDED_SHEET}`)
    window.location.reload()
  }
}

/** Id of the sheet on the animal's page (storefront/animal/add-to-cart.tsx). */
const ADDED_SHEET = 'cart-added'

const here = () => window.location.pathname + window.location.search

interface ViewProps {
  onEnter: (answer: object) => void
  onView: (view: FormView) => void
}

interface LoginViewProps extends ViewProps {
  /** The reason why the login is needed here. */
  lead: string | null
  onCode: (phone: string) => void
}

function LoginView({ lead, onEnter, onCode, onView }: LoginViewProps) {
  const { ask, form, isAsking, refused } = useAsk()
  const errors = besideFields(refused)
  async function submit(sent: HTMLFormElement, by: HTMLElement | null) {
    const { phone, password } = textsOf(sent)
    const isByPassword = (by as HTMLButtonElement | null)?.value !== 'send'
    const answer = isByPassword ? await ask('POST', '/login', { username: phone, password }) : await ask('POST', '/login-code', { phone })
    if (!answer) return
    noteRemembered(sent)
    if (isByPassword) onEnter(answer)
    else onCode(phone!)
  }
  return (
    <AskForm form={form} onSend={submit}>
      {lead !== null && <p className="font-semibold">{lead}</p>}
      <LoginFields id="identity" errors={errors} />
      {refused && <FormFailure {...refused} />}
      <Submit isAsking={isAsking} label={m.login_submit()} />
      <button type="button" onClick={() => onView('reset-password')} className="link-button">
        {m.login_forgot()}
      </button>
      <CodeButton id="identity" />
      <div className="grid gap-2 border-t border-line pt-3">
        <button type="button" onClick={() => onView('register')} className="button-plain">
          {m.login_register()}
        </button>
        <button
          type="button"
          onClick={({ currentTarget }) => closeDialogOf(currentTarget)}
          className="min-h-11 cursor-pointer text-stone underline underline-offset-2"
        >
          {m.close()}
        </button>
      </div>
      <SamplePeople />
    </AskForm>
  )
}

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
    // The number as typed; the path needs it with the plus.
    const digits = phone.replace(/\D/g, '').replace(/^0?(?=\d{10}$)/, '91')
    const answer = await ask('PATCH', `/reset-password/userphone=%2B${digits}`, { otp, password })
    if (answer) onEnter(answer)
  }
  if (!sent)
    return (
      <AskForm form={form} onSend={(sent) => start(textsOf(sent).phone ?? '')}>
        <p className="text-stone">{m.reset_lead()}</p>
        <PhoneField id="identity-reset-phone" autoComplete="username" error={errors.phone} />
        {refused && <FormFailure {...refused} />}
        <Submit isAsking={isAsking} label={m.reset_send()} />
        <button type="button" onClick={() => onView('register')} className="button-plain">
          {m.login_register()}
        </button>
      </AskForm>
    )
  return (
    <AskForm form={form} onSend={(filled) => save(sent.phone, filled)}>
      <p>{m.reset_sent({ phone: shownPhone(sent.phone) })}</p>
      <OtpField id="identity-reset-otp" error={errors.otp} onInput={setOtp} />
      {otp.length > 5 && <PasswordField id="identity-reset-password" isNew label={m.reset_password()} error={errors.password} />}
      {refused && <FormFailure {...refused} />}
      <Submit isAsking={isAsking} label={m.reset_save()} />
      <div className="row justify-between gap-x-4">
        <ResendOtp key={sent.times} inSeconds={RESEND_MS / 1000} type="button" onClick={() => void start(sent.phone)} />
        <button type="button" onClick={() => setSent(null)} className="link min-h-11 cursor-pointer">
          {m.reset_other()}
        </button>
      </div>
    </AskForm>
  )
}

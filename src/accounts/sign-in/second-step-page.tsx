import type { ReactNode, Ref } from 'react'
import { redirect } from 'react-router'
import { z } from 'zod'
import type { Ctx, Visitor } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, pageAction, type FormRefusal, textOf } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { CsrfField } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { otpCode, secondStepCode } from '../schemas.ts'
import { authClientOf, sessionCookies } from '#src/accounts/identity/session-cookies.server.ts'
import { findSession, type Session } from '../sessions.server.ts'
import { findSecondStep, openEnrolment, passTotp, sendEnrolmentCode } from '#src/accounts/identity/totp.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { authFormLoader, nextOf, redirectWith } from './auth-forms.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { OtpField } from './otp-field.tsx'
import type { Route } from './+types/second-step-page'

/** For an admin of a live site whose password was right. Redirects everyone else to the login. */
export const loader = authFormLoader(async (ctx, { visitor }) => {
  const found = await findSecondStep(ctx, await requireHalfSession(ctx, visitor))
  const step =
    found.step === 'enrol'
      ? { ...found, enrolment: { secret: found.enrolment.secret, picture: `data:image/svg+xml,${encodeURIComponent(found.enrolment.qr)}` } }
      : found
  return { step }
})

const ACTS = ['send', 'sms', 'step'] as const

export const action = pageAction('second-step', async (ctx, { form, url, site, visitor }) => {
  const act = ACTS.find((each) => each === form.get('act')) ?? 'step'
  const session = await requireHalfSession(ctx, visitor)
  if (act === 'step') {
    const { otp } = parseInput(z.object({ otp: secondStepCode }), { otp: textOf(form, 'otp') })
    const token = await passTotp(ctx, session, otp)
    throw redirectWith(nextOf(ctx, form), sessionCookies(visitor.cookieNames, site.env.secret, token))
  }
  if (act === 'send') await sendEnrolmentCode(ctx, session, authClientOf(site, visitor))
  else await openEnrolment(ctx, session, parseInput(z.object({ otp: otpCode }), { otp: textOf(form, 'otp') }).otp)
  throw redirect(url.pathname + url.search)
})

async function requireHalfSession(ctx: Ctx, { cookies, cookieNames }: Visitor): Promise<Session> {
  const session = await findSession(ctx.db, cookies[cookieNames.session] ?? '')
  if (!session?.awaitsTotp) throw redirect(localized('/login', ctx.locale))
  return session
}

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.login_step_title(), description: m.login_step_text() }))

const texts = {
  totp: () => m.login_step_text(),
  enrol: () => m.login_step_enrol(),
  sms: () => m.login_step_sms(),
  password: () => m.login_step_password(),
}

export default function SecondStepPage({ loaderData: { next, step }, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const refused = actionData?.refused
  const form = useFocusOnError(refused)
  const hidden = (
    <>
      <CsrfField />
      <input type="hidden" name="next" value={refused?.typed.next ?? next} />
    </>
  )
  const isByApp = step.step === 'totp' || step.step === 'enrol'
  // The specification's sentence is about a code by SMS.
  const failure = refused?.code === 'OTP_WRONG' && isByApp ? { ...refused, detail: m.login_step_wrong() } : refused
  const error = refused?.code === 'OTP_WRONG' ? '' : besideFields(refused).otp
  return (
    <div className="mx-auto max-w-md py-2">
      <h1 className="text-2xl">{m.login_step_title()}</h1>
      <p className="mt-2">{step.step === 'sms' && step.isCodeSent ? m.login_step_sms_sent() : texts[step.step]()}</p>
      {step.step === 'password' && (
        <a href={to('/login')} className="button-primary mt-4">
          {m.login_submit()}
        </a>
      )}
      {step.step === 'sms' && <SmsStep isCodeSent={step.isCodeSent} hidden={hidden} form={form} refused={refused} error={error} />}
      {isByApp && (
        <form ref={form} method="post" noValidate onSubmit={sendOnce} className="form-panel mt-4">
          {hidden}
          {step.step === 'enrol' && <Enrolment {...step.enrolment} />}
          <OtpField
            id="step-otp"
            isFromApp
            label={m.login_step_code()}
            hint={step.step === 'totp' ? m.login_step_recovery() : null}
            error={error}
          />
          {failure && <FormFailure {...failure} />}
          <button type="submit" name="act" value="step" className="button-primary">
            {m.login_step_submit()}
          </button>
        </form>
      )}
    </div>
  )
}

interface SmsStepProps {
  isCodeSent: boolean
  hidden: ReactNode
  form: Ref<HTMLFormElement>
  refused: FormRefusal | undefined
  error: string | undefined
}

/** Before enrolment of an app: sends a code by SMS, then asks for it. */
function SmsStep({ isCodeSent, hidden, form, refused, error }: SmsStepProps) {
  return (
    <div className="form-panel mt-4">
      {isCodeSent && (
        <form ref={form} method="post" noValidate onSubmit={sendOnce} className="grid gap-4">
          {hidden}
          <OtpField id="step-sms" error={error} />
          {refused && <FormFailure {...refused} />}
          <button type="submit" name="act" value="sms" className="button-primary">
            {m.login_step_submit()}
          </button>
        </form>
      )}
      <form method="post" onSubmit={sendOnce} className="grid gap-4">
        {hidden}
        {refused && !isCodeSent && <FormFailure {...refused} />}
        <button type="submit" name="act" value="send" className={isCodeSent ? 'button-plain' : 'button-primary'}>
          {isCodeSent ? m.accounts_otp_resend() : m.login_step_send()}
        </button>
      </form>
    </div>
  )
}

/** The secret as a QR code for the app's camera and as text. */
function Enrolment({ picture, secret }: { picture: string; secret: string }) {
  return (
    <div className="grid justify-items-center gap-2">
      <img src={picture} alt={m.login_step_picture()} width={240} height={240} className="rounded-control bg-white p-2" />
      <p className="text-center text-sm">
        {m.login_step_key()}: <code className="font-semibold">{secret}</code>
      </p>
    </div>
  )
}

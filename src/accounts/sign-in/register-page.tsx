import { useEffect } from 'react'
import { redirect, replace } from 'react-router'
import { z } from 'zod'
import { formHeaders, pageAction, type FormRefusal, textOf } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { CsrfField } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { PhoneField } from '../phone-field.tsx'
import { phoneText } from '../phone-text.ts'
import {
  dropRegistration,
  findPending,
  finishRegistration,
  referralCodeIn,
  resendRegistration,
  startRegistration,
} from '#src/accounts/identity/register.server.ts'
import { otpCode, pageRegistration, phoneNumber } from '../schemas.ts'
import { authClientOf, expiredCookie, registrationCookie } from '#src/accounts/identity/session-cookies.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { noteAwaitedCode } from './sign-in-links.ts'
import { authFormLoader, enter, nextOf, pathWithNext, redirectWith, typeFor } from './auth-forms.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { OtpField } from './otp-field.tsx'
import { RegistrationForm } from './registration-form.tsx'
import { ResendOtp } from './resend-otp.tsx'
import type { Route } from './+types/register-page'

/** The server knows whether this browser waits for a code, so a person who comes back within fifteen minutes sees that step again. */
export const loader = authFormLoader(async (ctx, { next, visitor: { cookies, cookieNames } }) => {
  if (ctx.viewer) throw redirect(next)
  return {
    pending: await findPending(ctx, cookies[cookieNames.registration]),
    typeId: typeFor(next),
    referralCode: referralCodeIn(cookies.refcode),
  }
})

export const action = pageAction('register', async (ctx, { form, site, visitor }) => {
  const text = (name: string) => textOf(form, name)
  const client = authClientOf(site, visitor)
  const { cookieNames } = visitor
  const token = visitor.cookies[cookieNames.registration]
  const here = pathWithNext(ctx, '/register', nextOf(ctx, form))
  switch (text('step')) {
    case 'start': {
      const input = parseInput(pageRegistration, {
        phone: text('phone'),
        password: text('password') || null,
        name: text('name'),
        titleId: text('titleId'),
        typeId: text('typeId'),
        pan: text('pan'),
        degree: text('degree'),
        referralCode: text('referralCode'),
        hasConsented: text('hasConsented') === 'yes',
      })
      const begun = await startRegistration(ctx, input, client)
      const cookies = [registrationCookie(cookieNames, begun.token)]
      // Back leads past the sent form, and past the modal.
      throw redirectWith(here, cookies, {}, replace)
    }
    case 'verify': {
      const { otp: code } = parseInput(z.object({ otp: otpCode }), { otp: text('otp') })
      throw await enter(ctx, site, visitor, await finishRegistration(ctx, { token, code }, client), nextOf(ctx, form))
    }
    case 'resend': {
      await resendRegistration(ctx, token, client)
      throw redirect(here)
    }
    case 'change': {
      const { phone } = parseInput(z.object({ phone: phoneNumber }), { phone: text('phone') })
      await resendRegistration(ctx, token, client, phone)
      throw redirect(here)
    }
    case 'drop': {
      await dropRegistration(ctx, token)
      throw redirectWith(here, [expiredCookie(cookieNames, cookieNames.registration)])
    }
    default:
      throw new Problem('MALFORMED')
  }
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title: page.pending ? m.register_otp_title() : m.register_title(),
  description: m.register_lead(),
}))

export default function RegisterPage({ loaderData, actionData }: Route.ComponentProps) {
  const { pending } = loaderData
  useEffect(() => noteAwaitedCode(pending ? Date.now() + pending.secondsLeft * 1000 : 0), [pending])
  const refused = actionData?.refused
  const next = refused?.typed.next ?? loaderData.next
  const hidden = (
    <>
      <CsrfField />
      <input type="hidden" name="next" value={next} />
    </>
  )
  return (
    <div className="mx-auto max-w-xl py-2">
      {pending ? (
        <OtpStep pending={pending} refused={refused} hidden={hidden} next={next} />
      ) : (
        <FirstStep page={{ ...loaderData, next }} refused={refused} />
      )}
    </div>
  )
}

function FirstStep({ page, refused }: { page: Route.ComponentProps['loaderData']; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const query = `?next=${encodeURIComponent(page.next)}`
  return (
    <>
      <h1 className="text-2xl">{m.register_title()}</h1>
      <p className="mt-2 text-stone">{m.register_lead()}</p>
      <RegistrationForm id="register" action={to('/register') + query} page={page} refused={refused} className="form-panel mt-4">
        <a href={to('/login') + query} className="tap-link justify-center text-center font-semibold">
          {m.register_to_login()}
        </a>
      </RegistrationForm>
    </>
  )
}

type Pending = NonNullable<Route.ComponentProps['loaderData']['pending']>

interface OtpStepProps {
  pending: Pending
  refused: FormRefusal | undefined
  hidden: React.ReactNode
  next: string
}

function OtpStep({ pending, refused, hidden, next }: OtpStepProps) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  const isChanging = refused?.typed.step === 'change'
  const errors = besideFields(refused)
  return (
    <>
      <h1 className="text-2xl">{m.register_otp_title()}</h1>
      <p className="mt-2">{m.register_otp_sent({ phone: phoneText(pending.phone) })}</p>
      <p className="text-sm text-stone">{m.register_otp_left({ minutes: Math.ceil(pending.secondsLeft / 60) })}</p>
      <form ref={isChanging ? undefined : form} method="post" noValidate onSubmit={sendOnce} className="form-panel mt-4">
        {hidden}
        <OtpField id="register-otp" error={errors.otp} />
        {refused && !isChanging && <FormFailure {...refused} />}
        <button type="submit" name="step" value="verify" className="button-primary">
          {m.register_otp_submit()}
        </button>
        <ResendOtp key={pending.phone} inSeconds={pending.resendInSeconds} name="step" value="resend" />
      </form>
      <details open={isChanging} className="panel mt-4 p-4">
        <summary className="min-h-11 py-2 font-semibold text-leaf">{m.register_change()}</summary>
        <p className="mt-1 text-sm text-stone">{m.register_otp_none()}</p>
        <form ref={isChanging ? form : undefined} method="post" noValidate onSubmit={sendOnce} className="mt-3 grid gap-4">
          {hidden}
          <PhoneField
            id="register-new-phone"
            defaultValue={isChanging ? refused.typed.phone : undefined}
            error={isChanging ? errors.phone : undefined}
          />
          {refused && isChanging && <FormFailure {...refused} />}
          <button type="submit" name="step" value="change" className="button-plain">
            {m.register_change_submit()}
          </button>
        </form>
        <form method="post" className="mt-2">
          {hidden}
          <button type="submit" name="step" value="drop" className="link min-h-11 cursor-pointer">
            {m.register_again()}
          </button>
        </form>
      </details>
      <a href={`${to('/login')}?instead=1&next=${encodeURIComponent(next)}`} className="tap-link mt-2 justify-center font-semibold">
        {m.register_to_login()}
      </a>
    </>
  )
}

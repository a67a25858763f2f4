import { useState } from 'react'
import type { HeadersFunction } from 'react-router'
import { z } from 'zod'
import { formHeaders, pageAction, type FormRefusal, textOf } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { AskedFor } from '#src/ui/asked-for.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { CsrfField } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { finishReset, findReset, startReset } from '#src/accounts/identity/login.server.ts'
import { PhoneField } from '../phone-field.tsx'
import { phoneText } from '../phone-text.ts'
import { newPassword, otpCode, phoneNumber } from '../schemas.ts'
import { authClientOf, expiredCookie, resetCookie } from '#src/accounts/identity/session-cookies.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { authFormLoader, enter, nextOf, pathWithNext, redirectWith } from './auth-forms.server.ts'
import { CodeForm } from './code-form.tsx'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { PasswordField } from './password-field.tsx'
import type { Route } from './+types/reset-page'

export const loader = authFormLoader(async (ctx, { visitor: { cookies, cookieNames } }) => ({
  reset: await findReset(ctx, cookies[cookieNames.reset]),
}))

export const action = pageAction('reset-password', async (ctx, { form, site, visitor }) => {
  const text = (name: string) => textOf(form, name)
  const client = authClientOf(site, visitor)
  const { cookieNames } = visitor
  const here = pathWithNext(ctx, '/reset-password', nextOf(ctx, form))
  switch (text('step')) {
    case 'start': {
      const { phone } = parseInput(z.object({ phone: phoneNumber }), { phone: text('phone') })
      const { token } = await startReset(ctx, phone, client)
      throw redirectWith(here, [resetCookie(cookieNames, token)])
    }
    case 'save': {
      const { otp: code, ...input } = parseInput(z.object({ phone: phoneNumber, otp: otpCode, password: newPassword }), {
        phone: text('phone'),
        otp: text('otp'),
        password: text('password'),
      })
      const loggedIn = await finishReset(ctx, { ...input, code }, visitor.cookies[cookieNames.reset], client)
      throw await enter(ctx, site, visitor, loggedIn, nextOf(ctx, form))
    }
    case 'other':
      throw redirectWith(here, [expiredCookie(cookieNames, cookieNames.reset)])
    default:
      throw new Problem('MALFORMED')
  }
})

/** Sends no referrer, so that no other site gets this address. */
export const headers: HeadersFunction = (args) => {
  const headers = new Headers(formHeaders(args))
  headers.set('Referrer-Policy', 'no-referrer')
  return headers
}

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.reset_title(), description: m.reset_lead() }))

export default function ResetPage({ loaderData, actionData }: Route.ComponentProps) {
  const { reset } = loaderData
  const refused = actionData?.refused
  const hidden = (
    <>
      <CsrfField />
      <input type="hidden" name="next" value={refused?.typed.next ?? loaderData.next} />
    </>
  )
  return (
    <div className="mx-auto max-w-md py-2">
      <h1 className="text-2xl">{m.reset_title()}</h1>
      {reset ? <SaveStep reset={reset} refused={refused} hidden={hidden} /> : <PhoneStep refused={refused} hidden={hidden} />}
    </div>
  )
}

interface StepProps {
  refused: FormRefusal | undefined
  hidden: React.ReactNode
}

function PhoneStep({ refused, hidden }: StepProps) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  return (
    <>
      <p className="mt-2 text-stone">{m.reset_lead()}</p>
      <form ref={form} method="post" noValidate onSubmit={sendOnce} className="form-panel mt-4">
        {hidden}
        <PhoneField id="reset-phone" autoComplete="username" defaultValue={refused?.typed.phone} error={besideFields(refused).phone} />
        {refused && <FormFailure {...refused} />}
        <button type="submit" name="step" value="start" className="button-primary">
          {m.reset_send()}
        </button>
        <a href={to('/register')} className="button-plain">
          {m.login_register()}
        </a>
      </form>
    </>
  )
}

type Reset = NonNullable<Route.ComponentProps['loaderData']['reset']>

/** Shows the new password's field once the code is longer than five characters (specification A §4); without scripts, at once. */
function SaveStep({ reset: { phone, resendInSeconds }, refused, hidden }: StepProps & { reset: Reset }) {
  const [otp, setOtp] = useState('')
  const isPasswordAsked = otp.length > 5 || refused?.errors.password !== undefined
  return (
    <CodeForm
      id="reset"
      text={m.reset_sent({ phone: phoneText(phone) })}
      phone={phone}
      resendInSeconds={resendInSeconds}
      refused={refused}
      hidden={hidden}
      steps={{ give: 'save', resend: 'start', drop: 'other' }}
      submit={m.reset_save()}
      onInput={setOtp}
    >
      <AskedFor isAsked={isPasswordAsked}>
        <PasswordField id="reset-password" isNew label={m.reset_password()} error={besideFields(refused).password} />
      </AskedFor>
    </CodeForm>
  )
}

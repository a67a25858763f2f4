import { redirect } from 'react-router'
import { z } from 'zod'
import type { Ctx, Visitor } from '#src/kit/context.ts'
import { localized } from '#src/kit/locale.ts'
import { formHeaders, pageAction, parseForm } from '#src/kit/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { besideFields, FormFailure, notTwice, useFocusOnWrong } from './form-failure.tsx'
import { doorLoader, nextOf, redirectWith, takeLimits, textOf } from './identity-door.server.ts'
import { identityMeta } from './identity-meta.ts'
import { OtpField } from './otp-field.tsx'
import { otpCode } from './schemas.ts'
import { sessionCookies } from './session-cookies.server.ts'
import { findSession, type Session } from './sessions.server.ts'
import { findEnrolment, passTotp } from './totp.server.ts'
import type { Route } from './+types/second-step-page'

/** For an admin of a live site whose password was right. Everybody else is sent to the login. */
export const loader = doorLoader(async (ctx, { visitor }) => {
  const enrolment = await findEnrolment(ctx, await requireHalfSession(ctx, visitor))
  return {
    locale: ctx.locale,
    origin: ctx.publicOrigin,
    enrolment: enrolment && { secret: enrolment.secret, picture: `data:image/svg+xml,${encodeURIComponent(enrolment.qr)}` },
  }
})

export const action = pageAction(async (ctx, { form, site, visitor }) => {
  await takeLimits(ctx, site, visitor, 'login')
  const session = await requireHalfSession(ctx, visitor)
  const { otp } = parseForm(z.object({ otp: otpCode }), { otp: textOf(form, 'otp') })
  const token = await passTotp(ctx, session, otp)
  throw redirectWith(nextOf(ctx, form), sessionCookies(visitor.cookieNames, site.env.secret, token))
})

async function requireHalfSession(ctx: Ctx, { cookies, cookieNames }: Visitor): Promise<Session> {
  const session = await findSession(ctx.db, cookies[cookieNames.session] ?? '')
  if (!session?.awaitsTotp) throw redirect(localized('/login', ctx.locale))
  return session
}

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? identityMeta('/login/second-step', m.login_step_title(), loaderData) : []

export default function SecondStepPage({ loaderData: { csrf, next, enrolment }, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const form = useFocusOnWrong(refused)
  return (
    <div className="mx-auto max-w-md py-2">
      <h1 className="text-2xl">{m.login_step_title()}</h1>
      <p className="mt-2">{enrolment ? m.login_step_enrol() : m.login_step_text()}</p>
      <form ref={form} method="post" noValidate onSubmit={notTwice} className="panel mt-4 grid gap-4 p-4">
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="next" value={refused?.typed.next ?? next} />
        {enrolment && (
          <div className="grid justify-items-center gap-2">
            <img src={enrolment.picture} alt={m.login_step_picture()} width={240} height={240} className="rounded-control bg-white p-2" />
            <p className="text-center text-sm">
              {m.login_step_key()}: <code className="font-semibold">{enrolment.secret}</code>
            </p>
          </div>
        )}
        <OtpField id="step-otp" isFromApp label={m.login_step_code()} hint={null} error={besideFields(refused).otp} />
        {refused && <FormFailure {...refused} />}
        <button type="submit" className="button-primary">
          {m.login_step_submit()}
        </button>
      </form>
    </div>
  )
}

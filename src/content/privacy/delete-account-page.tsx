import { z } from 'zod'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { redirectWith } from '#src/accounts/sign-in/auth-forms.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { OtpField } from '#src/accounts/sign-in/otp-field.tsx'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { PasswordField } from '#src/accounts/sign-in/password-field.tsx'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import { findCodeUser } from '#src/accounts/identity/login.server.ts'
import { startErasure } from '#src/accounts/privacy/privacy.server.ts'
import { getProfile } from '#src/accounts/profile/profile.server.ts'
import { anyPassword, otpCode } from '#src/accounts/schemas.ts'
import { authClientOf, endedCookies } from '#src/accounts/identity/session-cookies.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { ensureMayGo, eraseOwnAccount, LEFT_THINGS, LEFT_WAYS, type Left, type LeftWay } from './person-data.server.ts'
import type { Route } from './+types/delete-account-page'

export const loader = formLoader(async (ctx, { params, url }) => {
  const viewer = requireViewer(ctx, url)
  if (params.userId !== String(viewer.id)) throw notFound()
  const { phone, email } = await getProfile(ctx, viewer.id)
  return {
    id: viewer.id,
    // Non-breaking spaces keep the number on one line.
    phone: maskPhone(phone).replaceAll(' ', '\u00a0'),
    email,
    hasPassword: (await findCodeUser(ctx)) === null,
    isCodeSent: url.searchParams.has('code'),
  }
})

export const action = pageAction('delete-account', async (ctx, { params, url, form, site, visitor }) => {
  const { id } = requireLoggedIn(ctx)
  if (params.userId !== String(id)) throw notFound()
  if (url.searchParams.has('code')) {
    const { otp } = parseInput(z.object({ otp: otpCode }), { otp: textOf(form, 'otp') })
    const left: Left = Object.fromEntries(LEFT_THINGS.map((thing) => [thing, LEFT_WAYS.find((way) => way === textOf(form, thing))]))
    await eraseOwnAccount(ctx, otp, site.media, left)
    throw redirectWith(localized('/', ctx.locale), endedCookies(visitor.cookieNames), { 'Clear-Site-Data': '"cache"' })
  }
  const hasPassword = (await findCodeUser(ctx)) === null
  const { password } = hasPassword
    ? parseInput(z.object({ password: anyPassword }), { password: textOf(form, 'password') })
    : { password: undefined }
  await ensureMayGo(ctx)
  await startErasure(ctx, password, authClientOf(site, visitor))
  throw redirectWith(localized(`/userprofile/${id}/delete?code=1`, ctx.locale), [])
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.profile_delete(), description: m.profile_delete_goes() }))

/** Says what is deleted and what stays before it asks for anything. */
export default function DeleteAccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const refused = actionData?.refused
  const form = useFocusOnError(refused)
  const { isCodeSent } = loaderData
  return (
    <div className="mx-auto max-w-xl py-2">
      <h1 className="text-2xl">{m.profile_delete()}</h1>
      {!isCodeSent && (
        <div className="mt-3 space-y-3">
          <p>{m.profile_delete_goes()}</p>
          <p>{m.profile_delete_stays()}</p>
        </div>
      )}
      <PostForm ref={form} reloadDocument noValidate className="form-panel mt-4">
        {isCodeSent ? (
          <>
            <p>{m.profile_delete_code({ phone: loaderData.phone })}</p>
            <LeftChoice name="forum" label={m.profile_delete_forum()} chosen={refused?.typed.forum} />
            <LeftChoice name="reviews" label={m.profile_delete_reviews()} chosen={refused?.typed.reviews} />
            <LeftChoice name="reports" label={m.profile_delete_reports()} chosen={refused?.typed.reports} />
            {loaderData.email && (
              <LeftChoice
                name="newsletter"
                label={m.profile_delete_newsletter_to({ email: loaderData.email })}
                chosen={refused?.typed.newsletter}
                texts={{ keep: m.profile_delete_newsletter_keep(), remove: m.profile_delete_newsletter_remove() }}
              />
            )}
            <OtpField id="delete-otp" error={refused?.errors.otp} />
          </>
        ) : (
          loaderData.hasPassword && <PasswordField id="delete-password" error={refused?.errors.password} />
        )}
        {refused && <FormFailure {...refused} />}
        <button type="submit" className={isCodeSent ? 'button-final' : 'button-primary'}>
          {isCodeSent ? m.profile_delete_now() : m.profile_delete_send()}
        </button>
        {isCodeSent && (
          <a href={to(`/userprofile/${loaderData.id}/delete`)} className="tap-link justify-center font-semibold">
            {m.profile_delete_again()}
          </a>
        )}
        <a href={to(`/userprofile/${loaderData.id}`)} className="button-plain">
          {m.profile_delete_keep()}
        </a>
      </PostForm>
    </div>
  )
}

interface LeftChoiceProps {
  name: keyof Left
  label: string
  chosen: string | undefined
  texts?: Record<LeftWay, string>
}

/** Content that others have read may stay, without an author. */
function LeftChoice({ name, label, chosen, texts }: LeftChoiceProps) {
  const ways = Object.entries(texts ?? { keep: m.profile_delete_forum_keep(), remove: m.profile_delete_forum_remove() })
  return (
    <fieldset>
      <legend className="label wrap-anywhere">{label}</legend>
      {ways.map(([value, text]) => (
        <Choice key={value} type="radio" name={name} value={value} defaultChecked={value === (chosen ?? 'keep')}>
          {text}
        </Choice>
      ))}
    </fieldset>
  )
}

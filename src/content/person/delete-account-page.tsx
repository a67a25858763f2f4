import { z } from 'zod'
import { localized } from '#src/kit/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm } from '#src/kit/page.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { ensureMayGo, eraseOwnAccount, FORUM_WORDS, type ForumWords } from './person-data.server.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { FormFailure, useFocusOnWrong } from '#src/accounts/form-failure.tsx'
import { redirectWith, takeLimits, textOf } from '#src/accounts/identity-door.server.ts'
import { identityMeta } from '#src/accounts/identity-meta.ts'
import { OtpField } from '#src/accounts/otp-field.tsx'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { PasswordField } from '#src/accounts/password-field.tsx'
import { maskPhone } from '#src/accounts/rules.ts'
import { startErasure } from '#src/accounts/privacy.server.ts'
import { getProfile } from '#src/accounts/profile.server.ts'
import { anyPassword, otpCode } from '#src/accounts/schemas.ts'
import { doorOf, endedCookies } from '#src/accounts/session-cookies.server.ts'
import type { Route } from './+types/delete-account-page'

export const loader = formLoader(async (ctx, { params, url }) => {
  const viewer = requireViewer(ctx, url)
  if (params.userId !== String(viewer.id)) throw notFound()
  const { phone } = await getProfile(ctx, viewer.id)
  return {
    id: viewer.id,
    phone: maskPhone(phone),
    isCodeSent: url.searchParams.has('code'),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction(async (ctx, { params, url, form, site, visitor }) => {
  if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
  if (params.userId !== String(ctx.viewer.id)) throw notFound()
  await takeLimits(ctx, site, visitor, 'writeMinute', 'writeDay')
  if (url.searchParams.has('code')) {
    const { otp } = parseForm(z.object({ otp: otpCode }), { otp: textOf(form, 'otp') })
    const words = FORUM_WORDS.find((each) => each === textOf(form, 'forum'))
    await eraseOwnAccount(ctx, otp, site.media, words)
    throw redirectWith(localized('/', ctx.locale), endedCookies(visitor.cookieNames), { 'Clear-Site-Data': '"cache"' })
  }
  const { password } = parseForm(z.object({ password: anyPassword }), { password: textOf(form, 'password') })
  await ensureMayGo(ctx)
  await startErasure(ctx, password, doorOf(site, visitor))
  throw redirectWith(localized(`/userprofile/${ctx.viewer.id}/delete?code=1`, ctx.locale), [])
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? identityMeta(`/userprofile/${loaderData.id}/delete`, m.profile_delete(), loaderData) : []

/** What goes and what stays is said before anything is asked. */
export default function DeleteAccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const refused = actionData?.refused
  const form = useFocusOnWrong(refused)
  const { isCodeSent } = loaderData
  return (
    <div className="mx-auto max-w-xl py-2">
      <h1 className="text-2xl">{m.profile_delete()}</h1>
      {!isCodeSent && (
        <div className="mt-3 space-y-3">
          <p>{m.profile_delete_goes()}</p>
          <p>{m.profile_delete_stays()}</p>
          <p>{m.profile_delete_newsletter()}</p>
        </div>
      )}
      <form ref={form} method="post" noValidate className="panel mt-4 grid gap-4 p-4">
        <input type="hidden" name="csrf" value={loaderData.csrf} />
        {isCodeSent ? (
          <>
            <p>{m.profile_delete_code({ phone: loaderData.phone })}</p>
            <ForumWordsChoice chosen={refused?.typed.forum} />
            <OtpField id="delete-otp" error={refused?.errors.otp} />
          </>
        ) : (
          <PasswordField id="delete-password" error={refused?.errors.password} />
        )}
        {refused && <FormFailure {...refused} />}
        <button type="submit" className="button bg-brick text-white hover:brightness-90">
          {isCodeSent ? m.profile_delete_now() : m.profile_delete_send()}
        </button>
        <a href={to(`/userprofile/${loaderData.id}`)} className="button-plain">
          {m.profile_delete_keep()}
        </a>
      </form>
    </div>
  )
}

/** Words in the forum were said to others: they may stay, by nobody. */
function ForumWordsChoice({ chosen }: { chosen: string | undefined }) {
  const ways: [ForumWords, string][] = [
    ['keep', m.profile_delete_forum_keep()],
    ['remove', m.profile_delete_forum_remove()],
  ]
  return (
    <fieldset>
      <legend className="label">{m.profile_delete_forum()}</legend>
      {ways.map(([value, text]) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="radio"
            name="forum"
            value={value}
            defaultChecked={value === (chosen ?? 'keep')}
            className="size-5 shrink-0 accent-leaf"
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}

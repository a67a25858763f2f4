import { redirect } from 'react-router'
import { z } from 'zod'
import { formHeaders, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { finishLogin, isLoginWaiting } from '#src/accounts/identity/login.server.ts'
import { otpCode } from '../schemas.ts'
import { authClientOf } from '#src/accounts/identity/session-cookies.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { authFormLoader, enter, nextOf, pathWithNext } from './auth-forms.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { OtpField } from './otp-field.tsx'
import type { Route } from './+types/login-code-page'

/** For a login that also needs a code (login.server.ts). Redirects everyone else to the login, with the reason when a code has expired. */
export const loader = authFormLoader(async (ctx, { next, visitor: { cookies, cookieNames } }) => {
  if (ctx.viewer) throw redirect(next)
  if (!(await isLoginWaiting(ctx, cookies[cookieNames.reset]))) {
    // The code has expired or has no tries left: the login shows the reason and keeps `next`.
    const isOver = cookies[cookieNames.reset] !== undefined
    throw redirect(`${pathWithNext(ctx, '/login', next)}${isOver ? '&over' : ''}`)
  }
  return {}
})

export const action = pageAction('login-code', async (ctx, { form, site, visitor }) => {
  const { otp } = parseInput(z.object({ otp: otpCode }), { otp: textOf(form, 'otp') })
  const loggedIn = await finishLogin(ctx, otp, visitor.cookies[visitor.cookieNames.reset], authClientOf(site, visitor))
  throw await enter(ctx, site, visitor, loggedIn, nextOf(ctx, form))
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.login_code_title(), description: m.login_code_text() }))

export default function LoginCodePage({ loaderData: { next }, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const refused = actionData?.refused
  const form = useFocusOnError(refused)
  const target = refused?.typed.next ?? next
  return (
    <div className="mx-auto max-w-md py-2">
      <h1 className="text-2xl">{m.login_code_title()}</h1>
      <p className="mt-2">{m.login_code_text()}</p>
      <PostForm ref={form} reloadDocument noValidate onSubmit={sendOnce} className="form-panel mt-4">
        <input type="hidden" name="next" value={target} />
        <OtpField id="login-otp" error={besideFields(refused).otp} />
        {refused && <FormFailure {...refused} />}
        <button type="submit" className="button-primary">
          {m.login_submit()}
        </button>
        <a href={`${to('/login')}?next=${encodeURIComponent(target)}`} className="tap-link justify-center text-center font-semibold">
          {m.login_code_again()}
        </a>
      </PostForm>
    </div>
  )
}

import { redirect } from 'react-router'
import { z } from 'zod'
import { formHeaders, pageAction, parseForm } from '#src/kit/http/page.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { useIsFirstPaint } from '#src/ui/first-paint.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { besideFields, FormFailure } from '#src/ui/form-failure.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { authFormLoader, enter, nextOf, pathWithNext, redirectWith, textOf } from './auth-forms.server.ts'
import { identityMeta } from './identity-meta.ts'
import { LoginFields, noteRemembered } from './login-fields.tsx'
import { login } from './login.server.ts'
import { findPending } from './register.server.ts'
import { anyPassword, phoneNumber } from '#src/accounts/schemas.ts'
import { authClientOf, resetCookie } from './session-cookies.server.ts'
import type { Route } from './+types/login-page'

export const loader = authFormLoader(async (ctx, { next, url, visitor: { cookies, cookieNames } }) => {
  if (ctx.viewer) throw redirect(next)
  // Specification A §4: while a registration waits, its code is asked for. That page links here for people with an account.
  const isWaiting = !url.searchParams.has('instead') && (await findPending(ctx, cookies[cookieNames.registration])) !== null
  if (isWaiting) throw redirect(pathWithNext(ctx, '/register', next))
  const home = localized('/', ctx.locale)
  return {
    locale: ctx.locale,
    origin: ctx.publicOrigin,
    home,
    wasSentHere: url.searchParams.has('next') && next !== home,
    isCodeOver: url.searchParams.has('over'),
  }
})

export const action = pageAction('login', async (ctx, { form, site, visitor }) => {
  const input = parseForm(z.object({ phone: phoneNumber, password: anyPassword }), {
    phone: textOf(form, 'phone'),
    password: textOf(form, 'password'),
  })
  const entered = await login(ctx, input, authClientOf(site, visitor))
  const next = nextOf(ctx, form)
  if (!('needsCode' in entered)) throw enter(ctx, site, visitor, entered, next)
  throw redirectWith(pathWithNext(ctx, '/login/code', next), [resetCookie(visitor.cookieNames, entered.token)])
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? identityMeta('/login', m.login_title(), m.login_description(), loaderData) : []

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const hasScripts = !useIsFirstPaint()
  const refused = actionData?.refused
  const form = useFocusOnError(refused)
  // A refused form is requested again at its own address, and holds its `next` itself.
  const next = refused?.typed.next ?? loaderData.next
  const onwards = (path: string) => `${to(path)}?next=${encodeURIComponent(next)}`
  return (
    <div className="mx-auto max-w-md py-2">
      <h1 className="text-2xl">{m.login_title()}</h1>
      {loaderData.isCodeOver && !refused && (
        <p role="alert" className="failure mt-2">
          {m.login_code_over()}
        </p>
      )}
      {loaderData.wasSentHere && !loaderData.isCodeOver && !refused && <p className="mt-2 text-stone">{m.problem_auth_required()}</p>}
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={(event) => {
          noteRemembered(event.currentTarget)
          sendOnce(event)
        }}
        className="form-panel mt-4"
      >
        <input type="hidden" name="csrf" value={loaderData.csrf} />
        <input type="hidden" name="next" value={next} />
        <LoginFields id="login" errors={besideFields(refused)} typedPhone={refused?.typed.phone} />
        {refused && <FormFailure {...refused} />}
        <button type="submit" className="button-primary">
          {m.login_submit()}
        </button>
        <div className="grid gap-2 border-t border-line pt-4">
          <a href={onwards('/reset-password')} className="tap-link justify-center font-semibold">
            {m.login_forgot()}
          </a>
          <a href={onwards('/register')} className="button-plain">
            {m.login_register()}
          </a>
          <a
            href={next.startsWith('/') ? backFrom(next, loaderData.home) : loaderData.home}
            onClick={(event) => {
              if (!hasScripts || !document.referrer.startsWith(window.location.origin) || refused) return
              event.preventDefault()
              window.history.back()
            }}
            className="inline-flex min-h-11 items-center justify-center text-stone underline underline-offset-2"
          >
            {m.accounts_close()}
          </a>
        </div>
      </form>
    </div>
  )
}

/** A page that needs a login would only redirect here again. */
const backFrom = (next: string, home: string) => (/^(\/en)?\/(buy|product|forum|view-requirements)?(\/|\?|$)/i.test(next) ? next : home)

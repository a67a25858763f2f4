import { useEffect, useRef, useState } from 'react'
import { askWorker } from '#src/kit/device/ask-worker.ts'
import { localized } from '#src/kit/text/locale.ts'
import { forgetOwnOnDevice } from '#src/kit/device/own-on-device.ts'
import { formHeaders, formLoader, pageAction } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { endedCookies } from '#src/accounts/identity/session-cookies.server.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { endSession } from '../sessions.server.ts'
import { redirectWith } from './auth-forms.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { rememberPhone } from './remember-phone.ts'
import type { Route } from './+types/logout-page'

export const loader = ({ request, params, context }: Route.LoaderArgs) =>
  formLoader(async () => ({
    // A link on another site must not log the person out. A typed address sends "none".
    isOwnWish: ['same-origin', 'none'].includes(request.headers.get('sec-fetch-site') ?? ''),
  }))({ request, params, context })

export const action = pageAction('logout', async (ctx, { visitor }) => {
  const { cookies, cookieNames } = visitor
  await endSession(ctx, cookies[cookieNames.session] ?? '')
  ctx.log.info({ event: 'session_logout', user: ctx.viewer?.id ?? null }, 'logged out')
  throw redirectWith(localized('/', ctx.locale), endedCookies(cookieNames), { 'Clear-Site-Data': '"cache"' })
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.logout_title(), description: m.logout_text() }))

function forgetDevice(): void {
  rememberPhone(null)
  forgetOwnOnDevice()
}

/**
 * Posts automatically for a link of this site or a typed address, when scripts run; else shows a button. Also clears the device's storage.
 */
export default function LogoutPage({ loaderData, actionData }: Route.ComponentProps) {
  const form = useRef<HTMLFormElement>(null)
  const refused = actionData?.refused
  const { isOwnWish } = loaderData
  const [unsent, setUnsent] = useState(0)
  useEffect(() => {
    if (refused || !isOwnWish) return
    // Forms that wait on the phone stay until their owner logs in again; ask before logging out.
    void askWorker<{ state: string; isByLink?: boolean }[]>({ ask: 'acts' }).then((acts) => {
      const waiting = (acts ?? []).filter(({ state, isByLink }) => state === 'waiting' && !isByLink).length
      setUnsent(waiting)
      if (waiting > 0) return
      forgetDevice()
      form.current?.submit()
    })
  }, [refused, isOwnWish])
  return (
    <div className="mx-auto max-w-md py-6">
      <h1 className="text-2xl">{m.logout_title()}</h1>
      <p className="mt-2">{m.logout_text()}</p>
      <PostForm ref={form} reloadDocument onSubmit={forgetDevice} className="mt-4 grid gap-4">
        {refused && (
          <p role="alert" className="font-semibold text-brick">
            {refused.detail}
          </p>
        )}
        {unsent > 0 && (
          <p role="alert" className="rounded-card bg-turmeric-soft p-4">
            {m.logout_unsent({ count: unsent })}
          </p>
        )}
        <button type="submit" className="button-primary">
          {m.logout_submit()}
        </button>
      </PostForm>
    </div>
  )
}

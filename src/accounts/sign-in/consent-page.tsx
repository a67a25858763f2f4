import { redirect } from 'react-router'
import { requireViewer } from '../page-guards.server.ts'
import { registration } from '../schemas.ts'
import { formHeaders, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { m } from '#src/paraglide/messages.js'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { authFormLoader, nextOf } from './auth-forms.server.ts'
import { giveConsent, hasConsent } from '../consent.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { Consent } from './person-fields.tsx'
import type { Route } from './+types/consent-page'

/** Asks a person who registered without consent (consent.server.ts). Leads everybody else on. */
export const loader = authFormLoader(async (ctx, { url, next }) => {
  const { id } = requireViewer(ctx, url)
  if (await hasConsent(ctx, id)) throw redirect(next)
  return { viewerId: id }
})

export const action = pageAction('consent', async (ctx, { form }) => {
  parseInput(registration.pick({ hasConsented: true }), { hasConsented: textOf(form, 'hasConsented') === 'yes' })
  await giveConsent(ctx)
  throw redirect(nextOf(ctx, form))
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.consent_title(), description: m.consent_lead() }))

export default function ConsentPage({ loaderData: { next, viewerId }, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const refused = actionData?.refused
  const form = useFocusOnError(refused)
  return (
    <div className="mx-auto max-w-xl py-2">
      <h1 className="text-2xl">{m.consent_title()}</h1>
      <p className="mt-2">{m.consent_lead()}</p>
      <PostForm ref={form} reloadDocument noValidate onSubmit={sendOnce} className="form-panel mt-4">
        <input type="hidden" name="next" value={refused?.typed.next ?? next} />
        <Consent isOpen id="consent" errors={refused?.errors ?? {}} typed={{}} />
        {refused && <FormFailure {...refused} />}
        <button type="submit" className="button-primary">
          {m.consent_submit()}
        </button>
        <a href={to(`/userprofile/${viewerId}/delete`)} className="tap-link justify-center">
          {m.consent_delete()}
        </a>
      </PostForm>
    </div>
  )
}

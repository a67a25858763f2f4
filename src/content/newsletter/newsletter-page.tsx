import { canSendEmail } from '#src/kit/base/env.server.ts'
import { formHeaders, formLoader, pageAction } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { requestNewsletter } from './commands.server.ts'
import { NewsletterConsent } from './newsletter-consent.tsx'
import { newsletterFailure } from './newsletter-failure.ts'
import { newsletterRequest } from './schemas.ts'
import type { Route } from './+types/newsletter-page'

export const loader = formLoader(async (ctx, { url, site }) => ({
  email: (url.searchParams.get('email') ?? '').slice(0, 254),
  isOpen: canSendEmail(site.env),
}))

export const action = pageAction('newsletter', async (ctx, { form, site, visitor }) => {
  const input = parseInput(newsletterRequest, { email: form.get('email'), consent: form.get('consent') === 'yes' })
  // After the validation, as in the API, so that a forgotten tick does not use up one of a person's few tries.
  await site.limits.takeDurable(ctx.db, 'newsletter', visitor.address)
  await requestNewsletter(ctx, input, { secret: site.env.secret, canSendEmail: canSendEmail(site.env) })
  return true
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.newsletter_title(), description: m.newsletter_lead() }))

/** The footer's box for people without JavaScript: the query carries the address, and they tick the consent here. */
export default function NewsletterPage({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const failure = refused && (newsletterFailure(refused.code, Object.keys(refused.errors)) ?? refused.detail)
  const isWrong = (field: string) => (refused && field in refused.errors) || undefined
  return (
    <div className="mx-auto max-w-xl py-6">
      <h1 className="text-2xl">{m.newsletter_title()}</h1>
      <p className="mt-2 text-stone">{m.newsletter_lead()}</p>
      {actionData?.done ? (
        <p role="status" className="mt-6 note p-4">
          {m.newsletter_sent()}
        </p>
      ) : !loaderData.isOpen ? (
        <p className="mt-6">{m.newsletter_away()}</p>
      ) : (
        // A plain form without JavaScript, so that the answer brings a fresh token.
        <PostForm reloadDocument noValidate className="form-panel mt-6">
          {failure && (
            <p id="newsletter-failure" role="alert" className="failure">
              {failure}
            </p>
          )}
          <Field
            id="newsletter-email"
            name="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            label={m.newsletter_email()}
            defaultValue={refused?.typed.email ?? loaderData.email}
            error={isWrong('email') && ''}
            aria-describedby={isWrong('email') && 'newsletter-failure'}
          />
          <NewsletterConsent
            id="newsletter-consent"
            name="consent"
            value="yes"
            defaultChecked={refused?.typed.consent === 'yes'}
            aria-invalid={isWrong('consent')}
            aria-describedby={isWrong('consent') && 'newsletter-failure'}
          />
          <button type="submit" className="button-primary justify-self-start">
            {m.newsletter_submit()}
          </button>
        </PostForm>
      )}
    </div>
  )
}

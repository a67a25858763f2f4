import { useEffect } from 'react'
import { useFetcher } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useFetcherForm } from '#src/ui/use-fetcher-form.ts'
import { RegistrationFields } from './person-fields.tsx'
import type { loader } from './register-page.tsx'

/**
 * The registration in a modal. It posts to its page, which continues with the code, so a browser that comes back later finds the code
 * there. `page`: its address, with where to go afterwards.
 */
export function RegisterView({ page, onLogin }: { page: string; onLogin: () => void }) {
  const { data, load } = useFetcher<typeof loader>()
  useEffect(() => void load(page), [load, page])
  const { Form, form, isBusy, refused } = useFetcherForm(undefined)
  if (!data) return <p role="status">{m.register_opening()}</p>
  return (
    <Form {...form} action={page} noValidate className="grid gap-4">
      <p className="text-stone">{m.register_lead()}</p>
      <input type="hidden" name="csrf" value={data.csrf} />
      <input type="hidden" name="next" value={data.next} />
      <input type="hidden" name="step" value="start" />
      <input type="hidden" name="in" value="sheet" />
      <RegistrationFields id="identity" {...data} errors={refused?.errors ?? {}} typed={refused?.typed ?? {}} />
      {refused && <FormFailure {...refused} />}
      <button type="submit" aria-disabled={isBusy || undefined} className="button-primary aria-disabled:opacity-70">
        {isBusy ? m.accounts_sending() : m.register_submit()}
      </button>
      <button type="button" onClick={onLogin} className="link-button">
        {m.register_to_login()}
      </button>
    </Form>
  )
}

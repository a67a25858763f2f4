import { useEffect, type ReactNode } from 'react'
import { useFetcher } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useFetcherForm } from '#src/ui/use-fetcher-form.ts'
import { HiddenFields } from '#src/ui/post-form.tsx'
import { RegistrationFields } from './person-fields.tsx'

/** The registration page gives this to its form. */
interface Registration {
  next: string
  typeId: number | null
  referralCode: string | null
  /** In the modal, the page beneath may have no token. */
  csrf: string
}

/** The registration in a modal. `page`: the address of its page, with where to go afterwards. */
export function RegisterView({ page, onLogin }: { page: string; onLogin: () => void }) {
  const { data, load } = useFetcher<Registration>()
  useEffect(() => void load(page), [load, page])
  if (!data) return <p role="status">{m.register_opening()}</p>
  return (
    <>
      <p className="mb-4 text-stone">{m.register_lead()}</p>
      <RegistrationForm id="identity" action={page} page={data} refused={undefined} className="grid gap-4">
        <button type="button" onClick={onLogin} className="link-button">
          {m.register_to_login()}
        </button>
      </RegistrationForm>
    </>
  )
}

interface RegistrationFormProps {
  /** Prefix of the fields' ids. */
  id: string
  action: string
  page: Registration
  /** The refusal of a page that was rendered again because there are no scripts. */
  refused: FormRefusal | undefined
  className: string
  children: ReactNode
}

/**
 * Posts to the registration's page, which continues with the code, so a browser that comes back later finds the code there. The form stays on the
 * screen until then: password and PAN are in no answer of the server (decisions §2), and a refusal does not empty them.
 */
export function RegistrationForm({ id, action, page, refused: rendered, className, children }: RegistrationFormProps) {
  const { Form, form, isBusy, refused } = useFetcherForm(rendered)
  return (
    <Form {...form} action={action} noValidate className={className}>
      <HiddenFields csrf={refused?.csrf ?? page.csrf} next={page.next} step="start" />
      <RegistrationFields id={id} {...page} errors={refused?.errors ?? {}} typed={refused?.typed ?? {}} />
      {refused && <FormFailure {...refused} />}
      <button type="submit" aria-disabled={isBusy || undefined} className="button-primary aria-disabled:opacity-70">
        {isBusy ? m.accounts_sending() : m.register_submit()}
      </button>
      {children}
    </Form>
  )
}

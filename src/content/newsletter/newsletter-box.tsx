import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { post } from '#src/kit/http/post-json.ts'
import { m } from '#src/paraglide/messages.js'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { NewsletterConsent } from './newsletter-consent.tsx'
import { newsletterFailure } from './newsletter-failure.ts'

type State = 'closed' | 'open' | 'sending' | 'sent'

/**
 * In the footer of cached pages, so it carries no token. Without JavaScript it leads to /newsletter with the typed address; with it, the
 * consent opens below the box and the answer appears in place.
 */
export function NewsletterBox() {
  const to = useLocalPath()
  const { state, failure, emailBox, consentBox, open, submit } = useSubscription()
  return (
    <div className="mx-auto max-w-xl px-4 pt-8">
      {/* Always rendered, so that screen readers announce its content. */}
      <div role="status">{state === 'sent' && <p className="note">{m.newsletter_sent()}</p>}</div>
      {state !== 'sent' && (
        <form action={to('/newsletter')} method="get" noValidate onSubmit={(event) => void submit(event)}>
          <label htmlFor="newsletter-box" className="label">
            {m.newsletter_title()}
          </label>
          <div className="flex flex-wrap gap-2">
            <Input
              ref={emailBox}
              id="newsletter-box"
              name="email"
              type="email"
              autoComplete="email"
              maxLength={254}
              placeholder="selvi@example.com"
              onFocus={open}
              aria-describedby={failure ? 'newsletter-failure' : undefined}
              className="w-auto grow basis-44"
            />
            {failure && (
              <p id="newsletter-failure" role="alert" className="basis-full font-semibold text-brick">
                {failure}
              </p>
            )}
            {state !== 'closed' && (
              <div className="basis-full text-sm">
                <NewsletterConsent id="newsletter-box-consent" ref={consentBox} />
              </div>
            )}
            <button type="submit" className="button-primary shrink-0 px-4" aria-disabled={state === 'sending'}>
              {state === 'sending' ? m.newsletter_sending() : m.newsletter_submit()}
            </button>
          </div>
        </form>
      )}
    </div>
  )
}

function useSubscription() {
  const [state, setState] = useState<State>('closed')
  const [failure, setFailure] = useState<string | null>(null)
  const emailBox = useRef<HTMLInputElement>(null)
  const consentBox = useRef<HTMLInputElement>(null)
  const open = () => setState((now) => (now === 'closed' ? 'open' : now))
  // A visitor may have focused the field before the scripts loaded.
  useEffect(() => void (document.activeElement === emailBox.current && open()), [])
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (state === 'sending') return
    setState('sending')
    setFailure(null)
    const { says, field } = await ask(emailBox.current!.value, consentBox.current?.checked ?? false)
    setFailure(says)
    setState(says === null ? 'sent' : 'open')
    if (field === 'email') emailBox.current?.focus()
    if (field === 'consent') consentBox.current?.focus()
  }
  return { state, failure, emailBox, consentBox, open, submit }
}

type Answer = { says: string | null; field?: 'email' | 'consent' }

/** Returns null when accepted. Checks obvious errors here, because the server counts every request and accepts only a few a day. */
async function ask(email: string, consent: boolean): Promise<Answer> {
  if (!/^\S+@\S+\.\S+$/.test(email.trim())) return { says: m.newsletter_email_wrong(), field: 'email' }
  if (!consent) return { says: m.newsletter_consent_missing(), field: 'consent' }
  try {
    const response = await post('/api/v1/newsletter', { email, consent })
    if (response.ok) return { says: null }
    const { code, detail, fields = [] } = (await response.json()) as { code: string; detail: string; fields?: { field: string }[] }
    const names = fields.map(({ field }) => field)
    return { says: newsletterFailure(code, names) ?? detail, ...(names.includes('email') && { field: 'email' }) }
  } catch {
    return { says: m.error_offline_text() }
  }
}

import type { ComponentProps } from 'react'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/** The tick, never set by us. Its wording has a version (schemas.ts). */
export function NewsletterConsent(props: ComponentProps<'input'> & { id: string }) {
  const to = useLocalPath()
  return (
    <div className="flex items-start gap-2">
      <input type="checkbox" {...props} className="mt-1 size-5 shrink-0 accent-leaf" />
      <div>
        <label htmlFor={props.id}>{m.newsletter_consent()}</label>{' '}
        <a href={to('/privacy-policy')} className="link inline-flex min-h-11 items-center">
          {m.newsletter_privacy()}
        </a>
      </div>
    </div>
  )
}

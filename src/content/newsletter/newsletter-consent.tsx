import type { ComponentProps } from 'react'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/** The tick, never set by us. Its wording has a version (schemas.ts). */
export function NewsletterConsent(props: ComponentProps<'input'> & { id: string }) {
  const to = useLocalPath()
  return (
    <div>
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input type="checkbox" {...props} className="size-6 shrink-0 accent-leaf" />
        {m.newsletter_consent()}
      </label>
      <a href={to('/privacy-policy')} className="link ml-9 inline-flex min-h-11 items-center">
        {m.newsletter_privacy()}
      </a>
    </div>
  )
}

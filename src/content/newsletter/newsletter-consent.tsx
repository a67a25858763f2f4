import type { ComponentProps } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { useLocalPath } from '#src/ui/language.ts'

/** The consent box, never pre-ticked. Its wording has a version (schemas.ts). */
export function NewsletterConsent(props: ComponentProps<'input'> & { id: string }) {
  const to = useLocalPath()
  return (
    <div>
      <Choice tick="size-6" {...props} type="checkbox">
        {m.newsletter_consent()}
      </Choice>
      <a href={to('/privacy-policy')} className="tap-link ml-9">
        {m.newsletter_privacy()}
      </a>
    </div>
  )
}

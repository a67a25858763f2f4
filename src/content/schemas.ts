import { z } from 'zod'
import { emailAddress } from '#src/kit/text.ts'

/** Which wording of the consent was ticked (`newsletter_consent` in both languages). A new wording needs a new version. */
export const CONSENT_VERSION = '2026-11'

export const newsletterRequest = z.strictObject({
  email: emailAddress,
  /** Ticked by the person, never by us. */
  consent: z.literal(true, 'Must be true: the person has ticked the box.'),
})
export type NewsletterRequest = z.infer<typeof newsletterRequest>

/** How long an address that was asked about is left in peace, whoever asks again for it. */
export const ASK_AGAIN_HOURS = 6
/** A confirmation that nobody gave is forgotten with its address after this. */
export const UNCONFIRMED_DAYS = 30

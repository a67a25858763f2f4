import { z } from 'zod'
import { emailAddress } from '#src/kit/text/text.ts'

/** The version of the ticked consent text (`newsletter_consent` in both languages). A new wording needs a new version. */
export const CONSENT_VERSION = '2026-11'

export const newsletterRequest = z.strictObject({
  email: emailAddress,
  /** Ticked by the person, never by us. */
  consent: z.literal(true, 'field_consent_missing'),
})
export type NewsletterRequest = z.infer<typeof newsletterRequest>

/** For this many hours an address gets no second confirmation mail, whoever asks for it. */
export const ASK_AGAIN_HOURS = 6
/** An unconfirmed address is deleted after this many days. */
export const UNCONFIRMED_DAYS = 30

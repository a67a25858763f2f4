import { m } from '#src/paraglide/messages.js'

/** The text for a refused subscription: by field first, then by code. Null means: show the server's text. */
export function newsletterFailure(code: string, fields: string[]): string | null {
  if (fields.includes('email')) return m.newsletter_email_wrong()
  if (fields.includes('consent')) return m.newsletter_consent_missing()
  if (code === 'UNAVAILABLE') return m.newsletter_away()
  return null
}

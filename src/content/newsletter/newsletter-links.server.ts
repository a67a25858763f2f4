import { createHmac, timingSafeEqual } from 'node:crypto'
import { localized, type Locale } from '#src/kit/text/locale.ts'

export type LinkPurpose = 'confirm' | 'unsubscribe'

interface Subscriber {
  id: number
  email: string
}

/** Known only to readers of this mailbox: not stored, and valid for this purpose and address only. */
export function linkToken(secret: string, purpose: LinkPurpose, { id, email }: Subscriber): string {
  return createHmac('sha256', secret).update(`newsletter|${purpose}|${id}|${email}`).digest('base64url')
}

export function isLinkToken(secret: string, purpose: LinkPurpose, subscriber: Subscriber, token: string): boolean {
  const expected = Buffer.from(linkToken(secret, purpose, subscriber))
  const given = Buffer.from(token)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Path without the language prefix, with its query. */
export function linkPath(secret: string, purpose: LinkPurpose, subscriber: Subscriber): string {
  return `/newsletter/${purpose}?${new URLSearchParams({ id: String(subscriber.id), token: linkToken(secret, purpose, subscriber) })}`
}

export const linkUrl = (origin: string, locale: Locale, path: string) => origin + localized(path, locale)

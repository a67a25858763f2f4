import { localized, type Locale } from '#src/kit/text/locale.ts'

/** The payload encrypted for one device; the service worker shows it (content/offline/worker/push.ts). */
export interface PushPayload {
  /** The message's id, and in `shown` the mark with which the device reports that it has shown it. */
  id: number
  shown: string
  /** The device's id, and in `stop` the mark with which it unsubscribes. */
  device: number
  stop: string
  /** The receiver's mark, by which the worker knows people. */
  owner: string
  locale: Locale
  text: string
  path: string
  /** A later message replaces an earlier one with the same tag. */
  tag: string
}

/** Maximum characters of a text; phones show no more. Tamil takes three bytes per character, so a message stays below 3 kB. */
const MAX_TEXT = 500
/** Ten digits or more in any grouping: a phone number in a comment. Order numbers and amounts are shorter. */
const PHONE = /\+?\d(?:[ -]?\d){9,}/g

/** The text of the SMS without the market's name, which the phone shows anyway, its link and phone numbers. */
export function textOf(body: string, link: string | undefined): string {
  const bare = (link === undefined ? body : body.replace(link, ''))
    .replace(/^(?:Sandhai|சந்தை): /, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(PHONE, '…')
    .trim()
    .replace(/:$/, '.')
  const letters = [...bare]
  return letters.length > MAX_TEXT ? `${letters.slice(0, MAX_TEXT - 1).join('')}…` : bare
}

/** The page that a tap opens: the link of the SMS when it leads to this market, else the list of messages. */
export function pathOf(link: string | undefined, origin: string, locale: Locale): string {
  return link?.startsWith(`${origin}/`) ? link.slice(origin.length) : localized('/me#told', locale)
}

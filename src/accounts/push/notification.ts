import { localized, type Locale } from '#src/kit/text/locale.ts'

/** What travels, encrypted, to one device; the service worker shows it (content/offline/worker/push.ts). */
export interface PushPayload {
  /** Of the message, with the mark that lets the device say that it was shown. */
  id: number
  shown: string
  /** Of the device, with the mark that lets it stop. */
  device: number
  stop: string
  /** Whose it is, as the worker knows people. */
  owner: string
  locale: Locale
  text: string
  path: string
  /** Of two with the same tag only the later one stands on the screen. */
  tag: string
}

/** Letters of a text: all phones show less. Three bytes each in Tamil, so a message stays below 3 kB. */
const MAX_TEXT = 500
/** Ten digits or more, however they are grouped: somebody's number in a comment. Order numbers and amounts are shorter. */
const PHONE = /\+?\d(?:[ -]?\d){9,}/g

/** The text of the SMS without the market's name before it, which the phone shows anyway, without its link and without phone numbers. */
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

/** The page that a tap opens: that of the SMS's link, on this market only; else what was told before. */
export function pathOf(link: string | undefined, origin: string, locale: Locale): string {
  return link?.startsWith(`${origin}/`) ? link.slice(origin.length) : localized('/me#told', locale)
}

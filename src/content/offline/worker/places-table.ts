import { FILE_COPIES, FOR_COPY } from '#src/content/offline/names.ts'
import { languageTags, type Locale } from '#src/kit/text/locale.ts'
import { copiedAt, keep, matchOptions, noteUsed } from './keep.ts'

// The table of PIN codes on the phone: forms fill in a place without a connection, too.

const TABLE = '/api/v1/pincode-places'
const onePlace = /^\/api\/v1\/pincode-place\/pincode=(\d{6})$/
/** Places change with a release, and deliverability by the office: both rarely. */
const FRESH_MS = 30 * 86_400_000

/** Each language has a table of its own, at an address of its own. */
const addressOf = (locale: Locale) => `${TABLE}?lang=${locale}`
const tableOf = (locale: Locale) => caches.match(addressOf(locale), { ...matchOptions, cacheName: FILE_COPIES })

/** Copies the table when there is none, or an old one. */
export async function copyPlaces(locale: Locale): Promise<void> {
  const table = await tableOf(locale)
  if (table && Date.now() - copiedAt(table) < FRESH_MS) return
  const headers = { [FOR_COPY]: '1', 'Accept-Language': languageTags[locale] }
  const answer = await fetch(TABLE, { headers }).catch(() => null)
  if (answer?.ok) await keep(FILE_COPIES, addressOf(locale), answer)
}

export const asksForPlace = (pathname: string) => onePlace.test(pathname)

/** Returns what the server would answer to the question for one PIN code. Null when the table does not hold it. */
export async function placeOnPhone({ url, headers }: Request): Promise<Response | null> {
  const pincode = onePlace.exec(new URL(url).pathname)?.[1]
  const locale = headers.get('Accept-Language') === languageTags.en ? 'en' : 'ta'
  const table = await tableOf(locale)
  const places = ((await table?.json()) ?? []) as { pincode: string }[]
  const place = places.find((each) => each.pincode === pincode)
  if (!place) return null
  void noteUsed(FILE_COPIES, addressOf(locale))
  return Response.json(place)
}

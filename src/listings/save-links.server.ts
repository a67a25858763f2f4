import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { browsePath, type BrowseChoices } from './schemas.ts'

/** A link on lists; its text travels with it. */
interface SaveLink {
  path: string
  text: string
}

/** Link to the page that saves a search, the same for everybody; none for the whole market. */
export function saveSearchLinks({ sort: _sort, ...what }: Omit<BrowseChoices, 'after'>, locale: Locale): SaveLink[] {
  const search = browsePath(what)
  if (search === '/buy/0') return []
  return [{ path: `/saved?search=${encodeURIComponent(search)}`, text: m.saved_search_link({}, { locale }) }]
}

import type { Locale } from '#src/kit/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { browsePath, type BrowseChoices } from './schemas.ts'

/** A link as lists and animals carry it: its words come with it. */
interface SaveLink {
  path: string
  text: string
}

/** Where a search is saved, the same for everybody; none for the whole market. */
export function saveSearchLinks({ sort: _sort, ...what }: Omit<BrowseChoices, 'after'>, locale: Locale): SaveLink[] {
  const search = browsePath(what)
  if (search === '/buy/0') return []
  return [{ path: `/saved?search=${encodeURIComponent(search)}`, text: m.saved_search_link({}, { locale }) }]
}

export const saveListingLink = (id: number, locale: Locale): SaveLink => ({
  path: `/saved?listing=${id}`,
  text: m.saved_link({}, { locale }),
})

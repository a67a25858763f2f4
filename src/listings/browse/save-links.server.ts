import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { browsePath, type BrowseChoices } from './schemas.ts'

/** Links to the page that saves this search, the same for everybody; empty for the unfiltered market. */
export function saveSearchLinks({ sort: _sort, ...choices }: Omit<BrowseChoices, 'after'>, locale: Locale) {
  const search = browsePath(choices)
  if (search === '/buy/0') return []
  return [{ path: `/saved?search=${encodeURIComponent(search)}`, text: m.saved_search_link({}, { locale }) }]
}

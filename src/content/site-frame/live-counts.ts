import { useEffect } from 'react'
import type { RailId } from './desks.ts'
import type { DeskCounts } from './frame-viewer.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'

/** The badge text of one desk or of all desks. The vets' queue may hold thousands, so its count stops at COUNT_UP_TO. */
export const countText = (id: RailId | 'all', count: number): string =>
  id === 'checks' && count > COUNT_UP_TO ? `${COUNT_UP_TO.toLocaleString('en-IN')}+` : count.toLocaleString('en-IN')

/** Cases that wait at the office's desks. Excludes animals that no vet has checked, because nobody has to check them. */
export const sumOf = (counts: DeskCounts | null): number =>
  Object.entries(counts ?? {}).reduce((sum, [id, count]) => (id === 'checks' ? sum : sum + count), 0)

/**
 * The server renders the rail (ServerOnly), so an act on the page writes the new counts into it. Following a link loads a new document,
 * which needs no update.
 */
export function useLiveCounts(counts: DeskCounts | null): void {
  useEffect(() => {
    if (counts === null) return
    for (const place of document.querySelectorAll<HTMLElement>('[data-waiting]')) {
      const id = place.dataset.waiting as RailId | 'all'
      const count = id === 'all' ? sumOf(counts) : (counts[id] ?? 0)
      place.hidden = count === 0
      place.firstElementChild!.textContent = countText(id, count)
    }
  }, [counts])
}

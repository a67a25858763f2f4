import { parseId } from '#src/kit/ids.ts'

/** The views of the queue. `asked` listings wait for the seller and are in no other view. */
export const QUEUE_VIEWS = ['new-seller', 'again', 'duplicate', 'answered', 'skipped', 'asked'] as const
export type QueueView = (typeof QUEUE_VIEWS)[number]

/** How many listings of the queue the page shows beside the animal. */
export const LISTED = 60

/** The part of the queue that an admin works on; null fields filter nothing. */
export interface QueueFilter {
  categoryId: number | null
  district: string | null
  view: QueueView | null
}

export const readQueueFilter = (query: URLSearchParams): QueueFilter => ({
  categoryId: parseId(query.get('species') ?? ''),
  district: query.get('district') || null,
  view: QUEUE_VIEWS.find((view) => view === query.get('view')) ?? null,
})

/** The filter as a query string, with further parameters: '' or `?view=again&id=7`. */
export function queueQuery({ categoryId, district, view }: QueueFilter, more: Record<string, number | string | null> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ species: categoryId, district, view, ...more }))
    if (value !== null) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query}`
}

export const queuePath = (filter: QueueFilter, more?: Record<string, number | string | null>) =>
  `/admin/verification${queueQuery(filter, more)}`

/** Shows the listing itself first, below the desk's head. */
export const LISTING_HASH = '#listing'

import { findPlace } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { countListings } from '#src/listings/browse.server.ts'
import { browsePath } from '#src/listings/schemas.ts'
import { chosenOf, type Chosen } from './chosen-filters.tsx'

/** The list without one of the things that were asked for, and how many that leaves. */
export interface NearMiss {
  path: string
  count: number
  isMore: boolean
}

/** As many as one looks through. */
const MAX_TRIED = 12
const MAX_SHOWN = 5

/** What a search that found nothing finds without one of its words or filters, in one statement. */
export async function listNearMisses(ctx: Ctx, asked: Chosen): Promise<NearMiss[]> {
  const tried = chosenOf(asked).slice(0, MAX_TRIED)
  if (tried.length === 0) return []
  const searches = tried.map(({ rest }) => ({ choices: { ...rest, after: null }, near: rest.near === '' ? null : findPlace(rest.near) }))
  const counts = await countListings(ctx, searches)
  return tried
    .map(({ rest }, at) => ({ path: browsePath(rest), ...counts[at]! }))
    .filter(({ count }) => count > 0)
    .slice(0, MAX_SHOWN)
}

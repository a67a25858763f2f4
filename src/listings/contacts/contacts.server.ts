import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { visibleTo } from '../queries.server.ts'

export const CONTACT_WAYS = ['call', 'whatsapp'] as const
export type ContactWay = (typeof CONTACT_WAYS)[number]

const recordContactRow = z.object({ live: z.boolean() })

/**
 * Records a tap on Call or WhatsApp once per person, listing and way, for "12 people asked". Counts viewers who saw the number. Taps of the seller and
 * of admins get the same answer but do not count. Throws NOT_FOUND when the viewer may not see the listing, and LISTING_STEP when it is not for sale:
 * sold, closed, withdrawn or not passed.
 */
export async function recordContact(ctx: Ctx, listingId: number, way: ContactWay): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  const rows = await rowsOf(
    ctx,
    sql`
    with seen as (
      select l.id, (${isLive(ctx.now)}) as live, l.seller_id <> ${viewer.id}::bigint and not ${can(viewer, 'operate')}::boolean
        and exists (select 1 from contact_reveals r where r.viewer_id = ${viewer.id}::bigint and r.seller_id = l.seller_id) as counts
      from listings l where l.id = ${listingId}::bigint and ${visibleTo(ctx)}
    ), counted as (
      insert into contact_taps (listing_id, person_id, way, tapped_at)
      select seen.id, ${viewer.id}::bigint, ${way}, ${ctx.now.toISOString()}::timestamptz from seen where seen.live and seen.counts
      on conflict do nothing
    )
    select seen.live from seen`,
    recordContactRow,
  )
  const [seen] = rows
  if (!seen) throw notFound()
  if (!seen.live) throw new Problem('LISTING_STEP')
}

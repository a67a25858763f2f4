import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'

/** So many of the newest verdicts are read, and fewer than the second number say nothing. */
const LOOKED_AT = 200
const NEEDED = 5

/**
 * Within how many hours four of five listings got their verdict in the last four weeks; null when too few did. A listing that was sent again
 * meanwhile counts from then, so only its verdict after that is one of it.
 */
export async function usualWaitHours(ctx: Ctx): Promise<number | null> {
  const [wait] = await rowsOf(
    ctx,
    sql`
    select count(*)::int as count,
      ceil(percentile_disc(0.8) within group (order by extract(epoch from v.created_at - l.submitted_at)) / 3600)::int as hours
    from (select * from verifications order by id desc limit ${LOOKED_AT}) v join listings l on l.id = v.listing_id
    where v.created_at > l.submitted_at and v.created_at > ${ctx.now}::timestamptz - interval '28 days'`,
    shape,
  )
  return wait!.count >= NEEDED ? Math.max(1, wait!.hours!) : null
}
const shape = z.object({ count: z.number(), hours: z.number().nullable() })

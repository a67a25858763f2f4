import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'

/** Sample of the newest verdicts, and the minimum for a result. */
const SAMPLE_SIZE = 200
const MIN_VERDICTS = 5

/**
 * The hours within which four of five listings got their verdict in the last four weeks; null below the minimum. A resubmitted listing
 * counts from its resubmission, with the verdict after it.
 */
export async function usualWaitHours(ctx: Ctx): Promise<number | null> {
  const [wait] = await rowsOf(
    ctx,
    sql`
    select count(*)::int as count,
      ceil(percentile_disc(0.8) within group (order by extract(epoch from v.created_at - l.submitted_at)) / 3600)::int as hours
    from (select * from verifications order by id desc limit ${SAMPLE_SIZE}) v join listings l on l.id = v.listing_id
    where v.created_at > l.submitted_at and v.created_at > ${ctx.now}::timestamptz - interval '28 days'`,
    shape,
  )
  return wait!.count >= MIN_VERDICTS ? Math.max(1, wait!.hours!) : null
}
const shape = z.object({ count: z.number(), hours: z.number().nullable() })

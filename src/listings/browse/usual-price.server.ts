import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { moneyShape } from '#src/kit/db/rows.server.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { isLive } from './browse.server.ts'

/** Fewer prices do not show what is usual. */
const PRICES_NEEDED = 5
/** The number of newest listings of a breed that are read: enough for an estimate, and fast at any market size. */
const LOOKED_AT = 300

/** Current asking prices for a breed and sex: half of them lie between the two. */
export interface UsualPrice {
  from: Money
  to: Money
  /** The number of listings behind it. */
  count: number
}

export const usualPriceShape = z.object({ count: z.number(), low: moneyShape.nullable(), high: moneyShape.nullable() })

/** One row of `usualPriceShape` for a breed and a sex. The breed's index alone finds the newest listings; sex and seller are tested on those only. */
export const usualPriceAmong = (ctx: Ctx, breedId: SQL, genderId: SQL): SQL => sql`
  select count(*)::int as count, percentile_disc(0.25) within group (order by l.price)::text as low,
    percentile_disc(0.75) within group (order by l.price)::text as high
  from (
    select l.* from listings l where l.breed_id = ${breedId} and l.state = 'passed' and not l.is_sold and l.stock > 0
    order by l.created_at desc, l.id desc limit ${LOOKED_AT}
  ) l
  where l.gender_id is not distinct from ${genderId} and ${isLive(ctx.now)}`

/** The same for the listing `id`. Uses scalar subqueries, so that PostgreSQL walks the index of that breed (see `relatedTo`). */
export function usualPriceOf(ctx: Ctx, id: number): SQL {
  const ownColumn = (column: string) => sql`(select me.${sql.raw(column)} from listings me where me.id = ${id}::bigint)`
  return usualPriceAmong(ctx, ownColumn('breed_id'), ownColumn('gender_id'))
}

/** Null when too few are for sale. */
export const toUsualPrice = ({ count, low, high }: z.output<typeof usualPriceShape>): UsualPrice | null =>
  low !== null && high !== null && count >= PRICES_NEEDED ? { from: low, to: high, count } : null

/** The number of the seller's sold listings: through Sandhai by the seller's statement, or with no stock left. */
export const soldBy = (sellerId: SQL): SQL => sql`(
  select count(*)::int from listings s
  where s.seller_id = ${sellerId} and s.state = 'passed' and (s.sold_through_sandhai or (s.stock = 0 and not s.is_sold)))`

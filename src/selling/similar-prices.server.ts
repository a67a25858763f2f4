import { sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { toUsualPrice, usualPriceAmong, usualPriceShape, type UsualPrice } from '#src/listings/browse/usual-price.server.ts'
import { DELIVERED } from '#src/orders/process.server.ts'

/** Reads the newest deliveries only: a large enough sample, and fast at any size of the market. */
const SAMPLE_SIZE = 2000

/** Asked prices of a breed and sex now, and prices of deliveries in the last year; null when there are too few. */
export interface SimilarPrices {
  asked: UsualPrice | null
  fetched: UsualPrice | null
}

export async function findSimilarPrices(ctx: Ctx, breedId: number, genderId: number): Promise<SimilarPrices> {
  const asked = await oneRowOf(ctx, usualPriceAmong(ctx, sql`${breedId}::bigint`, sql`${genderId}::bigint`), usualPriceShape)
  const fetched = await oneRowOf(
    ctx,
    sql`
    select count(*)::int as count, percentile_disc(0.25) within group (order by o.unit_price)::text as low,
      percentile_disc(0.75) within group (order by o.unit_price)::text as high
    from (select * from orders where status = ${DELIVERED} order by id desc limit ${SAMPLE_SIZE}) o join listings l on l.id = o.listing_id
    where l.breed_id = ${breedId}::bigint and l.gender_id = ${genderId}::bigint and o.delivered_on > ${ctx.now}::timestamptz - interval '1 year'`,
    usualPriceShape,
  )
  return { asked: toUsualPrice(asked), fetched: toUsualPrice(fetched) }
}

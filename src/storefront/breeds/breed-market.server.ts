import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { placeName } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { moneyShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { priceSteps, type PriceStep } from './price-steps.ts'

/** Fewer prices do not show what is usual. */
export const PRICES_NEEDED = 5
/** The highest and lowest tenth are excluded: a show bull, a calf. */
const USUAL_FROM = 0.1
const USUAL_TO = 0.9
/** The number of newest listings that are read: a sufficient sample, and fast at any market size. */
const LOOKED_AT = 1000
const DISTRICTS_SHOWN = 8

/** Current prices and places for a breed or category. */
export interface KindMarket {
  /** The number for sale, up to `LOOKED_AT`. */
  count: number
  /** The usual price range; null when there are too few. */
  usual: { from: Money; to: Money } | null
  /** The price distribution; empty when there are too few. */
  steps: PriceStep[]
  /** The districts of the animals, most first. `name` is in English, as the search expects it. */
  districts: { name: string; shown: string; count: number }[]
}

/** One statement, for breeds or for categories (one of the two lists is empty). */
export async function readKindMarket(
  ctx: Ctx,
  { breedIds, categoryIds }: { breedIds: number[]; categoryIds: number[] },
): Promise<KindMarket> {
  const ids = breedIds.length > 0 ? breedIds : categoryIds
  const column = breedIds.length > 0 ? sql`l.breed_id` : sql`l.category_id`
  const kind = sql`${column} in (${sql.join(
    ids.map((id) => sql`${id}::smallint`),
    sql`, `,
  )})`
  const rows = await rowsOf(
    ctx,
    sql`
    with seen as materialized (
      select l.price, l.district from listings l where ${kind} and ${isLive(ctx.now)} order by l.created_at desc, l.id desc limit ${LOOKED_AT}
    )
    select (select count(*)::int from seen) as count,
      (select percentile_disc(${sql.raw(String(USUAL_FROM))}) within group (order by price)::text from seen) as low,
      (select percentile_disc(${sql.raw(String(USUAL_TO))}) within group (order by price)::text from seen) as high,
      (select json_agg(price::text) from seen) as prices,
      (select json_agg(d) from (select district as name, count(*)::int as count from seen group by district
        order by count(*) desc, district limit ${DISTRICTS_SHOWN}) d) as districts`,
    row,
  )
  const { count, low, high, prices, districts } = rows[0]!
  const usual = low !== null && high !== null && count >= PRICES_NEEDED ? { from: low, to: high } : null
  return {
    count,
    usual,
    steps: usual && prices ? priceSteps(prices, usual) : [],
    districts: (districts ?? []).map((each) => ({ ...each, shown: placeName(each.name, ctx.locale) })),
  }
}

const row = z.object({
  count: z.number(),
  low: moneyShape.nullable(),
  high: moneyShape.nullable(),
  prices: z.array(moneyShape).nullable(),
  districts: z.array(z.object({ name: z.string(), count: z.number() })).nullable(),
})

/** Above this count the page says "more than". */
export const COUNTED_UP_TO = 100

const countLiveByBreedRow = z.object({ id: z.number(), count: z.number() })

/** The live listings per breed, counted up to a limit, so that the cost per breed is bounded in any market size. */
export async function countLiveByBreed(ctx: Ctx): Promise<Map<number, number>> {
  const rows = await rowsOf(
    ctx,
    sql`
    select b.id::int as id, (select count(*)::int from (
      select 1 from listings l where l.breed_id = b.id and ${isLive(ctx.now)} limit ${COUNTED_UP_TO}) found) as count
    from breeds b`,
    countLiveByBreedRow,
  )
  return new Map(rows.filter(({ count }) => count > 0).map(({ id, count }) => [id, count]))
}

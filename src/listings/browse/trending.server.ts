import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { cardColumns, cardPhoto, cardRow, isLive, isVetPassed, toCard, type ListingCard } from './browse.server.ts'

export interface TrendingOptions {
  top: number
  categoryId?: number
  /**
   * For "Top in Market": only listings with a verified seller or a valid vet check, those with the most checks first. By views alone it would repeat
   * the head of the trending list.
   */
  trustedOnly?: boolean
  /** The newest, whatever their views. */
  newestOnly?: boolean
}

/** A view loses half its weight in this time. */
const VIEW_HALF_LIFE_DAYS = 7
const TRENDING_WINDOW_DAYS = 30
/** The most trusted are selected from this many most viewed and as many newest listings: enough to choose from, and fast at any size. */
const TRUSTED_CHOICE = 60

/**
 * The common table expression `chosen` (id, score): the most viewed of the last 30 days (one view per viewer and day), filled up with the newest in a
 * quiet market. It may hold more rows than requested; sort by `bestFirst`.
 */
export function withChosen(ctx: Ctx, options: TrendingOptions): SQL {
  const today = indianDay(ctx.now)
  const count = options.trustedOnly ? TRUSTED_CHOICE : options.top
  const inCategory = options.categoryId ? sql`and l.category_id = ${options.categoryId}::smallint` : sql``
  const trusted = options.trustedOnly ? sql`and (${isSellerVerified} or ${isVetPassed(ctx.now)})` : sql``
  const newest = sql`select l.id, 0::float8 as score from listings l where ${isLive(ctx.now)} ${inCategory} ${trusted}
      order by l.created_at desc, l.id desc limit ${count}`
  if (options.newestOnly) return sql`with chosen as (${newest})`
  return sql`
    with viewed as (
      select v.listing_id as id, sum(power(0.5, (${today}::date - v.day)::float8 / ${VIEW_HALF_LIFE_DAYS}::float8)) as score
      from listing_views v join listings l on l.id = v.listing_id
      where v.day > ${today}::date - ${TRENDING_WINDOW_DAYS}::int and ${isLive(ctx.now)} ${inCategory} ${trusted}
      group by v.listing_id order by score desc, v.listing_id desc limit ${count}
    ), newest as (${newest}
    ), chosen as (
      select id, max(score) as score from (select * from viewed union all select * from newest) either group by id
    )`
}

export function bestFirst(ctx: Ctx, options: TrendingOptions): SQL {
  const vouched = sql`(${isSellerVerified})::int + (${isVetPassed(ctx.now)})::int + (l.is_vaccinated)::int desc,`
  return sql`${options.trustedOnly ? vouched : sql``} chosen.score desc, l.created_at desc, l.id desc`
}

const isSellerVerified = sql`l.seller_verified`

/** The same animals in the same order as `listTrending`, with card data only. */
export async function listTrendingCards(ctx: Ctx, options: TrendingOptions): Promise<ListingCard[]> {
  return (await listTrendingSections(ctx, [options]))[0]!
}

/** Several such lists in one statement. */
export async function listTrendingSections<T extends TrendingOptions[]>(
  ctx: Ctx,
  lists: readonly [...T],
): Promise<{ [K in keyof T]: ListingCard[] }> {
  const each = lists.map(
    (options, list) => sql`(${withChosen(ctx, options)}
      select ${list}::int as list, row_number() over (order by ${bestFirst(ctx, options)})::int as place, ${cardColumns(ctx)}
      from chosen join listings l on l.id = chosen.id ${cardPhoto}
      order by place limit ${options.top})`,
  )
  const rows = await rowsOf(ctx, sql`select * from (${sql.join(each, sql` union all `)}) cards order by list, place`, placedRow)
  return lists.map((_, at) => rows.filter(({ list }) => list === at).map((row) => toCard(ctx, row, null))) as {
    [K in keyof T]: ListingCard[]
  }
}

const placedRow = cardRow.extend({ list: z.number(), place: z.number() })

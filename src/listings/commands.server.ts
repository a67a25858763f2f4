import { createHmac } from 'node:crypto'
import { lt, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/database.server.ts'
import { indianDay } from '#src/kit/dates.ts'
import { notFound } from '#src/kit/problem.ts'
import { visibleTo } from './queries.server.ts'
import { listingViews } from './tables.ts'

/** Who looked longer ago is of no use to anybody (safety.md §4.6): trending looks a month back, a seller is told of half a year. */
export const VIEWS_KEPT_DAYS = 180

/**
 * Counts a look at a listing, once per viewer and day; the seller's own looks do not count.
 * The viewer is a person when logged in, else a browser (its CSRF cookie's random part), blinded with a key and the day,
 * so that nobody can be followed from one day to the next. NOT_FOUND when the caller may not see the listing.
 */
export async function recordView(ctx: Ctx, listingId: number, blindingKey: string): Promise<void> {
  const day = indianDay(ctx.now)
  const who = ctx.viewer ? `user:${ctx.viewer.id}` : `browser:${ctx.browserId}`
  const viewerKey = createHmac('sha256', blindingKey).update(`${day}|${who}`).digest('base64url').slice(0, 22)
  const viewerId = ctx.viewer?.id ?? 0
  const { rows } = (await ctx.db.execute(sql`
    with seen as (
      select l.id, l.seller_id from listings l
      where l.id = ${listingId}::bigint and ${visibleTo(ctx)}
    ), counted as (
      insert into listing_views (listing_id, day, viewer_key, viewed_at)
      select seen.id, ${day}::date, ${viewerKey}, ${ctx.now.toISOString()}::timestamptz from seen where seen.seller_id <> ${viewerId}::bigint
      on conflict do nothing
    )
    select 1 from seen`)) as unknown as { rows: unknown[] }
  if (rows.length === 0) throw notFound()
}

export async function sweepViews(db: Db): Promise<void> {
  await db.delete(listingViews).where(lt(listingViews.day, sql`current_date - ${VIEWS_KEPT_DAYS}::int`))
}

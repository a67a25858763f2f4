import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/db.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { anyRow, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { visibleTo } from './queries.server.ts'

/** The retention of views (safety.md §4.6). Trending covers one month, and a seller sees half a year. */
const VIEWS_KEPT_DAYS = 180

/**
 * Counts a view of a listing once per viewer and day; the seller's own views do not count. The viewer is a person when logged in, else a browser (the
 * random part of its CSRF cookie), hashed with a key and the day so that nobody can be tracked across days. Throws NOT_FOUND when the caller may not
 * see the listing.
 */
export async function recordView(ctx: Ctx, listingId: number, blindingKey: string): Promise<void> {
  const day = indianDay(ctx.now)
  const viewerName = ctx.viewer ? `user:${ctx.viewer.id}` : `browser:${ctx.browserId}`
  const viewerKey = createHmac('sha256', blindingKey).update(`${day}|${viewerName}`).digest('base64url').slice(0, 22)
  const viewerId = ctx.viewer?.id ?? 0
  const rows = await rowsOf(
    ctx,
    sql`
    with seen as (
      select l.id, l.seller_id from listings l
      where l.id = ${listingId}::bigint and ${visibleTo(ctx)}
    ), counted as (
      insert into listing_views (listing_id, day, viewer_key, viewed_at)
      select seen.id, ${day}::date, ${viewerKey}, ${ctx.now.toISOString()}::timestamptz from seen where seen.seller_id <> ${viewerId}::bigint
      on conflict do nothing
    )
    select 1 from seen`,
    anyRow,
  )
  if (rows.length === 0) throw notFound()
}

/** Views deleted per statement, within the usual statement time limit: a busy market has a million views a day. */
const VIEWS_AT_ONCE = 10_000

const sweepViewsRow = z.object({ gone: z.number() })

/** Deletes the viewers of views older than half a year and keeps the count. Locks listing rows in id order, as carts do. */
export async function sweepViews(db: Db, atOnce = VIEWS_AT_ONCE): Promise<void> {
  for (;;) {
    const row = await oneRowOf(
      { db },
      sql`
      with gone as (
        delete from listing_views where ctid = any (array(
          select ctid from listing_views where day < current_date - ${VIEWS_KEPT_DAYS}::int limit ${atOnce} for update skip locked))
        returning listing_id
      ), counted as (
        select listing_id as id, count(*)::int as views from gone group by listing_id
      ), held as (
        select l.id, c.views from listings l join counted c on c.id = l.id order by l.id for no key update of l
      ), kept as (
        update listings l set views_before = l.views_before + held.views from held where l.id = held.id
      )
      select count(*)::int as gone from gone`,
      sweepViewsRow,
    )
    if (row.gone < atOnce) return
  }
}

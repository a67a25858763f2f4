import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'

/** The same number of days as the page views show, including today. */
const DAYS = 30

/** Counts of each step over the last thirty days. Nothing links the steps of one person. */
const row = z.object({
  lists: z.number(),
  animals: z.number(),
  /** Pairs of person and animal with a tap on Call or WhatsApp. */
  contacts: z.number(),
  orders: z.number(),
  sellForms: z.number(),
  listed: z.number(),
  /** Listings of these days that an admin has passed. */
  passed: z.number(),
})
export type Funnels = z.output<typeof row>

/** Returns both funnels: from a list to an order, and from the sell form to a passed listing. One statement. */
export async function readFunnels(ctx: Ctx): Promise<Funnels> {
  requireCan(ctx, 'operate')
  const day = indianDay(daysBefore(ctx.now, DAYS - 1))
  const since = sql`${`${day}T00:00+05:30`}::timestamptz`
  const views = (route: string) =>
    sql`(select coalesce(sum(v.count), 0)::int from page_views v where v.route = ${route} and v.day >= ${day}::date)`
  return oneRowOf(
    ctx,
    sql`
    select ${views('/buy/:typeId')} as lists, ${views('/product/:productId')} as animals, ${views('/sell')} as "sellForms",
      (select count(distinct (c.listing_id, c.person_id))::int from contact_taps c where c.tapped_at >= ${since}) as contacts,
      (select count(*)::int from orders o where o.created_at >= ${since}) as orders,
      (select count(*)::int from listings l where l.created_at >= ${since} and l.state <> 'draft') as listed,
      (select count(*)::int from listings l where l.created_at >= ${since} and exists (select from verifications v where v.listing_id = l.id and v.passed)) as passed`,
    row,
  )
}

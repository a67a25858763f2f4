import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { peopleWaiting } from '#src/accounts/waiting.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import type { DeskId } from '#src/content/desks.ts'
import { moneyWaiting } from '#src/invoices/waiting.server.ts'
import { ticketsWaiting } from '#src/content/support/waiting.server.ts'
import { enquiriesWaiting } from '#src/enquiries/waiting.server.ts'
import { postsWaiting } from '#src/forum/waiting.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import type { WaitingCases } from '#src/kit/db/waiting.ts'
import type { DeskTargets } from '#src/kit/settings.ts'
import { ordersWaiting } from '#src/orders/waiting.server.ts'
import { reportsWaiting } from '#src/reports/waiting.server.ts'
import { listingsWaiting, secondLooksWaiting } from '#src/verification/waiting.server.ts'

const casesOf: Record<DeskId, WaitingCases> = {
  listings: listingsWaiting,
  secondLooks: secondLooksWaiting,
  orders: ordersWaiting,
  enquiries: enquiriesWaiting,
  people: peopleWaiting,
  reports: reportsWaiting,
  forum: postsWaiting,
  tickets: ticketsWaiting,
  money: moneyWaiting,
}
const desks = Object.keys(casesOf) as DeskId[]
const deskShape = z.enum(desks)

/** How many cases "Do now" lists. */
const OLDEST_SHOWN = 20

const allCases = (ctx: Ctx) =>
  sql.join(
    desks.map((desk) => sql`select ${desk} as desk, c.since, c.title, c.path from (${casesOf[desk](ctx)}) c`),
    sql` union all `,
  )

const countRow = z.object({ desk: deskShape, count: z.number() })

/** How much waits at each desk, for the rail; a desk where nothing waits is missing. One statement. */
export async function countWork(ctx: Ctx): Promise<Partial<Record<DeskId, number>>> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(ctx, sql`select desk, count(*)::int as count from (${allCases(ctx)}) work group by desk`, countRow)
  return Object.fromEntries(rows.map(({ desk, count }) => [desk, count]))
}

export interface WaitingCase {
  desk: DeskId
  title: string
  /** Without the language. */
  path: string
  since: Date
}

/** Of one desk: how many wait within its target, up to twice as long, and longer. */
export interface DeskLoad {
  desk: DeskId
  inTime: number
  late: number
  veryLate: number
}

const workRow = z.object({
  loads: z.array(z.object({ desk: deskShape, count: z.number(), late: z.number(), veryLate: z.number() })),
  oldest: z.array(z.object({ desk: deskShape, title: z.string(), path: z.string(), ms: z.number() })),
})

/** What waits across all desks: how much and how long at each, and the oldest cases. One statement. */
export async function readWork(ctx: Ctx, targets: DeskTargets): Promise<{ loads: DeskLoad[]; oldest: WaitingCase[] }> {
  requireCan(ctx, 'operate')
  const now = sql`${ctx.now.toISOString()}::timestamptz`
  const hours = sql.join(
    desks.map((desk) => sql`(${desk}, ${targets[desk]}::int)`),
    sql`, `,
  )
  const [row] = await rowsOf(
    ctx,
    sql`
    with work as materialized (${allCases(ctx)}),
    timed as (
      select w.desk, w.since < ${now} - make_interval(hours => t.hours) as is_late, w.since < ${now} - make_interval(hours => 2 * t.hours) as is_very_late
      from work w join (values ${hours}) t(desk, hours) on t.desk = w.desk
    )
    select
      (select coalesce(json_agg(l), '[]') from (select desk, count(*)::int as count, (count(*) filter (where is_late and not is_very_late))::int as late,
        (count(*) filter (where is_very_late))::int as "veryLate" from timed group by desk) l) as loads,
      (select coalesce(json_agg(o), '[]') from (select desk, title, path, floor(extract(epoch from since) * 1000)::float8 as ms
        from work order by since, path limit ${OLDEST_SHOWN}) o) as oldest`,
    workRow,
  )
  const loadOf = new Map(row!.loads.map((load) => [load.desk, load]))
  return {
    loads: desks.map((desk) => {
      const { count, late, veryLate } = loadOf.get(desk) ?? { count: 0, late: 0, veryLate: 0 }
      return { desk, inTime: count - late - veryLate, late, veryLate }
    }),
    oldest: row!.oldest.map(({ desk, title, path, ms }) => ({ desk, title, path, since: new Date(ms) })),
  }
}

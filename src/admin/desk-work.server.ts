import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { peopleWaiting } from '#src/accounts/waiting.server.ts'
import { can, requireCan } from '#src/accounts/policy.ts'
import type { DeskId } from '#src/content/site-frame/desks.ts'
import type { DeskCounts } from '#src/content/site-frame/frame-viewer.ts'
import { heldCount, toCheckCount } from '#src/health/waiting.server.ts'
import { ticketsWaiting } from '#src/content/support/waiting.server.ts'
import { enquiriesWaiting } from '#src/enquiries/waiting.server.ts'
import { postsWaiting } from '#src/forum/waiting.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { countRow, epochMs, momentShape, moneyShape, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { HOUR, type WaitingCases } from '#src/kit/records/waiting.ts'
import type { DeskTargets } from '#src/kit/settings.ts'
import { ordersWaiting } from '#src/orders/waiting.server.ts'
import { reportsWaiting } from '#src/reports/waiting.server.ts'
import { moneyWaiting } from '#src/selling/earnings/waiting.server.ts'
import { proofsWaiting } from '#src/verification/proofs/waiting-proofs.server.ts'
import { listingsWaiting, secondLooksWaiting } from '#src/verification/waiting.server.ts'

const casesOf: Record<DeskId, WaitingCases> = {
  listings: listingsWaiting,
  secondLooks: secondLooksWaiting,
  proofs: proofsWaiting,
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

/** Cases that the office's home lists of each desk. */
const OLDEST_OF_DESK = 3

const allCases = (ctx: Ctx) =>
  sql.join(
    desks.map((desk) => sql`select ${desk} as desk, c.* from (${casesOf[desk](ctx)}) c`),
    sql` union all `,
  )

const deskCountRow = z.object({ desk: z.enum([...desks, 'checks']), count: z.number() })

/** Counts the cases that wait at each desk, and the animals that no vet has taken. Desks without cases are missing from the result. One statement. */
export async function countWork(ctx: Ctx): Promise<DeskCounts> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`select desk, count(*)::int as count from (${allCases(ctx)}) work group by desk
      union all select 'checks', count from (${toCheckCount(ctx)}) checks where count > 0`,
    deskCountRow,
  )
  return Object.fromEntries(rows.map(({ desk, count }) => [desk, count]))
}

/** The counts of the navigation rail: all desks for an admin, the animals to check for a vet. One statement. */
export async function countRail(ctx: Ctx): Promise<DeskCounts> {
  if (can(ctx.viewer, 'operate')) return countWork(ctx)
  if (!can(ctx.viewer, 'vet')) return {}
  const checks = await oneRowOf(ctx, toCheckCount(ctx), countRow)
  return { checks: checks.count }
}

const caseShape = z.object({
  desk: deskShape,
  /** Null for the sales of a seller, which are one case. */
  title: z.string().nullable(),
  /** Without the language prefix. */
  path: z.string(),
  /** The seller, buyer or other person; empty when they are erased, null when the title names them. */
  person: z.string().nullable(),
  amount: moneyShape.nullable(),
  sales: z.number().nullable(),
  /** The admin or bearer who works on the case; null when nobody does or the desk does not record it. */
  handler: z.string().nullable(),
  since: momentShape,
})

const workRow = z.object({
  loads: z.array(z.object({ desk: deskShape, count: z.number(), late: z.number(), veryLate: z.number() })),
  /** `waiting`: animals no vet has checked, counted up to COUNT_UP_TO + 1. `held`: animals that vets have taken. */
  vets: z.object({ waiting: z.number(), held: z.number() }),
  oldest: z.array(caseShape),
})

/** Waiting cases of one desk: within its target time, over it (`late`), and over twice the target (`veryLate`). */
export interface DeskWork {
  desk: DeskId
  inTime: number
  late: number
  veryLate: number
  /** At most OLDEST_OF_DESK, the longest waiting first. */
  oldest: z.output<typeof caseShape>[]
}

/** Returns the desks with work, the one furthest over its target time first, and the vets' work. One statement. */
export async function readWork(ctx: Ctx, targets: DeskTargets): Promise<Pick<z.output<typeof workRow>, 'vets'> & { work: DeskWork[] }> {
  requireCan(ctx, 'operate')
  const now = sql`${ctx.now.toISOString()}::timestamptz`
  const hours = sql.join(
    desks.map((desk) => sql`(${desk}, ${targets[desk]}::int)`),
    sql`, `,
  )
  const { loads, oldest, vets } = await oneRowOf(
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
      (select coalesce(json_agg(o), '[]') from (select desk, title, path, person, amount::text as amount, sales, handler, ${epochMs(sql`since`)} as since
        from (select w.*, row_number() over (partition by w.desk order by w.since, w.path) as place from work w) w
        where place <= ${OLDEST_OF_DESK} order by desk, place) o) as oldest,
      json_build_object('waiting', (${toCheckCount(ctx)}), 'held', (${heldCount(ctx)})) as vets`,
    workRow,
  )
  const work = loads.map(({ count, ...load }) => ({
    ...load,
    inTime: count - load.late - load.veryLate,
    oldest: oldest.filter(({ desk }) => desk === load.desk),
  }))
  const dueAt = ({ desk, oldest: [first] }: DeskWork) => first!.since.getTime() + targets[desk] * HOUR
  return { vets, work: work.toSorted((a, b) => dueAt(a) - dueAt(b)) }
}

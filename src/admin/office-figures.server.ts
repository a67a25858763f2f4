import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { DAY, daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { parseRupees, type Money } from '#src/kit/time-money/money.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { DELIVERED, orderStatuses } from '#src/orders/process.server.ts'
import { isOpen } from '#src/orders/order-conditions.ts'
import { phrases, phraseText, type Phrase } from '#src/verification/verification-phrases.ts'

/** This week and the seven weeks before. */
const WEEKS = 8
/** The period over which reasons for failed listings are counted. */
const REASON_DAYS = 30

interface Week {
  /** The week's Monday, an Indian day. */
  monday: string
  sales: Money
  commission: Money
}

export interface Figures {
  stages: { status: number; name: string; count: number }[]
  /** Oldest first; a week without a sale has zeros. */
  weeks: Week[]
  /** The reasons why listings failed, the most frequent first. A null phrase stands for free text by an admin. */
  reasons: { phrase: Phrase | null; count: number }[]
  places: { lat: number; lon: number; count: number; district: string }[]
}

const figuresRow = z.object({
  stages: z.array(z.object({ status: z.number(), count: z.number() })),
  weeks: z.array(z.object({ monday: z.string(), sales: z.string(), commission: z.string() })),
  comments: z.array(z.object({ comment: z.string(), count: z.number() })),
  places: z.array(z.object({ lat: z.number(), lon: z.number(), count: z.number(), district: z.string() })),
})

/** The data of the office's plots. One statement. */
export async function readFigures(ctx: Ctx): Promise<Figures> {
  requireCan(ctx, 'operate')
  const mondays = lastMondays(ctx.now)
  const { stages, weeks, comments, places } = await oneRowOf(
    ctx,
    sql`
    select
      (select coalesce(json_agg(s), '[]') from (select status, count(*)::int as count from orders where ${isOpen} group by status) s) as stages,
      (select coalesce(json_agg(w), '[]') from (
        select date_trunc('week', issued_at at time zone 'Asia/Kolkata')::date::text as monday,
          sum((snapshot->>'total')::numeric)::text as sales, sum((snapshot->>'payable')::numeric)::text as commission
        from invoices where kind = 'commission' and issued_at >= ${`${mondays[0]}T00:00+05:30`}::timestamptz group by 1) w) as weeks,
      (select coalesce(json_agg(r), '[]') from (select comment, count(*)::int as count from verifications
        where not passed and created_at > ${daysBefore(ctx.now, REASON_DAYS).toISOString()}::timestamptz group by comment) r) as comments,
      (select coalesce(json_agg(p), '[]') from (select z.lat, z.lon, min(z.district) as district, sum(l.count)::int as count
        from (select l.pincode, count(*) as count from listings l where ${isLive(ctx.now)} group by l.pincode) l
        join pincodes z on z.pincode = l.pincode::char(6) where z.lat is not null group by z.lat, z.lon) p) as places`,
    figuresRow,
  )
  return {
    stages: orderStatuses
      .filter(({ id }) => id < DELIVERED)
      .map(({ id, [ctx.locale]: name }) => ({ status: id, name, count: stages.find(({ status }) => status === id)?.count ?? 0 })),
    weeks: mondays.map((monday) => {
      const week = weeks.find((each) => each.monday === monday)
      return { monday, sales: moneyOf(week?.sales), commission: moneyOf(week?.commission) }
    }),
    reasons: reasonsIn(comments),
    places,
  }
}

const moneyOf = (text = '0'): Money => parseRupees(text, 15) ?? 0n

/** The Mondays of the last weeks as Indian days, oldest first. */
function lastMondays(now: Date): string[] {
  const today = new Date(`${indianDay(now)}T00:00Z`)
  const sinceMonday = (today.getUTCDay() + 6) % 7
  return Array.from({ length: WEEKS }, (_, n) =>
    new Date(today.getTime() - (sinceMonday + 7 * (WEEKS - 1 - n)) * DAY).toISOString().slice(0, 10),
  )
}

/** Counts ready sentences in the comments, which are in the seller's language. A comment without any of them is free text. */
function reasonsIn(comments: { comment: string; count: number }[]): Figures['reasons'] {
  const counts = new Map<Phrase | null, number>()
  for (const { comment, count } of comments) {
    const found = phrases.filter((phrase) => comment.includes(phraseText(phrase, 'ta')) || comment.includes(phraseText(phrase, 'en')))
    for (const phrase of found.length > 0 ? found : [null]) counts.set(phrase, (counts.get(phrase) ?? 0) + count)
  }
  return [...counts].map(([phrase, count]) => ({ phrase, count })).toSorted((a, b) => b.count - a.count)
}

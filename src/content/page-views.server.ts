import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import type { Db } from '#src/kit/db/db.ts'
import { isDatabaseAway } from '#src/kit/db/database-errors.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'

/** How many days the admin's page shows, including today. */
export const DAYS_SHOWN = 30
const WRITE_EVERY_MS = 60_000

/** User agents of programs that identify themselves; the others are counted. A missing user agent is no browser either. */
const BOTS =
  /(?<!cu)bot(?![a-z])|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|curl|wget|python|java\/|go-http|headless|lighthouse|monitor/i
export const isBot = (userAgent: string) => userAgent === '' || BOTS.test(userAgent)

/** Whether the browser runs on a phone: Chromium says so in a header of its own, others in the user agent. */
export const isPhone = (headers: { hint: string | undefined; userAgent: string }): boolean =>
  headers.hint === undefined ? /\bMobi/.test(headers.userAgent) : headers.hint === '?1'

interface Views {
  count: number
  phones: number
}

/**
 * Counts page views by route pattern, language and phone: no address, no person, no id of an animal (decisions.md §5). Counts in memory, so
 * that cached pages stay fast, and writes to the table once a minute.
 */
export class PageViews {
  #counts = new Map<string, Views>()

  count(route: string, locale: Locale, now: Date, isOnPhone: boolean): void {
    this.#add(JSON.stringify([indianDay(now), route, locale]), { count: 1, phones: isOnPhone ? 1 : 0 })
  }

  #add(key: string, { count, phones }: Views): void {
    const before = this.#counts.get(key) ?? { count: 0, phones: 0 }
    this.#counts.set(key, { count: before.count + count, phones: before.phones + phones })
  }

  /** At most one statement. After a failure the counts stay for the next round. */
  async write(db: Db): Promise<void> {
    if (this.#counts.size === 0) return
    const counts = this.#counts
    this.#counts = new Map()
    // In a fixed order, so that two processes cannot deadlock.
    const rows = [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, views]) => [...(JSON.parse(key) as [string, string, string]), views] as const)
    try {
      await db.execute(sql`
        insert into page_views (day, route, locale, count, phones) values ${sql.join(
          rows.map(([day, route, locale, { count, phones }]) => sql`(${day}::date, ${route}, ${locale}, ${count}::int, ${phones}::int)`),
          sql`, `,
        )}
        on conflict (day, route, locale) do update set count = page_views.count + excluded.count, phones = page_views.phones + excluded.phones`)
    } catch (error) {
      for (const [key, views] of counts) this.#add(key, views)
      throw error
    }
  }
}

/** Writes once a minute, and once more at shutdown. */
export function startPageViews({ views, db, log }: { views: PageViews; db: Db; log: Log }): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const write = () =>
    (running = running.then(() =>
      views.write(db).catch((error: unknown) => {
        // Other code logs that the database is away, and the counts stay.
        if (!isDatabaseAway(error)) log.error({ err: error }, 'page views could not be written')
      }),
    ))
  const timer = setInterval(write, WRITE_EVERY_MS).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await write()
    },
  }
}

interface PageViewReport {
  /** By page, most viewed first. */
  routes: { route: string; ta: number; en: number; phones: number; today: number }[]
  /** Oldest first; days without a view are missing. */
  days: { day: string; count: number }[]
}

const readPageViewsRow = z.object({
  routes: z.array(z.object({ route: z.string(), ta: z.number(), en: z.number(), phones: z.number(), today: z.number() })).nullable(),
  days: z.array(z.object({ day: z.string(), count: z.number() })).nullable(),
})

/** The last thirty days. For admins. */
export async function readPageViews(ctx: Ctx): Promise<PageViewReport> {
  requireCan(ctx, 'operate')
  const today = indianDay(ctx.now)
  const since = indianDay(daysBefore(ctx.now, DAYS_SHOWN - 1))
  const { routes, days } = await oneRowOf(
    ctx,
    sql`
    with seen as (select day, route, locale, count, phones from page_views where day between ${since}::date and ${today}::date)
    select
      (select json_agg(r order by r.ta + r.en desc, r.route) from (select route,
        coalesce(sum(count) filter (where locale = 'ta'), 0)::int as ta, coalesce(sum(count) filter (where locale = 'en'), 0)::int as en,
        sum(phones)::int as phones,
        coalesce(sum(count) filter (where day = ${today}::date), 0)::int as today from seen group by route) r) as routes,
      (select json_agg(d order by d.day) from (select day::text as day, sum(count)::int as count from seen group by day) d) as days`,
    readPageViewsRow,
  )
  return { routes: routes ?? [], days: days ?? [] }
}

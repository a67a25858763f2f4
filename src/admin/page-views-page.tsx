import { DAYS_SHOWN, readPageViews } from '#src/content/page-views.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { daysBefore, formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { readFunnels } from './funnels.server.ts'
import { PageViewsTable } from './page-views-page-view.tsx'
import type { Route } from './+types/page-views-page'

export const loader = pageLoader(async (ctx) => {
  const { routes, days } = await readPageViews(ctx)
  return {
    routes,
    funnels: await readFunnels(ctx),
    days: lastDays(ctx.now, DAYS_SHOWN).map((day) => ({
      day: formatDay(new Date(day), ctx.locale),
      short: String(Number(day.slice(-2))),
      count: days.find((each) => each.day === day)?.count ?? 0,
    })),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

/** The last days, oldest first, including days without a visit. */
const lastDays = (now: Date, count: number): string[] => Array.from({ length: count }, (_, n) => indianDay(daysBefore(now, count - 1 - n)))

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/page-views', title: m.page_views_title(), description: m.page_views_lead() }) : []

export default function PageViewsPage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="page-views" isPersonal part={import.meta.env.SSR && <PageViewsTable {...loaderData} />} />
}

export type PageViewsData = Route.ComponentProps['loaderData']

import { requireCapability } from '#src/accounts/page-guards.server.ts'
import { readPageViews } from '#src/content/page-views.server.ts'
import { plainMeta } from '#src/content/frame/plain-meta.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/ui/server-only.tsx'
import { readFunnels } from './funnels.server.ts'
import { PageViewsTable } from './page-views-page-view.tsx'
import type { Route } from './+types/page-views-page'

/** How often which page was opened. */
export const loader = pageLoader(async (ctx, { url }) => {
  requireCapability(ctx, url, 'operate')
  const { routes, days } = await readPageViews(ctx)
  return {
    routes,
    funnels: await readFunnels(ctx),
    days: days.map(({ day, count }) => ({ day: formatDay(new Date(day), ctx.locale), count })),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/page-views', title: m.page_views_title(), description: m.page_views_lead() }) : []

export default function PageViewsPage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="page-views" isPersonal part={import.meta.env.SSR && <PageViewsTable {...loaderData} />} />
}

export type PageViewsData = Route.ComponentProps['loaderData']

import { pageLoader } from '#src/kit/http/page.server.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { FirstDaysView } from './first-days-view.tsx'
import { readFirstDays } from './read-first-days.server.ts'
import type { Route } from './+types/first-days-page'

/** For the buyer of a delivered animal: care instructions for its first three weeks, to read or print. */
export const loader = pageLoader(async (ctx, { params }) => {
  const id = parseId(params.orderId)
  if (id === null) throw notFound()
  return { locale: ctx.locale, origin: ctx.publicOrigin, ...(await readFirstDays(ctx, id)) }
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: `/orders/${loaderData.id}/first-days`,
        title: `${m.first_days_title()} ${loaderData.orderNo}`,
        description: m.first_days_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function FirstDaysPage({ loaderData }: Route.ComponentProps) {
  return <FirstDaysView page={loaderData} />
}

export type FirstDaysData = Route.ComponentProps['loaderData']

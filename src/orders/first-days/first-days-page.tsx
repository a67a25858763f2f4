import { pageLoader } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
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
    ? plainMeta({
        ...loaderData,
        path: `/orders/${loaderData.id}/first-days`,
        title: `${m.first_days_title()} ${loaderData.orderNo}`,
        description: m.first_days_lead(),
      })
    : []

export default function FirstDaysPage({ loaderData }: Route.ComponentProps) {
  return <FirstDaysView page={loaderData} />
}

export type FirstDaysData = Route.ComponentProps['loaderData']

import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { formHeaders, formLoader, pageAction } from '#src/kit/http/page.server.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { checkSeals, listTrail } from './trail.server.ts'
import { trailFilterIn } from './trail-filter.server.ts'
import { TrailView } from './trail-view.tsx'
import type { Route } from './+types/trail-page'

/** The audit trail with its filters, and a check of its seals. */
export const loader = formLoader(async (ctx, { url }) => {
  const filter = trailFilterIn(url.searchParams)
  const { events, nextBeforeId } = await listTrail(ctx, filter)
  return {
    filter,
    events: events.map(({ at, ...event }) => ({ ...event, at: formatMoment(at, ctx.locale) })),
    nextBeforeId,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction('trail', async (ctx) => checkSeals(ctx))

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/audit', title: m.trail_title(), description: m.trail_lead() }) : []

export default function TrailPage({ loaderData, actionData }: Route.ComponentProps) {
  return <TrailView {...loaderData} check={actionData?.done} refused={actionData?.refused} />
}

export type TrailData = Route.ComponentProps['loaderData']

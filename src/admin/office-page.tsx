import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { readWork } from './desk-work.server.ts'
import { readFigures } from './office-figures.server.ts'
import { mapOf } from './office-map.server.ts'
import { OfficeView } from './office-view.tsx'
import { listTrail } from './trail.server.ts'
import { everything } from './trail-filter.server.ts'
import type { Route } from './+types/office-page'

const LATEST_EVENTS = 8

/** The office's first page: the oldest cases of all desks, the plots of the week, and recent events. */
export const loader = pageLoader(async (ctx) => {
  const { deskTargets } = await readSettings(ctx)
  const { loads, oldest, vets } = await readWork(ctx, deskTargets)
  const { events } = await listTrail(ctx, everything, LATEST_EVENTS)
  const { places, ...figures } = await readFigures(ctx)
  return {
    loads,
    oldest: oldest.map(({ since, ...each }) => ({ ...each, age: ageOf(since, ctx.now, deskTargets[each.desk]) })),
    vets,
    figures,
    map: mapOf(places, ctx.locale),
    events: events.map(({ at, ...event }) => ({ ...event, at: formatMoment(at, ctx.locale) })),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin', title: m.office_title(), description: m.office_lead() }) : []

export default function OfficePage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="office" isPersonal part={import.meta.env.SSR && <OfficeView {...loaderData} />} />
}

export type OfficeData = Route.ComponentProps['loaderData']

import type { Ctx } from '#src/kit/context.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { readWork } from './desk-work.server.ts'
import { readFigures } from './office-figures.server.ts'
import { mapOf } from './office-map.server.ts'
import { listTrail } from './trail.server.ts'
import { everything } from './trail-filter.server.ts'

const LATEST_EVENTS = 8

/** The office's first page: the oldest cases of all desks, the plots of the week, and recent events. */
export async function readOffice(ctx: Ctx) {
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
}

export type OfficeData = Awaited<ReturnType<typeof readOffice>>

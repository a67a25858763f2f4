import type { Ctx } from '#src/kit/context.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { salesText } from '#src/selling/earnings/earnings-view.server.ts'
import { readWork } from './desk-work.server.ts'
import { readFigures } from './office-figures.server.ts'
import { mapOf } from './office-map.server.ts'
import { listTrail } from './trail.server.ts'
import { everything } from './trail-filter.server.ts'

const LATEST_EVENTS = 8

/** The office's first page: the oldest cases of each desk, the plots of the week, and recent events. */
export async function readOffice(ctx: Ctx) {
  const { deskTargets } = await readSettings(ctx)
  const { work, vets } = await readWork(ctx, deskTargets)
  const { events } = await listTrail(ctx, everything, LATEST_EVENTS)
  const { places, ...figures } = await readFigures(ctx)
  return {
    work: work.map(({ oldest, ...load }) => ({
      ...load,
      oldest: oldest.map(({ since, amount, ...each }) => ({
        ...each,
        title: each.title ?? salesText(each.sales!, ctx),
        person: each.person === '' ? m.profile_deleted_user() : each.person,
        amount: amount === null ? null : formatRupees(amount),
        age: ageOf(since, ctx.now, deskTargets[load.desk]),
      })),
    })),
    vets,
    figures,
    map: mapOf(places, ctx.locale),
    events: events.map(({ at, ...event }) => ({ ...event, at: formatMoment(at, ctx.locale) })),
  }
}

export type OfficeData = Awaited<ReturnType<typeof readOffice>>

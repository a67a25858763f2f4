import { z } from 'zod'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { formatDay, indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { listBearers } from '../bearers/bearers.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { makeRunLink, revokeRunLink } from './run-links.server.ts'
import { readRunSheets } from './run-sheet.server.ts'
import { RunSheetView } from './run-sheet-view.tsx'
import type { Route } from './+types/run-sheet-page'

const isDay = (text: string) =>
  /^20\d\d-\d\d-\d\d$/.test(text) && new Date(text).toString() !== 'Invalid Date' && new Date(text).toISOString().startsWith(text)

/** The stops of each bearer on a day, in an efficient sequence, to print or to send to the bearer. */
export const loader = formLoader(async (ctx, { url }) => {
  const asked = url.searchParams.get('day') ?? ''
  const today = indianDay(ctx.now)
  const day = isDay(asked) ? asked : today
  const bearerId = parseId(url.searchParams.get('bearer') ?? '')
  return {
    locale: ctx.locale,
    origin: ctx.publicOrigin,
    day,
    today,
    tomorrow: indianDayIn(ctx.now, 1),
    dayText: formatDay(new Date(day), ctx.locale),
    bearerId,
    bearers: (await listBearers(ctx)).map(({ id, name }) => ({ id, name })),
    sheets: await readRunSheets(ctx, day, bearerId),
  }
})

const choice = z.object({ day: z.string().refine(isDay, 'field_order_day') })

type Done = { kind: 'sent'; bearerId: number; link: string } | { kind: 'revoked'; bearerId: number }

export const action = pageAction('run-sheet', async (ctx, { form }): Promise<Done> => {
  const bearerId = parseId(textOf(form, 'bearer'))
  if (bearerId === null) throw notFound()
  const { day } = parseInput(choice, { day: textOf(form, 'day') })
  const act = textOf(form, 'act')
  if (act === 'send') return { kind: 'sent', bearerId, link: await makeRunLink(ctx, { bearerId, day }) }
  if (act !== 'revoke') throw new Problem('MALFORMED')
  await revokeRunLink(ctx, { bearerId, day })
  return { kind: 'revoked', bearerId }
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/admin/run-sheet',
        title: `${m.run_title()} ${loaderData.dayText}`,
        description: m.run_lead(),
      })
    : []

export default function RunSheetPage({ loaderData, actionData }: Route.ComponentProps) {
  return <RunSheetView page={loaderData} done={actionData?.done} refused={actionData?.refused} />
}

export type RunSheetData = Route.ComponentProps['loaderData']
export type RunSheetDone = Done

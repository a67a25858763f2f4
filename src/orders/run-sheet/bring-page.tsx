import { redirect } from 'react-router'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formLoader, pageAction, asInternalProblem, textOf, secretUrlHeaders } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { handoverLater } from '#src/orders/handover/handover-later.ts'
import { closing } from '#src/orders/steps/handover-schemas.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { BringView } from './bring-view.tsx'
import { closeByLink, findRunLink } from './run-links.server.ts'
import { readOwnRun } from './run-sheet.server.ts'
import type { Route } from './+types/bring-page'

/** The bearer's page of one day, behind a secret link without login. An invalid link shows only that it is invalid. */
export const loader = formLoader(
  async (ctx, { params: { token = '' }, site }) => {
    const link = await findRunLink(ctx, token)
    const shared = { locale: ctx.locale, origin: ctx.publicOrigin, phone: site.contact.phone }
    if (!link) return { ...shared, run: null }
    const run = await readOwnRun(ctx, link.day, link.bearer.id)
    return { ...shared, run: { ...run, name: link.bearer.name, day: formatDay(new Date(link.day), ctx.locale) } }
  },
  ({ run }) => (run ? 200 : 404),
)

export const action = pageAction('bring', async (ctx, { params: { token = '' }, form }): Promise<never> => {
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  const input = parseInput(closing, Object.fromEntries(form))
  await asInternalProblem(ctx, 'a bearer could not close an order', () => closeByLink(ctx, token, id, input))
  throw redirect(localized(`/bring/${token}?done=${id}`, ctx.locale))
})

/** Offline, the handover waits on the phone. The bearer is not logged in: the link in its path lets it pass (decision 0106). */
export const clientAction = (args: Route.ClientActionArgs) =>
  keepWhenOffline(args, (form) => {
    const act = handoverLater(form, String(form.get('id')))
    return act && { ...act, isByLink: true }
  })

export const shouldRevalidate = afterRefusalToo

/** The address is a secret: send no referrer. Only the service worker stores the page, until midnight (decision 0107). */
export const headers = secretUrlHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/bring', title: m.bring_title(), description: m.bring_lead() }) : []

export default function BringPage({ loaderData, actionData }: Route.ComponentProps) {
  return <BringView page={loaderData} refused={actionData?.refused} />
}

export type BringData = Route.ComponentProps['loaderData']

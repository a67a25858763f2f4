import { redirect } from 'react-router'
import { textOf } from '#src/accounts/sign-in/auth-forms.server.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formLoader, pageAction, parseForm, asInternalProblem } from '#src/kit/http/page.server.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { closing } from '../handover-schemas.server.ts'
import { BringView } from './bring-view.tsx'
import { closeByLink, findRunLink } from './run-links.server.ts'
import { readOwnRun } from './run-sheet.server.ts'
import type { Route } from './+types/bring-page'

/** The bearer's own page of one day, behind a link that only they have; no login. Of a dead link it says only that it is dead. */
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
  const said = parseForm(closing, Object.fromEntries(form))
  await asInternalProblem(ctx, 'a bearer could not close an order', async () => closeByLink(ctx, token, id, said).catch(unlessClosed))
  throw redirect(localized(`/bring/${token}?done=${id}`, ctx.locale))
})

/** A form that arrives twice finds the order closed, and the page says so. */
function unlessClosed(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'ORDER_TERMINAL')) throw error
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

/** The address is the key: it goes nowhere, and nothing of the page stays. */
export const headers = () => ({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: '/bring',
        title: m.bring_title(),
        description: m.bring_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function BringPage({ loaderData, actionData }: Route.ComponentProps) {
  return <BringView page={loaderData} refused={actionData?.refused} />
}

export type BringData = Route.ComponentProps['loaderData']

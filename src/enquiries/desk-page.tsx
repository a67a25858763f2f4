import { redirect } from 'react-router'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { afterRefusalToo } from '#src/kit/device/offline-form.ts'
import { asInternalProblem, formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { answersFor } from '#src/ready-answers/queries.server.ts'
import { readPageNumber } from '#src/ui/desk-query.ts'
import { DeskView } from './desk-view.tsx'
import { shownEnquiry } from './enquiry-view.server.ts'
import { judgeByForm } from './judging.server.ts'
import { DESK_PER_PAGE, getEnquiry, listForDesk, readVerdicts, WANTED_STATES, type Enquiry } from './queries.server.ts'
import type { Route } from './+types/desk-page'

/** Pending enquiries with the one to decide beside them, and decided ones. */
export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const state = WANTED_STATES.find((each) => each === query.get('state')) ?? 'pending'
  const page = readPageNumber(query.get('page'))
  const { enquiries, counts } = await listForDesk(ctx, { state, page })
  const { enquiries: target } = (await readSettings(ctx)).deskTargets
  const chosen = parseId(query.get('enquiry') ?? undefined)
  const one = chosen === null ? (state === 'pending' ? enquiries[0] : undefined) : await getEnquiry(ctx, chosen)
  return {
    state,
    page,
    perPage: DESK_PER_PAGE,
    counts,
    rows: enquiries.map((enquiry) => ({ ...shownEnquiry(ctx, enquiry), waits: ageOf(enquiry.createdAt, ctx.now, target) })),
    one: one ? await shownOne(ctx, one, target) : null,
    isChosen: chosen !== null,
    done: (['approved', 'refused'] as const).find((each) => each === query.get('done')) ?? null,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

async function shownOne(ctx: Ctx, enquiry: Enquiry, target: number) {
  await audit(ctx, 'sensitive_read', `enquiry:${enquiry.id}`, { what: 'contact' })
  const { locale, verdicts } = await readVerdicts(ctx, enquiry.id)
  return {
    enquiry: shownEnquiry(ctx, enquiry),
    age: ageOf(enquiry.createdAt, ctx.now, target),
    verdicts: verdicts.map(({ at, ...verdict }) => ({ ...verdict, at: formatMoment(at, ctx.locale) })),
    answers: await answersFor(ctx, 'enquiries', locale),
  }
}

export const action = pageAction('enquiry-desk', async (ctx, { form, url }): Promise<never> => {
  const id = parseId(textOf(form, 'enquiry') || (url.searchParams.get('enquiry') ?? undefined))
  if (id === null) throw notFound()
  const act = textOf(form, 'act')
  if (act !== 'approve' && act !== 'refuse') throw new Problem('MALFORMED')
  const done = await asInternalProblem(ctx, 'an enquiry could not be judged', () => judgeByForm(ctx, id, form, act === 'approve'))
  throw redirect(localized(`/admin/enquiries?done=${done}`, ctx.locale))
})

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/admin/enquiries',
        title: m.desk_enquiries(),
        description: m.enquiry_desk_lead(),
      })
    : []

export default function EnquiryDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  return <DeskView {...loaderData} refused={actionData?.refused} />
}

export type EnquiryDeskData = Route.ComponentProps['loaderData']

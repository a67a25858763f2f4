import { redirect } from 'react-router'
import { z } from 'zod'
import { textOf } from '#src/accounts/sign-in/auth-forms.server.ts'
import { requireCapability } from '#src/accounts/page-guards.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { reportNote } from './reports-schemas.ts'
import { leaveReported, listReported, takeDown, type ReportSubject } from './reports.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { ReportsView } from './reports-page-view.tsx'
import type { Route } from './+types/reports-page'

export const loader = formLoader(async (ctx, { url }) => {
  requireCapability(ctx, url, 'operate')
  const { subjects, waiting } = await listReported(ctx)
  return {
    subjects: subjects.map(({ firstAt, reports, ...subject }) => ({
      ...subject,
      key: subject.listing ? `product-${subject.listing.id}` : `seller-${subject.seller.id}`,
      since: formatDaysAgo(firstAt, ctx.now, ctx.locale),
      reports: reports.map(({ at, ...report }) => ({ ...report, when: formatDaysAgo(at, ctx.now, ctx.locale) })),
    })),
    waiting,
    done: (['left', 'down'] as const).find((each) => each === url.searchParams.get('done')) ?? null,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction('reports', async (ctx, { form }) => {
  const subject = subjectIn(textOf(form, 'subject'))
  const { act } = parseForm(z.object({ act: z.enum(['leave', 'take-down']) }), { act: textOf(form, 'act') })
  const { note } = parseForm(reportNote, { note: textOf(form, 'note') })
  const done = act === 'leave' ? await left(ctx, subject, note) : await down(ctx, subject, note)
  throw redirect(localized(`/admin/reports?done=${done}`, ctx.locale))
})

async function left(ctx: Ctx, subject: ReportSubject, note: string): Promise<'left'> {
  await leaveReported(ctx, subject, note)
  return 'left'
}

async function down(ctx: Ctx, subject: ReportSubject, reason: string): Promise<'down'> {
  if (!('listingId' in subject)) throw notFound()
  await takeDown(ctx, subject.listingId, reason)
  return 'down'
}

function subjectIn(text: string): ReportSubject {
  const [, kind, number] = /^(product|seller)-(\d+)$/.exec(text) ?? []
  const id = parseId(number)
  if (id === null) throw notFound()
  return kind === 'product' ? { listingId: id } : { sellerId: id }
}

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: '/admin/reports',
        title: m.reports_title(),
        description: m.reports_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function ReportsPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ReportsView {...loaderData} refused={actionData?.refused} />
}

export type ReportsData = Route.ComponentProps['loaderData']

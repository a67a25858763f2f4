import { redirect } from 'react-router'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { parseId } from '#src/kit/ids.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { ReportForm } from './report-form.tsx'
import { reasonTexts } from './report-reasons.ts'
import { reportInput, type ReportReason } from './reports-schemas.ts'
import { getReportSubject, report, type ReportSubject } from './reports.server.ts'
import type { Route } from './+types/report-form-page'

export const loader = formLoader(async (ctx, { params, url }) => {
  const { subject, path } = subjectIn(params)
  const { name } = await getReportSubject(ctx, subject)
  return { name, path, isSeller: 'sellerId' in subject, isSent: url.searchParams.has('done') }
})

export const action = pageAction('report', async (ctx, { params, form }): Promise<never> => {
  const { subject, path } = subjectIn(params)
  const input = parseInput(reportInput, { reason: textOf(form, 'reason'), comment: textOf(form, 'comment') })
  await report(ctx, subject, input)
  throw redirect(localized(`/report${path}?done=1`, ctx.locale))
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

/** `/report/product/7` or `/report/seller/7`; the subject's page has the same path without the first segment. */
function subjectIn({ kind, id }: { kind?: string; id?: string }): { subject: ReportSubject; path: string } {
  const number = parseId(id)
  const name = kind?.toLowerCase()
  if (number === null || (name !== 'product' && name !== 'seller')) throw notFound()
  return { subject: name === 'product' ? { listingId: number } : { sellerId: number }, path: `/${name}/${number}` }
}

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  path: `/report${page.path}`,
  title: m.report_title(),
  description: m.report_lead(),
}))

/** Reasons about one animal, which do not apply to a seller. */
const ofListingsOnly: string[] = ['sold', 'photos'] satisfies ReportReason[]

export default function ReportFormPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const reasons = Object.entries(reasonTexts).filter(([reason]) => !page.isSeller || !ofListingsOnly.includes(reason))
  return (
    <ReportForm
      title={m.report_title()}
      lead={m.report_lead()}
      back={{ path: page.path, label: m.review_back() }}
      subject={<p className="font-semibold">{page.name}</p>}
      reasons={reasons}
      path={`/report${page.path}`}
      isSent={page.isSent}
      refused={actionData?.refused}
    />
  )
}

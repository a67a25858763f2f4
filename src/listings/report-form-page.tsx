import { FormFailure } from '#src/accounts/form-failure.tsx'
import { takeLimit, textOf } from '#src/accounts/identity-door.server.ts'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { redirect } from 'react-router'
import { localized } from '#src/kit/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm } from '#src/kit/page.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { describedBy, FieldError } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { reasonTexts } from './report-reasons.ts'
import { reportInput, type ReportReason } from './reports-schemas.ts'
import { getReportSubject, report, type ReportSubject } from './reports.server.ts'
import { parseId } from './schemas.ts'
import type { Route } from './+types/report-form-page'

export const loader = formLoader(async (ctx, { params, url }) => {
  requireViewer(ctx, url)
  const { subject, path } = subjectIn(params)
  const { name } = await getReportSubject(ctx, subject)
  return { name, path, isSeller: 'sellerId' in subject, isSent: url.searchParams.has('done'), locale: ctx.locale, origin: ctx.publicOrigin }
})

export const action = pageAction(async (ctx, { params, form, site, visitor }) => {
  if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
  const { subject, path } = subjectIn(params)
  const input = parseForm(reportInput, { reason: textOf(form, 'reason'), comment: textOf(form, 'comment') })
  for (const limit of ['writeMinute', 'reportDay'] as const) await takeLimit(ctx, site, visitor, limit)
  await report(ctx, subject, input)
  throw redirect(localized(`/report${path}?done=1`, ctx.locale))
})

/** `/report/product/7` or `/report/seller/7`; what it is about stands at the same path without the first part. */
function subjectIn({ kind, id }: { kind?: string; id?: string }): { subject: ReportSubject; path: string } {
  const number = parseId(id)
  const name = kind?.toLowerCase()
  if (number === null || (name !== 'product' && name !== 'seller')) throw notFound()
  return { subject: name === 'product' ? { listingId: number } : { sellerId: number }, path: `/${name}/${number}` }
}

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: `/report${loaderData.path}`,
        title: m.report_title(),
        description: m.report_lead(),
        keywords: m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

/** Of a seller as such one says nothing about one animal. */
const ofListingsOnly: ReportReason[] = ['sold', 'photos']

export default function ReportFormPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const refused = actionData?.refused
  const { errors = {}, typed = {} } = refused ?? {}
  const reasons = (Object.keys(reasonTexts) as ReportReason[]).filter((reason) => !page.isSeller || !ofListingsOnly.includes(reason))
  const back = (
    <a href={to(page.path)} className="link inline-flex min-h-11 items-center font-semibold">
      {m.review_back()}
    </a>
  )
  if (page.isSent && !refused) {
    return (
      <div className="mx-auto max-w-xl space-y-4 py-2">
        <h1 className="text-2xl">{m.report_title()}</h1>
        <p role="status" className="rounded-control bg-leaf-soft p-4 text-lg font-semibold">
          {m.report_sent()}
        </p>
        {back}
      </div>
    )
  }
  return (
    <div className="mx-auto max-w-xl space-y-4 py-2">
      {back}
      <h1 className="text-2xl">{m.report_title()}</h1>
      <p className="font-semibold">{page.name}</p>
      <p className="text-stone">{m.report_lead()}</p>
      {refused && <FormFailure detail={refused.detail} retryAfterSeconds={refused.retryAfterSeconds} />}
      <form method="post" action={to(`/report${page.path}`)} className="panel space-y-4 p-4">
        <input type="hidden" name="csrf" value={page.csrf} />
        <fieldset
          aria-describedby={describedBy('report-reason', false, errors.reason)}
          aria-invalid={errors.reason !== undefined || undefined}
        >
          <legend className="sr-only">{m.report_title()}</legend>
          <div className="space-y-2">
            {reasons.map((reason) => (
              <label
                key={reason}
                className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-line px-3 py-2 has-[:checked]:border-leaf has-[:checked]:bg-leaf-soft"
              >
                <input
                  type="radio"
                  name="reason"
                  value={reason}
                  defaultChecked={typed.reason === reason}
                  className="size-5 shrink-0 accent-leaf"
                />
                {reasonTexts[reason]()}
              </label>
            ))}
          </div>
          <FieldError id="report-reason" error={errors.reason} />
        </fieldset>
        <div>
          <label htmlFor="report-comment" className="label">
            {m.report_comment()}
          </label>
          <textarea
            id="report-comment"
            name="comment"
            rows={4}
            maxLength={1000}
            defaultValue={typed.comment ?? ''}
            aria-invalid={errors.comment !== undefined || undefined}
            aria-describedby={describedBy('report-comment', false, errors.comment)}
            className="field aria-invalid:border-2 aria-invalid:border-brick"
          />
          <FieldError id="report-comment" error={errors.comment} />
        </div>
        <button type="submit" className="button-primary w-full">
          {m.report_send()}
        </button>
      </form>
    </div>
  )
}

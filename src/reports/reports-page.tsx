import { redirect } from 'react-router'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { formatDaysAgo, formatMoment } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { answersFor } from '#src/ready-answers/queries.server.ts'
import { readPageNumber } from '#src/ui/desk-query.ts'
import { getSellerLocale } from '#src/verification/to-verify.server.ts'
import { failComment } from '#src/verification/verification-phrases.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { reportNote } from './reports-schemas.ts'
import {
  CLOSED_PER_PAGE,
  findReported,
  leaveReported,
  listClosedReports,
  listReported,
  SUBJECTS_PER_PAGE,
  takeDown,
  undoTakeDown,
  type ReportedSubject,
  type ReportSubject,
} from './reports.server.ts'
import { ReportsView } from './reports-page-view.tsx'
import type { Route } from './+types/reports-page'

export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const isHistory = query.get('state') === 'closed'
  const page = readPageNumber(query.get('page'))
  const { subjects, waiting } = await listReported(ctx, isHistory ? 1 : page)
  const { closed, total } = await listClosedReports(ctx, isHistory ? page : 1)
  const target = (await readSettings(ctx)).deskTargets.reports
  const chosen = query.get('subject')
  const found = chosen === null ? null : await findReported(ctx, subjectIn(chosen))
  const one = found ?? subjects[0]
  return {
    isHistory,
    page,
    perPage: isHistory ? CLOSED_PER_PAGE : SUBJECTS_PER_PAGE,
    total,
    closed: isHistory ? closed.map(({ at, ...row }) => ({ ...row, at: formatMoment(at, ctx.locale) })) : [],
    subjects: (isHistory ? [] : subjects).map((subject) => shownRow(ctx, subject, target)),
    one: one && !isHistory ? await shownCase(ctx, one, target) : null,
    isChosen: found !== null,
    isGone: chosen !== null && found === null,
    waiting,
    done: (['left', 'down', 'undone'] as const).find((each) => each === query.get('done')) ?? null,
    of: query.get('of') ?? '',
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

/** A listing or seller as a row of the table. */
const shownRow = (ctx: Ctx, { listing, seller, firstAt, people, reports }: ReportedSubject, target: number) => ({
  listing: listing && { id: listing.id, code: listing.code, name: listing.name, state: listing.state },
  seller,
  people,
  key: listing ? `product-${listing.id}` : `seller-${seller.id}`,
  age: ageOf(firstAt, ctx.now, target),
  reasons: [...new Set(reports.map(({ reason }) => reason))],
})

const shownCase = async (ctx: Ctx, subject: ReportedSubject, target: number) => ({
  ...shownRow(ctx, subject, target),
  animal: subject.listing && {
    photos: subject.listing.photos,
    facts: [formatRupees(subject.listing.price), placeName(subject.listing.district, ctx.locale)].filter(Boolean).join(' · '),
  },
  since: formatDaysAgo(subject.firstAt, ctx.now, ctx.locale),
  seen: subject.seen,
  leaveAnswers: await answersFor(ctx, 'reports', ctx.locale),
  reports: subject.reports.map(({ at, ...report }) => ({ ...report, when: formatDaysAgo(at, ctx.now, ctx.locale) })),
})

export const action = pageAction('reports', async (ctx, { form }) => {
  const subject = subjectIn(textOf(form, 'subject'))
  const { act } = parseInput(z.object({ act: z.enum(['leave', 'take-down', 'undo']) }), { act: textOf(form, 'act') })
  throw redirect(localized(`/admin/reports?${await acts[act](ctx, subject, form)}`, ctx.locale))
})

/** The forms of the page by name. Each returns the query of the page that follows. */
const acts = {
  leave: async (ctx: Ctx, subject: ReportSubject, form: FormData) => {
    await leaveReported(ctx, subject, decisionIn(form, textOf(form, 'note')))
    return 'done=left'
  },
  'take-down': async (ctx: Ctx, subject: ReportSubject, form: FormData) => {
    const id = listingIn(subject)
    // The seller reads the reason in their language.
    const locale = await getSellerLocale(ctx, id)
    await takeDown(ctx, id, decisionIn(form, failComment(textOf(form, 'reason'), textOf(form, 'note'), locale)))
    return `done=down&of=product-${id}`
  },
  undo: async (ctx: Ctx, subject: ReportSubject) => {
    await undoTakeDown(ctx, listingIn(subject))
    return 'done=undone'
  },
}

const decisionIn = (form: FormData, note: string) =>
  Object.assign(parseInput(reportNote, { note }), { seen: textOf(form, 'seen') || undefined })

function listingIn(subject: ReportSubject): number {
  if ('listingId' in subject) return subject.listingId
  throw notFound()
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
    ? plainMeta({
        ...loaderData,
        path: '/admin/reports',
        title: m.reports_title(),
        description: m.reports_lead(),
      })
    : []

export default function ReportsPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ReportsView {...loaderData} refused={actionData?.refused} />
}

export type ReportsData = Route.ComponentProps['loaderData']

import type { Ctx } from '#src/kit/context.ts'
import { formatDaysAgo, formatMoment } from '#src/kit/time-money/dates.ts'
import type { PageArgs } from '#src/kit/http/page.server.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { answersFor } from '#src/ready-answers/queries.server.ts'
import { readPageNumber } from '#src/ui/desk-query.ts'
import { parseId } from '#src/kit/ids.ts'
import {
  CLOSED_PER_PAGE,
  findReported,
  listClosedReports,
  listReported,
  SUBJECTS_PER_PAGE,
  type ReportedSubject,
  type ReportSubject,
} from './reports.server.ts'

export async function readReports(ctx: Ctx, { url }: PageArgs) {
  const query = url.searchParams
  const isHistory = query.get('state') === 'closed'
  const page = readPageNumber(query.get('page'))
  const text = searchText(query.get('q') ?? '', 80)
  const { subjects, waiting } = await listReported(ctx, isHistory ? 1 : page, text)
  const { closed, total } = await listClosedReports(ctx, isHistory ? page : 1, text)
  const target = (await readSettings(ctx)).deskTargets.reports
  const chosen = query.get('subject')
  const found = chosen === null ? null : await findReported(ctx, subjectIn(chosen))
  const one = found ?? subjects[0]
  return {
    text,
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
  }
}

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

export function subjectIn(text: string): ReportSubject {
  const [, kind, number] = /^(product|seller)-(\d+)$/.exec(text) ?? []
  const id = parseId(number)
  if (id === null) throw notFound()
  return kind === 'product' ? { listingId: id } : { sellerId: id }
}

import { redirect } from 'react-router'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { idIn } from '#src/kit/ids.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { readPageNumber } from '#src/ui/desk-query.ts'
import { CLUSTERS_PER_PAGE, HIDDEN_PER_PAGE, listClusters, listHiddenReviews, type DeskReview } from './clusters.server.ts'
import { decideReview } from './hide-review.server.ts'
import { ReviewsDesk } from './reviews-desk.tsx'
import { hideInput } from './reviews-schemas.ts'
import { isSeenReview } from './seen-review.ts'
import type { Route } from './+types/reviews-desk-page'

export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const isHidden = query.get('state') === 'hidden'
  const page = readPageNumber(query.get('page'))
  const { clusters, total } = await listClusters(ctx, isHidden ? 1 : page)
  const hidden = await listHiddenReviews(ctx, isHidden ? page : 1)
  return {
    isHidden,
    page,
    perPage: isHidden ? HIDDEN_PER_PAGE : CLUSTERS_PER_PAGE,
    clustersInAll: total,
    hiddenInAll: hidden.total,
    clusters: isHidden ? [] : clusters.map(({ seller, reviews }) => ({ seller, reviews: reviews.map(shown(ctx)) })),
    hidden: isHidden ? hidden.reviews.map(shown(ctx)) : [],
    done: (['hide', 'show'] as const).find((each) => each === query.get('done')) ?? null,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

const shown =
  ({ locale }: Ctx) =>
  <R extends DeskReview>({ writtenAt, hidden, ...review }: R) => ({
    ...review,
    written: formatMoment(writtenAt, locale),
    hidden: hidden && { reason: hidden.reason, adminName: hidden.adminName, at: formatMoment(hidden.at, locale) },
  })

export const action = pageAction('reviews-desk', async (ctx, { form }) => {
  const { act } = parseInput(z.object({ act: z.enum(['hide', 'show']) }), { act: textOf(form, 'act') })
  const id = idIn(textOf(form, 'review'))
  const seen = textOf(form, 'seen')
  if (!isSeenReview(seen)) throw new Problem('VERSION')
  const reason = act === 'hide' ? parseInput(hideInput, { reason: textOf(form, 'reason') }).reason : null
  await decideReview(ctx, id, { seen, reason })
  throw redirect(localized(`/admin/reviews?${act === 'show' ? 'state=hidden&' : ''}done=${act}`, ctx.locale))
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/admin/reviews',
        title: m.review_desk_title(),
        description: m.review_desk_lead(),
      })
    : []

export default function ReviewsDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ReviewsDesk {...loaderData} refused={actionData?.refused} />
}

export type ReviewsDeskData = Route.ComponentProps['loaderData']

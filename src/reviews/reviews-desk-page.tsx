import { redirect } from 'react-router'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { idIn } from '#src/kit/ids.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { LostDecision } from '#src/ui/desk-beside.tsx'
import { fieldsOf } from '#src/ui/field.tsx'
import { readPageNumber, tableAddress } from '#src/ui/desk-query.ts'
import { TablePages, TableViews } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { CsrfField, HiddenFields } from '#src/ui/post-form.tsx'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { CLUSTERS_PER_PAGE, HIDDEN_PER_PAGE, listClusters, listHiddenReviews, type DeskReview } from './clusters.server.ts'
import { decideReview, undoHideReview } from './hide-review.server.ts'
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
    done: (['hide', 'show', 'undo'] as const).find((each) => each === query.get('done')) ?? null,
    of: query.get('of') ?? '',
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
  const { act } = parseInput(z.object({ act: z.enum(['hide', 'show', 'undo']) }), { act: textOf(form, 'act') })
  const id = idIn(textOf(form, 'review'))
  const seen = textOf(form, 'seen')
  if (act !== 'undo' && !isSeenReview(seen)) throw new Problem('VERSION')
  const reason = act === 'hide' ? parseInput(hideInput, { reason: textOf(form, 'reason') }).reason : null
  await (act === 'undo' ? undoHideReview(ctx, id) : decideReview(ctx, id, { seen, reason }))
  const query = { hide: `done=hide&of=${id}`, show: 'state=hidden&done=show', undo: 'done=undo' }[act]
  throw redirect(localized(`/admin/reviews?${query}`, ctx.locale))
})

const doneTexts = { hide: m.review_desk_done_hidden, show: m.review_desk_done_shown, undo: m.desk_undone }

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.review_desk_title(), description: m.review_desk_lead() }))

type ReviewsDeskData = Route.ComponentProps['loaderData']
type Page = ReviewsDeskData & { refused: FormRefusal | undefined }
type Clustered = ReviewsDeskData['clusters'][number]['reviews'][number]
type Hidden = ReviewsDeskData['hidden'][number]
type Form = Pick<Page, 'refused'> & { action: string }

/** Reviews that came together, by seller, and beside them the hidden ones, which can be shown again. */
export default function ReviewsDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const { isHidden, clusters, hidden, done, of, clustersInAll, hiddenInAll, page, perPage } = loaderData
  const refused = actionData?.refused
  const address = (page: number) => to(tableAddress('/admin/reviews', { state: isHidden ? 'hidden' : null, page: page > 1 ? page : null }))
  const form = { refused, action: address(page) }
  const hasForm = clusters.some(({ reviews }) => reviews.some(({ id, hidden }) => String(id) === refused?.typed.review && !hidden))
  return (
    <div className="max-w-3xl space-y-4 py-2">
      <DeskTitle>{m.review_desk_title()}</DeskTitle>
      <p className="text-stone">{m.review_desk_lead()}</p>
      {done && !refused && <UndoableDone text={doneTexts[done]()} isUndoable={done === 'hide'} fields={{ act: 'undo', review: of }} />}
      {refused && !refused.errors.reason && (
        <>
          <LostDecision refused={{ ...refused, typed: hasForm ? {} : refused.typed }} gone={refused.detail} />
          <a href={form.action} className="tap-link font-semibold">
            {m.review_desk_now()}
          </a>
        </>
      )}
      <TableViews
        views={[
          { name: m.review_desk_clusters(), address: to('/admin/reviews'), isHere: !isHidden, count: clustersInAll },
          { name: m.review_desk_hidden(), address: to('/admin/reviews?state=hidden'), isHere: isHidden, count: hiddenInAll },
        ]}
      />
      {clusters.length + hidden.length === 0 && <p className="panel p-4">{m.review_desk_none()}</p>}
      {clusters.map(({ seller, reviews }) => (
        <section key={seller.id} aria-labelledby={`seller-${seller.id}`} className="panel overflow-hidden">
          <header className="row panel-title gap-2">
            <h2 id={`seller-${seller.id}`} className="text-lg">
              <SellerLink seller={seller} />
            </h2>
            <span className="chip bg-paper">{m.review_desk_count({ count: reviews.length })}</span>
          </header>
          <ul className="divide-y divide-line">
            {reviews.map((review) => (
              <li key={review.id} className="space-y-3 p-4">
                <Review review={review} signs={signsOf(review)} />
                <Decision review={review} form={form} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {hidden.map((review) => (
        <article key={review.id} className="panel space-y-3 p-4">
          <h2 className="text-lg">
            <SellerLink seller={review.seller} />
          </h2>
          <Review review={review} signs={[]} />
          <Decision review={review} form={form} />
        </article>
      ))}
      <TablePages page={page} perPage={perPage} count={isHidden ? hiddenInAll : clustersInAll} pageAddress={address} />
    </div>
  )
}

function SellerLink({ seller }: Pick<Hidden, 'seller'>) {
  const to = useLocalPath()
  return (
    <a href={to(`/seller/${seller.id}#reviews`)} className="link inline-block py-1 break-words">
      {m.review_desk_of({ name: seller.name || m.profile_deleted_user() })}
    </a>
  )
}

const signsOf = ({ isSameHour, isYoung, isSameNetwork }: Clustered): string[] => [
  ...(isSameHour ? [m.review_desk_same_hour()] : []),
  ...(isSameNetwork ? [m.review_desk_same_network()] : []),
  ...(isYoung ? [m.review_desk_young()] : []),
]

function Review({ review, signs }: { review: Clustered | Hidden; signs: string[] }) {
  const to = useLocalPath()
  const { author, stars, comment, written, hidden } = review
  return (
    <div className="space-y-2">
      <p className="row gap-x-3 gap-y-1">
        <a href={to(`/admin/users/${author.id}`)} data-row-link className="link inline-block py-1 font-semibold break-words">
          {author.name || m.profile_deleted_user()}
        </a>
        {stars !== null && (
          <span role="img" aria-label={m.product_stars({ stars })} className="text-leaf">
            {'★'.repeat(stars)}
            <span className="text-stone/60">{'☆'.repeat(5 - stars)}</span>
          </span>
        )}
        <span className="text-sm text-stone">{written}</span>
        {signs.map((sign) => (
          <span key={sign} className="chip-heed">
            {sign}
          </span>
        ))}
      </p>
      {comment && <p className="break-words whitespace-pre-line">{comment}</p>}
      {hidden && (
        <div className="remark">
          <p className="text-sm font-semibold text-stone">
            {m.review_desk_hidden()} · {hidden.adminName || m.profile_deleted_user()} · {hidden.at}
          </p>
          <p className="break-words whitespace-pre-line">{hidden.reason}</p>
        </div>
      )}
    </div>
  )
}

function Decision({ review, form: { refused, action } }: { review: Clustered | Hidden; form: Form }) {
  if (review.isOwn) return <p className="text-stone">{m.review_desk_own()}</p>
  const hide = m.review_desk_hide({ name: review.author.name || m.profile_deleted_user() })
  const its = refused?.typed.review === String(review.id) ? refused : undefined
  const fields = (
    <>
      <CsrfField />
      <HiddenFields review={review.id} seen={review.seen} />
    </>
  )
  if (review.hidden)
    return (
      <form method="post" action={action}>
        {fields}
        <button type="submit" name="act" value="show" className="button-plain">
          {m.review_desk_show()}
        </button>
      </form>
    )
  return (
    <details open={its !== undefined || undefined}>
      <summary className="tap-link cursor-pointer font-semibold">{hide}</summary>
      <form method="post" action={action} className="mt-2 space-y-2">
        {fields}
        <TextAreaField {...fieldsOf(`review-${review.id}`, its)('reason')} rows={2} maxLength={1000} label={m.review_desk_reason()} />
        <button type="submit" name="act" value="hide" className="button-danger">
          {hide}
        </button>
      </form>
    </details>
  )
}

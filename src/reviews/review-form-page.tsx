import { redirectDocument } from 'react-router'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { requireSeller } from '#src/accounts/people/sellers.server.ts'
import { isDatabaseAway } from '#src/kit/db/database-errors.server.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { parseId, idIn } from '#src/kit/ids.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { ReviewForm } from './review-form.tsx'
import { reviewInput } from './reviews-schemas.ts'
import { findOwnReview, reviewSeller } from './reviews.server.ts'
import type { Route } from './+types/review-form-page'

export const loader = formLoader(async (ctx, { params, url }) => {
  const viewer = requireViewer(ctx, url)
  const seller = await requireSeller(ctx, idIn(params.sellerId))
  if (viewer.id === seller.id) throw new Problem('OWN_SELLER')
  return {
    seller,
    review: await findOwnReview(ctx, seller.id),
    from: parseId(url.searchParams.get('from') ?? undefined) ?? undefined,
  }
})

export const action = pageAction('review', async (ctx, { params, form, visitor }) => {
  const sellerId = idIn(params.sellerId)
  const stars = textOf(form, 'stars')
  const input = parseInput(reviewInput, { stars: /^[0-5]$/.test(stars) ? Number(stars) : stars || null, comment: textOf(form, 'comment') })
  try {
    await reviewSeller(ctx, sellerId, input, visitor.address)
  } catch (error) {
    // An internal error must not lose the typed text.
    if (error instanceof Problem || isDatabaseAway(error)) throw error
    ctx.log.error({ err: error }, 'a review could not be saved')
    throw new Problem('INTERNAL')
  }
  const from = parseId(textOf(form, 'from'))
  throw redirectDocument(localized(`${from === null ? `/seller/${sellerId}` : `/product/${from}`}?done=review#reviews`, ctx.locale))
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title: m.review_title({ name: page.seller.name }),
  description: m.review_comment_hint(),
}))

export default function ReviewFormPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const { seller, review } = loaderData
  const refused = actionData?.refused
  const from = refused?.typed.from === undefined ? loaderData.from : Number(refused.typed.from)
  return (
    <div className="page-column max-w-xl">
      <a href={to(from === undefined ? `/seller/${seller.id}` : `/product/${from}`)} className="tap-link font-semibold">
        {m.review_back()}
      </a>
      <h1 className="text-2xl">{m.review_title({ name: seller.name })}</h1>
      <div className="panel p-4">
        <ReviewForm sellerId={seller.id} own={review} from={from} refused={refused} />
      </div>
    </div>
  )
}

import { useEffect } from 'react'
import { redirect } from 'react-router'
import { startHearts } from '#src/alerts/hearts-script.ts'
import { SaveHeart } from '#src/alerts/save-heart.tsx'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { userTitles, userTypes } from '#src/accounts/reference-data.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { pageAction, type FormRefusal, textOf } from '#src/kit/http/page.server.ts'
import { personalLoader } from '#src/kit/http/personal-page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { FormDone } from '#src/ui/form-failure.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { Stars } from '#src/ui/stars.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { gridClass, ListingCardLink } from '#src/listings/browse/listing-card.tsx'
import { ReviewList, type ShownReview } from '#src/reviews/reviews.tsx'
import { answerInput } from '#src/reviews/reviews-schemas.ts'
import { answerReview, findOwnReview } from '#src/reviews/reviews.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { getSeller } from '#src/reviews/seller.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { initialOf } from '#src/kit/text/text.ts'
import type { Route } from './+types/seller-page'

export const loader = personalLoader(async (ctx, { params, url }) => {
  const id = parseId(params.sellerId)
  if (id === null) throw notFound()
  const { reviews, since, titleId, typeId, ...seller } = await getSeller(ctx, id)
  return {
    ...seller,
    title: userTitles.find((title) => title.id === titleId)?.[ctx.locale] ?? '',
    initial: initialOf(seller.name),
    type: userTypes.find((type) => type.id === typeId)?.[ctx.locale] ?? '',
    since: formatDay(since, ctx.locale).replace(/^\d+-/, '').replace('-', ' '),
    reviews: reviews.map(({ at, ...review }) => ({ ...review, day: formatDay(at, ctx.locale) })),
    isOwn: ctx.viewer?.id === id,
    ownReview: await findOwnReview(ctx, id),
    done: ctx.viewer === null ? null : ((['review', 'answer'] as const).find((each) => each === url.searchParams.get('done')) ?? null),
    isLoggedIn: ctx.viewer !== null,
  }
})

export const action = pageAction('seller', async (ctx, { params, form }) => {
  const viewer = requireLoggedIn(ctx)
  const id = parseId(textOf(form, 'review'))
  if (id === null || parseId(params.sellerId) !== viewer.id) throw notFound()
  const { answer } = parseInput(answerInput, { answer: textOf(form, 'answer') })
  await answerReview(ctx, id, answer)
  throw redirect(localized(`/seller/${viewer.id}?done=answer#review-${id}`, ctx.locale))
})

export const meta = publicMeta<Route.MetaArgs>(({ id, name, town, cards }) => ({
  title: m.seller_title({ name }),
  description: town ? m.seller_meta_town({ name, town, count: cards.length }) : m.seller_meta({ name, count: cards.length }),
  keywords: import.meta.env.SSR && [town, m.home_keywords()].filter(Boolean).join(', '),
  path: `/seller/${id}`,
}))

/** The same for every anonymous visitor: then it reads no cookies. */
export default function SellerPage({ loaderData: seller, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  useEffect(() => startHearts(), [])
  return (
    <article className="space-y-8">
      <SellerHeader seller={seller} />
      <section aria-labelledby="seller-listings">
        <h2 id="seller-listings" className="mb-3 text-xl">
          {seller.cards.length === 1 ? m.seller_listings_one() : m.seller_listings({ count: seller.cards.length })}
        </h2>
        {seller.cards.length === 0 ? (
          <p className="panel p-4">
            {m.seller_no_listings()}{' '}
            <a href={to('/buy/0')} className="link font-semibold">
              {m.seller_others()}
            </a>
          </p>
        ) : (
          <ul className={gridClass}>
            {seller.cards.map((card, index) => (
              <li key={card.id} className="relative">
                <ListingCardLink card={card} isFirst={index === 0} />
                {!seller.isOwn && <SaveHeart id={card.id} name={card.name} />}
              </li>
            ))}
          </ul>
        )}
      </section>
      <Reviews seller={seller} refused={actionData?.refused} />
    </article>
  )
}

type Seller = Route.ComponentProps['loaderData']

function SellerHeader({ seller }: { seller: Seller }) {
  return (
    <header className="panel flex flex-col items-center gap-4 p-5 text-center sm:flex-row sm:items-start sm:gap-6 sm:text-left">
      <Face initial={seller.initial} pictureKey={seller.pictureKey} />
      <div className="space-y-1.5">
        <h1 className="text-2xl md:text-3xl">{[seller.title, seller.name].filter(Boolean).join(' ')}</h1>
        <p className="text-stone">{[seller.type, m.seller_since({ when: seller.since })].join(' · ')}</p>
        {seller.town && (
          <p className="flex items-center justify-center gap-1 sm:justify-start">
            <Icon name="pin" size={18} />
            {seller.town}
          </p>
        )}
        <p className="row justify-center gap-x-3 gap-y-1 sm:justify-start">
          {seller.isVerified && (
            <span className="chip-good">
              <Icon name="badge" size={16} />
              {m.card_verified_seller()}
            </span>
          )}
          <Stars average={seller.stars} count={seller.ratings} />
          {seller.isSample && <span className="chip bg-husk-dark text-stone">{m.card_sample()}</span>}
        </p>
        {seller.isVerified && <p className="text-sm text-stone">{m.seller_verified_text()}</p>}
      </div>
    </header>
  )
}

function Reviews({ seller, refused }: { seller: Seller; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  return (
    <section id="reviews" aria-labelledby="seller-reviews" className="space-y-3">
      <h2 id="seller-reviews" className="text-xl">
        {m.seller_reviews()}
      </h2>
      {seller.done && !refused && <FormDone>{seller.done === 'review' ? m.review_saved() : m.review_answered()}</FormDone>}
      {seller.reviews.length === 0 ? (
        <p className="text-stone">{m.seller_no_reviews()}</p>
      ) : (
        <ReviewList
          reviews={seller.reviews}
          {...(seller.isOwn && { answering: (review: ShownReview) => <AnswerForm review={review} refused={refused} /> })}
        />
      )}
      {!seller.isOwn && (
        <p className="flex flex-wrap gap-x-5">
          <a href={to(reviewPath(seller, to))} className="tap-link font-semibold">
            {seller.isLoggedIn ? (seller.ownReview ? m.review_change() : m.review_write()) : m.review_login()}
          </a>
          <a href={to(`/report/seller/${seller.id}`)} className="tap-link">
            {m.report_link_seller()}
          </a>
        </p>
      )}
    </section>
  )
}

const reviewPath = ({ id, isLoggedIn }: { id: number; isLoggedIn: boolean }, to: (path: string) => string) =>
  isLoggedIn ? `/review/${id}` : `/login?next=${encodeURIComponent(to(`/review/${id}`))}`

/** Opens without a script. After a refusal it stays open with the typed text. */
function AnswerForm({ review, refused }: { review: ShownReview; refused: FormRefusal | undefined }) {
  const ownRefusal = refused?.typed.review === String(review.id) ? refused : undefined
  return (
    <details className="mt-2" open={ownRefusal !== undefined || undefined}>
      <summary className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2">
        {m.review_answer()}
      </summary>
      <PostForm reloadDocument className="space-y-2">
        <input type="hidden" name="review" value={review.id} />
        <TextAreaField
          id={`answer-${review.id}`}
          name="answer"
          rows={3}
          maxLength={1000}
          label={m.review_answer_field()}
          hint={m.review_answer_hint()}
          defaultValue={ownRefusal?.typed.answer}
          error={ownRefusal && (ownRefusal.errors.answer ?? ownRefusal.detail)}
        />
        <button type="submit" className="button-primary">
          {m.review_save()}
        </button>
      </PostForm>
    </details>
  )
}

/** The seller's picture, or the first letter of their name. */
function Face({ initial, pictureKey }: { initial: string; pictureKey: string | null }) {
  return (
    <div className="size-28 shrink-0 overflow-hidden rounded-full bg-leaf-soft">
      {pictureKey ? (
        <Thumbnail mediaKey={pictureKey} width={112} height={112} isFirst className="size-28 object-cover" />
      ) : (
        <span aria-hidden="true" className="flex size-28 items-center justify-center text-5xl font-bold text-leaf">
          {initial}
        </span>
      )}
    </div>
  )
}

/** Includes the vowel sign: மு, not ம. */

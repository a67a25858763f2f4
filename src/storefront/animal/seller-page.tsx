import { redirect } from 'react-router'
import { SaveHeart, SaveWords } from '#src/alerts/save-heart.tsx'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { userTitles, userTypes } from '#src/accounts/reference-data.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { pageAction, type FormRefusal, textOf } from '#src/kit/http/page.server.ts'
import { personalLoader } from '#src/kit/http/personal-page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { loadDocument } from '#src/router-seams/load-document.ts'
import { onServer, readOnServer } from '#src/router-seams/on-server.ts'
import { appOnDemand } from '#src/router-seams/start-app.ts'
import { FormDone } from '#src/ui/form-failure.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { HiddenFields } from '#src/ui/post-form.tsx'
import { Sheet } from '#src/ui/sheet.tsx'
import { Price } from '#src/ui/price.tsx'
import { Stars, VerifiedSeller } from '#src/ui/stars.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { ListingRow, nameIdOf } from '#src/listings/browse/listing-row.tsx'
import { ReviewList } from '#src/reviews/reviews.tsx'
import { answerInput } from '#src/reviews/reviews-schemas.ts'
import { answerReview, findOwnReview } from '#src/reviews/reviews.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { getSeller } from '#src/reviews/seller.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { initialOf } from '#src/kit/text/text.ts'
import { loginPath } from './contact-links.ts'
import type { Route } from './+types/seller-page'

export const handle = appOnDemand
export { loadDocument as clientLoader }

export const loader = personalLoader(async (ctx, { params, url }) => {
  const id = parseId(params.sellerId)
  if (id === null) throw notFound()
  const seller = await readSeller(ctx, id, url.searchParams.get('done'))
  const { name, town, cards } = seller
  return { shown: onServer(seller), head: { id, name, town, count: cards.length } }
})

async function readSeller(ctx: Ctx, id: number, done: string | null) {
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
    done: ctx.viewer === null ? null : ((['review', 'answer'] as const).find((each) => each === done) ?? null),
    isLoggedIn: ctx.viewer !== null,
  }
}

export const action = pageAction('seller', async (ctx, { params, form }) => {
  const viewer = requireLoggedIn(ctx)
  const id = parseId(textOf(form, 'review'))
  if (id === null || parseId(params.sellerId) !== viewer.id) throw notFound()
  const { answer } = parseInput(answerInput, { answer: textOf(form, 'answer') })
  await answerReview(ctx, id, answer)
  throw redirect(localized(`/seller/${viewer.id}?done=answer#review-${id}`, ctx.locale))
})

export const meta = publicMeta<Route.MetaArgs>(({ head: { id, name, town, count } }) => ({
  title: m.seller_title({ name }),
  description: town ? m.seller_meta_town({ name, town, count }) : m.seller_meta({ name, count }),
  keywords: import.meta.env.SSR && [town, m.home_keywords()].filter(Boolean).join(', '),
  path: `/seller/${id}`,
}))

/** The same for every anonymous visitor: then it reads no cookies. Server only: browsers send the form, and page-script.ts handles the hearts. */
export default function SellerPage({ loaderData: { shown, csrf }, actionData }: Route.ComponentProps) {
  const seller = import.meta.env.SSR && { ...readOnServer(shown), csrf, refused: actionData?.refused }
  return <ServerOnly id="seller-page" isPersonal part={seller && <SellerView seller={seller} />} />
}

type Seller = Awaited<ReturnType<typeof readSeller>> & { csrf: string | undefined; refused: FormRefusal | undefined }
type Props = { seller: Seller }

function SellerView({ seller }: Props) {
  const to = useLocalPath()
  return (
    <article className="space-y-4 md:space-y-8">
      <SellerHeader seller={seller} />
      <CallBar seller={seller} />
      <section aria-labelledby="seller-listings">
        <SaveWords />
        <h2 id="seller-listings" className="mb-2 text-lg md:text-xl">
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
          <ul className="listing-rows">
            {seller.cards.map((card, index) => (
              <ListingRow
                key={card.id}
                card={card}
                isFirst={index === 0}
                toggles={!seller.isOwn && <SaveHeart id={card.id} nameId={nameIdOf(card.id)} />}
              />
            ))}
          </ul>
        )}
      </section>
      <Reviews seller={seller} />
    </article>
  )
}

function SellerHeader({ seller }: Props) {
  return (
    <header className="flex items-start gap-3 md:gap-5">
      <Face initial={seller.initial} pictureKey={seller.pictureKey} />
      <div className="min-w-0 space-y-0.5">
        <h1 className="text-xl leading-snug md:text-3xl">{[seller.title, seller.name].filter(Boolean).join(' ')}</h1>
        <p className="text-sm text-stone md:text-base">
          {[seller.town, seller.type, m.seller_since({ when: seller.since })].filter(Boolean).join(' · ')}
        </p>
        <p className="row gap-x-3 gap-y-1">
          <VerifiedSeller isVerified={seller.isVerified} />
          <Stars average={seller.stars} count={seller.ratings} />
          {seller.isSample && <span className="chip bg-husk-dark text-stone">{m.card_sample()}</span>}
        </p>
        {seller.isVerified && <p className="text-sm text-stone">{m.seller_verified_text()}</p>}
      </div>
    </header>
  )
}

/** A call is about one animal, whose page has the number: with several the reader chooses first. */
function CallBar({ seller: { cards, isOwn, isLoggedIn } }: Props) {
  const to = useLocalPath()
  const [only] = cards
  if (isOwn || !only) return null
  const pathOf = (id: number) => (isLoggedIn ? to(`/product/${id}?wanted=call`) : loginPath(to, id, 'call'))
  const words = (
    <>
      <Icon name="phone" size={20} className="shrink-0" />
      {m.seller_contact()}
    </>
  )
  return (
    <>
      <div data-buy-bar className="action-bar">
        {cards.length === 1 ? (
          <a href={pathOf(only.id)} className={callLook}>
            {words}
          </a>
        ) : (
          <button type="button" popoverTarget="seller-call" className={callLook}>
            {words}
          </button>
        )}
      </div>
      {/* Outside the bar, which stays on the screen: a browser without popovers shows it in the page. */}
      {cards.length > 1 && (
        <Sheet id="seller-call" title={m.seller_contact_which()}>
          <ul>
            {cards.map(({ id, name, originalPrice, offerPrice }) => (
              <li key={id}>
                <a href={pathOf(id)} className="fold-row justify-between">
                  {name} <Price original={originalPrice} offer={offerPrice} />
                </a>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </>
  )
}

const callLook = 'button-primary min-h-12 w-full md:w-auto'

function Reviews({ seller }: Props) {
  const to = useLocalPath()
  return (
    <section id="reviews" aria-labelledby="seller-reviews" className="space-y-3">
      <h2 id="seller-reviews" className="text-xl">
        {m.seller_reviews()}
      </h2>
      {seller.done && !seller.refused && <FormDone>{seller.done === 'review' ? m.review_saved() : m.review_answered()}</FormDone>}
      {seller.reviews.length === 0 ? (
        <p className="text-stone">{m.seller_no_reviews()}</p>
      ) : (
        <ReviewList reviews={seller.reviews} answering={seller.isOwn ? ({ id }) => <AnswerForm review={id} {...seller} /> : undefined} />
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
function AnswerForm({ review, refused, csrf }: Pick<Seller, 'refused' | 'csrf'> & { review: number }) {
  const ownRefusal = refused?.typed.review === String(review) ? refused : undefined
  return (
    <details className="mt-2" open={ownRefusal !== undefined || undefined}>
      <summary className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2">
        {m.review_answer()}
      </summary>
      <form method="post" className="space-y-2">
        <HiddenFields csrf={refused?.csrf ?? csrf} review={review} />
        <TextAreaField
          id={`answer-${review}`}
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
      </form>
    </details>
  )
}

/** The seller's picture, or the first letter of their name. */
const Face = ({ initial, pictureKey }: { initial: string; pictureKey: string | null }) => (
  <div className="size-16 shrink-0 overflow-hidden rounded-full bg-leaf-soft md:size-28">
    {pictureKey ? (
      <Thumbnail mediaKey={pictureKey} width={112} height={112} isFirst className="size-full object-cover" />
    ) : (
      <span aria-hidden="true" className="flex size-full items-center justify-center text-3xl font-bold text-leaf md:text-5xl">
        {initial}
      </span>
    )}
  </div>
)

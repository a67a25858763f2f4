import { userTitles, userTypes } from '#src/accounts/reference-data.ts'
import { formatDay } from '#src/kit/dates.ts'
import { pageLoader } from '#src/kit/page.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture } from '#src/ui/picture.tsx'
import { Stars } from '#src/ui/stars.tsx'
import { gridClass, ListingCardLink } from './listing-card.tsx'
import { parseId } from './schemas.ts'
import { getSeller } from './seller.server.ts'
import type { Route } from './+types/seller-page'

export const loader = pageLoader(async (ctx, { params }) => {
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
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const meta = ({ loaderData: seller }: Route.MetaArgs) => {
  if (!seller) return []
  return pageMeta({
    title: m.seller_title({ name: seller.name }),
    description: seller.town
      ? m.seller_meta_town({ name: seller.name, town: seller.town, count: seller.cards.length })
      : m.seller_meta({ name: seller.name, count: seller.cards.length }),
    keywords: [seller.town, m.home_keywords()].filter(Boolean).join(', '),
    path: `/seller/${seller.id}`,
    locale: seller.locale,
    origin: seller.origin,
    siteName: m.site_name(),
  })
}

/** The same for everybody: it knows nobody's cookies. */
export default function SellerPage({ loaderData: seller }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <article className="space-y-8">
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
          <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 sm:justify-start">
            {seller.isVerified && (
              <span className="chip bg-leaf-soft text-leaf">
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
              <li key={card.id}>
                <ListingCardLink card={card} isFirst={index === 0} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="seller-reviews">
        <h2 id="seller-reviews" className="mb-3 text-xl">
          {m.seller_reviews()}
        </h2>
        {seller.reviews.length === 0 ? (
          <p className="text-stone">{m.seller_no_reviews()}</p>
        ) : (
          <ul className="grid gap-3 md:grid-cols-2">
            {seller.reviews.map((review, index) => (
              <li key={index} className="panel p-4">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <b>{review.author ?? m.profile_deleted_user()}</b>
                  {review.stars !== null && (
                    <span role="img" aria-label={m.product_stars({ stars: review.stars })} className="text-leaf">
                      {'★'.repeat(review.stars)}
                      <span className="text-stone/60">{'☆'.repeat(5 - review.stars)}</span>
                    </span>
                  )}
                  <span className="text-sm text-stone">{review.day}</span>
                </p>
                {review.comment && <p className="mt-1 whitespace-pre-line">{review.comment}</p>}
              </li>
            ))}
          </ul>
        )}
      </section>
    </article>
  )
}

/** His picture, or the first letter of his name. */
function Face({ initial, pictureKey }: { initial: string; pictureKey: string | null }) {
  return (
    <div className="size-28 shrink-0 overflow-hidden rounded-full bg-leaf-soft">
      {pictureKey ? (
        <Picture mediaKey={pictureKey} alt="" sizes="112px" width={112} height={112} isFirst isSmall className="size-28 object-cover" />
      ) : (
        <span aria-hidden="true" className="flex size-28 items-center justify-center text-5xl font-bold text-leaf">
          {initial}
        </span>
      )}
    </div>
  )
}

/** With its vowel sign: மு, not ம. */
const initialOf = (name: string) => [...new Intl.Segmenter('ta', { granularity: 'grapheme' }).segment(name)][0]?.segment ?? ''

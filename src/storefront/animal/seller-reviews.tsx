import { m } from '#src/paraglide/messages.js'
import { FormDone } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Stars } from '#src/ui/stars.tsx'
import type { ProductPageData } from './product-view.server.ts'
import { ReviewList } from '#src/reviews/reviews.tsx'

interface SellerReviewsProps {
  product: ProductPageData
  isSaved: boolean
}

/** On a product page: the seller's newest reviews, and for visitors the way to the login; the form stands below (own-review.tsx). */
export function SellerReviews({ product, isSaved }: SellerReviewsProps) {
  const to = useLocalPath()
  const { seller, reviews } = product
  return (
    <section id="reviews" aria-labelledby="reviews-title" className="space-y-3">
      <h2 id="reviews-title" className="flex flex-wrap items-baseline gap-x-3 text-xl">
        {m.seller_reviews()}
        <Stars average={seller.stars} count={seller.ratings} />
      </h2>
      {isSaved && <FormDone>{m.review_saved()}</FormDone>}
      {reviews.length === 0 ? <p className="text-stone">{m.seller_no_reviews()}</p> : <ReviewList reviews={reviews} />}
      {seller.reviews > reviews.length && (
        <a href={to(`/seller/${seller.id}#reviews`)} className="tap-link mr-4 font-semibold">
          {m.review_all({ count: seller.reviews })}
        </a>
      )}
      {!product.isLoggedIn && (
        <a href={to(`/login?next=${encodeURIComponent(to(`/review/${seller.id}?from=${product.id}`))}`)} className="tap-link">
          {m.review_login()}
        </a>
      )}
    </section>
  )
}

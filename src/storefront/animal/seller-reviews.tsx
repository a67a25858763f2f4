import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Stars } from '#src/ui/stars.tsx'
import type { ProductPageData } from './product-view.server.ts'
import { ReviewForm } from '#src/reviews/review-form.tsx'
import type { OwnReview } from '#src/reviews/reviews.server.ts'
import { ReviewList } from '#src/reviews/reviews.tsx'

interface SellerReviewsProps {
  product: ProductPageData
  csrf: string | undefined
  own: OwnReview
  isSaved: boolean
}

/** On an animal's page: the latest reviews of its seller, and the viewer's own. */
export function SellerReviews({ product, csrf, own, isSaved }: SellerReviewsProps) {
  const to = useLocalPath()
  const { seller, reviews } = product
  return (
    <section id="reviews" aria-labelledby="reviews-title" className="space-y-3">
      <h2 id="reviews-title" className="flex flex-wrap items-baseline gap-x-3 text-xl">
        {m.seller_reviews()}
        <Stars average={seller.stars} count={seller.ratings} />
      </h2>
      {isSaved && (
        <p role="status" className="done">
          {m.review_saved()}
        </p>
      )}
      {reviews.length === 0 ? <p className="text-stone">{m.seller_no_reviews()}</p> : <ReviewList reviews={reviews} />}
      {seller.reviews > reviews.length && (
        <a href={to(`/seller/${seller.id}#reviews`)} className="tap-link mr-4 font-semibold">
          {m.review_all({ count: seller.reviews })}
        </a>
      )}
      {csrf !== undefined && !product.isOwn && own.whyNot !== null && <p className="text-stone">{own.whyNot}</p>}
      {csrf !== undefined && own.whyNot === null && (
        <details className="panel">
          <summary className="flex min-h-12 items-center px-4 py-2 font-semibold text-leaf">
            {own.review ? m.review_change() : m.review_write()}
          </summary>
          <div className="border-t border-line p-4">
            <ReviewForm sellerId={seller.id} csrf={csrf} own={own.review} from={product.id} />
          </div>
        </details>
      )}
      {!product.isLoggedIn && (
        <a href={to(`/login?next=${encodeURIComponent(to(`/review/${seller.id}?from=${product.id}`))}`)} className="tap-link">
          {m.review_login()}
        </a>
      )}
    </section>
  )
}

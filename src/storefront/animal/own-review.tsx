import { m } from '#src/paraglide/messages.js'
import { ReviewForm } from '#src/reviews/review-form.tsx'
import type { OwnReview } from '#src/reviews/reviews.server.ts'
import type { ProductPageData } from './product-view.server.ts'

/** The review form, for every logged-in person but the seller. */
export function OwnReviewForm({ product, own }: { product: ProductPageData; own: OwnReview | null }) {
  return (
    <section aria-labelledby="write-review" className="panel p-4 print:hidden">
      <h3 id="write-review" className="mb-2 text-leaf">
        {own ? m.review_change() : m.review_write()}
      </h3>
      <ReviewForm sellerId={product.seller.id} own={own} from={product.id} />
    </section>
  )
}

import { m } from '#src/paraglide/messages.js'
import { ReviewForm } from '#src/reviews/review-form.tsx'
import type { OwnReview } from '#src/reviews/reviews.server.ts'
import type { ProductPageData } from './product-view.server.ts'

/** The folded review form, for every logged-in person but the seller. */
export function OwnReviewForm({ product, own }: { product: ProductPageData; own: OwnReview | null }) {
  return (
    <details className="panel">
      <summary className="flex min-h-12 items-center px-4 py-2 font-semibold text-leaf">
        {own ? m.review_change() : m.review_write()}
      </summary>
      <div className="border-t border-line p-4">
        <ReviewForm sellerId={product.seller.id} own={own} from={product.id} />
      </div>
    </details>
  )
}

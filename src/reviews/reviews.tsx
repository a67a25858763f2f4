import type { ReactNode } from 'react'
import type { SellerReview } from '#src/listings/browse/reviews-rows.server.ts'
import { m } from '#src/paraglide/messages.js'

type ShownReview = Omit<SellerReview, 'authorId' | 'at'> & { day: string }

interface ReviewListProps {
  reviews: ShownReview[]
  /** Renders below a review whose current text has no answer yet. */
  answering?: ((review: ShownReview) => ReactNode) | undefined
}

export function ReviewList({ reviews, answering }: ReviewListProps) {
  return (
    <ul className="grid gap-3 md:grid-cols-2">
      {reviews.map((review) => (
        <li key={review.id} id={`review-${review.id}`} className="panel p-4">
          <p className="row gap-x-3 gap-y-1">
            <b>{review.author ?? m.profile_deleted_user()}</b>
            {review.stars !== null && (
              <span role="img" aria-label={m.product_stars({ stars: review.stars })} className="text-leaf">
                {'★'.repeat(review.stars)}
                <span className="text-stone/60">{'☆'.repeat(5 - review.stars)}</span>
              </span>
            )}
            {review.isBoughtHere ? (
              <span className="chip-good">{m.review_bought()}</span>
            ) : (
              review.hasSpoken && <span className="chip-good">{m.review_spoke()}</span>
            )}
            <span className="text-sm text-stone">{review.day}</span>
          </p>
          {review.listed && <p className="text-sm break-words text-stone">{m.product_listed_for(review.listed)}</p>}
          {review.comment && <p className="mt-1 whitespace-pre-line">{review.comment}</p>}
          {review.answer && (
            <div className="remark mt-3">
              <p className="text-sm font-semibold text-stone">{m.review_answer_label()}</p>
              <p className="whitespace-pre-line">{review.answer}</p>
              {review.isChangedSince && <p className="mt-1 text-sm text-stone">{m.review_changed_since()}</p>}
            </div>
          )}
          {(review.answer === null || review.isChangedSince) && answering?.(review)}
        </li>
      ))}
    </ul>
  )
}

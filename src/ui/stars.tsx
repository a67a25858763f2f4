import { m } from '#src/paraglide/messages.js'
import { Icon } from './icon.tsx'

/** The average of 1 to 5 stars, always with the number of ratings. */
export function Stars({ average, count }: { average: number | null; count: number }) {
  if (average === null || count === 0) return <span className="text-sm text-stone">{m.product_no_ratings()}</span>
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 text-sm">
      <span role="img" aria-label={m.product_stars({ stars: average })} className="inline-flex">
        {[1, 2, 3, 4, 5].map((n) => (
          <Icon
            key={n}
            name="star"
            size={16}
            className={n <= Math.round(average) ? 'fill-turmeric text-turmeric' : 'fill-none text-stone/50'}
          />
        ))}
      </span>
      <span className="font-semibold">{average}</span>
      <span className="text-stone">({count === 1 ? m.product_ratings_one() : m.product_ratings({ count })})</span>
    </span>
  )
}

/** The badge of a verified seller; nothing for others. */
export const VerifiedSeller = ({ isVerified }: { isVerified: boolean }) =>
  isVerified && (
    <span className="chip-good">
      <Icon name="badge" size={16} />
      {m.card_verified_seller()}
    </span>
  )

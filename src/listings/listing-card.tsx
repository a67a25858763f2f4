import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import { Price } from '#src/ui/price.tsx'
import type { ListingCard } from './browse.server.ts'

export const gridClass = 'grid grid-cols-1 gap-4 xs:grid-cols-2 md:grid-cols-3 lg:grid-cols-4'
const gridSizes = '(min-width:1280px)300px,(min-width:768px)33vw,(min-width:420px)50vw,100vw'

interface CardPhotoProps {
  photo: Pick<NonNullable<ListingCard['photo']>, 'key' | 'color' | 'hash'> | null
  /** The width at which it is rendered. */
  sizes: string
  isFirst?: boolean
  isLarge?: boolean
}

/** The first photo of an animal, over the whole of its box; a drawing where there is none. The name beside it says what it shows. */
export function CardPhoto({ photo, sizes, isFirst = false, isLarge = false }: CardPhotoProps) {
  if (!photo) return <img src="/species/none.webp" alt={m.card_no_photo()} width={160} height={160} className="no-photo" />
  return (
    <>
      <PictureGround color={photo.color} hash={photo.hash} />
      <Picture mediaKey={photo.key} alt="" sizes={sizes} isFirst={isFirst} isSmall={!isLarge} />
    </>
  )
}

/** Photo, price, the facts a buyer scans, place, trust. The whole card is one link. */
// oxlint-disable-next-line max-lines-per-function -- each part of its own costs every first visit bytes, of which the budget has none left
export function ListingCardLink({
  card,
  isFirst = false,
  path = `/product/${card.id}`,
  sizes = gridSizes,
  isLarge = false,
}: {
  card: ListingCard
  isFirst?: boolean
  path?: string
  /** The width at which the photo is rendered, outside the usual grid. */
  sizes?: string
  isLarge?: boolean
}) {
  const to = useLocalPath()
  const facts = [card.age, card.gender, card.weightKg > 0 ? m.card_weight({ kg: card.weightKg }) : null].filter((fact) => fact !== null)
  return (
    <article className="listing-card">
      <div>
        <CardPhoto photo={card.photo} sizes={sizes} isFirst={isFirst} isLarge={isLarge} />
        {card.photo && card.photo.count > 1 && (
          <span className="count sign-camera">
            {card.photo.count}
            <span className="sr-only">{m.card_photos({ count: card.photo.count }).slice(String(card.photo.count).length)}</span>
          </span>
        )}
        {card.isSample && <span className="label-on-card">{m.card_sample()}</span>}
      </div>
      <div>
        <Price original={card.originalPrice} offer={card.offerPrice} isLarge={isLarge} />
        <h3>
          <Link to={to(path)} prefetch="none">
            {card.name}
          </Link>
        </h3>
        <p className="kind">{[card.breed, card.category].filter(Boolean).join(' · ')}</p>
        {facts.length > 0 && <p>{facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ')}</p>}
        {card.stock > 1 && <p className="font-semibold">{m.card_stock({ count: card.stock })}</p>}
        <p className="kind sign-pin">
          <span>
            {card.city}, {card.state}
            {card.kilometres !== null && <b>· {m.card_km({ km: card.kilometres })}</b>}
          </span>
        </p>
        {(card.sellerVerified || card.vetPassed || card.vaccinated) && (
          <ul>
            {card.sellerVerified && <li className="sign-badge">{m.card_verified_seller()}</li>}
            {card.vetPassed && <li className="sign-stethoscope">{m.card_vet()}</li>}
            {card.vaccinated && <li className="sign-syringe">{m.card_vaccinated()}</li>}
          </ul>
        )}
      </div>
    </article>
  )
}

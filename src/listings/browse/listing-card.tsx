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
  /** The rendered width, for the `sizes` attribute. */
  sizes: string
  isFirst?: boolean
  isLarge?: boolean
}

/** The first photo of an animal fills the box; a drawing where there is none. The name beside it describes the picture. */
export function CardPhoto({ photo, sizes, isFirst = false, isLarge = false }: CardPhotoProps) {
  if (!photo) return <img src="/species/none.webp" alt={m.card_no_photo()} width={160} height={160} className="no-photo" />
  return (
    <>
      <PictureGround color={photo.color} hash={photo.hash} />
      <Picture mediaKey={photo.key} alt="" sizes={sizes} isFirst={isFirst} isSmall={!isLarge} />
    </>
  )
}

/** Photo, price, all facts that A §2.5 names, place, trust. The whole card is one link. */
// oxlint-disable-next-line max-lines-per-function -- splitting it would add bytes to every first visit, whose budget is full
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
  /** The `sizes` of the photo outside the usual grid. */
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
        {card.milk && (
          <p>
            {card.milk.litres} · {card.milk.proof}
          </p>
        )}
        <p className="font-semibold">{m.card_stock({ count: card.stock })}</p>
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

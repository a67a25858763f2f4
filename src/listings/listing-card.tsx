import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Icon, type IconName } from '#src/ui/icon.tsx'
import { Link } from '#src/ui/link.tsx'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import { Price } from '#src/ui/price.tsx'
import type { ListingCard } from './browse.server.ts'

export const gridClass = 'grid grid-cols-1 gap-4 xs:grid-cols-2 md:grid-cols-3 lg:grid-cols-4'
const gridSizes = '(min-width: 1280px) 300px, (min-width: 768px) 33vw, (min-width: 420px) 50vw, 100vw'

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
      <Picture
        mediaKey={photo.key}
        alt=""
        sizes={sizes}
        width={640}
        height={480}
        isFirst={isFirst}
        isSmall={!isLarge}
        className="fill-picture"
      />
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
    <article className="relative flex h-full flex-col overflow-hidden rounded-card border border-line bg-paper shadow-card focus-within:ring-3 focus-within:ring-turmeric hover:border-leaf">
      <div className="relative aspect-4/3 overflow-hidden bg-husk-dark">
        <CardPhoto photo={card.photo} sizes={sizes} isFirst={isFirst} isLarge={isLarge} />
        {card.photo && card.photo.count > 1 && (
          <span className="absolute right-2 bottom-2 inline-flex items-center gap-1 rounded-full bg-ink/75 px-2 text-sm font-semibold text-white">
            <Icon name="camera" size={14} />
            <span className="sr-only">{m.card_photos({ count: card.photo.count })}</span>
            <span aria-hidden="true">{card.photo.count}</span>
          </span>
        )}
        {card.isSample && <span className="label-on-card">{m.card_sample()}</span>}
      </div>
      <div className="flex flex-1 flex-col gap-1 p-3">
        <Price original={card.originalPrice} offer={card.offerPrice} isLarge={isLarge} />
        <h3 className="text-base leading-snug font-semibold wrap-anywhere">
          <Link to={to(path)} className="outline-none after:absolute after:inset-0" prefetch="none">
            {card.name}
          </Link>
        </h3>
        <p className="text-sm text-stone">{[card.breed, card.category].filter(Boolean).join(' · ')}</p>
        {facts.length > 0 && <p className="text-sm">{facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ')}</p>}
        {card.stock > 1 && <p className="text-sm font-semibold">{m.card_stock({ count: card.stock })}</p>}
        <p className="flex items-start gap-1 text-sm text-stone">
          <Icon name="pin" size={16} className="mt-0.5 shrink-0" />
          <span>
            {card.city}, {card.state}
            {card.kilometres !== null && <b className="ml-1 whitespace-nowrap text-ink">· {m.card_km({ km: card.kilometres })}</b>}
          </span>
        </p>
        {(card.sellerVerified || card.vetPassed || card.vaccinated) && (
          <ul className="mt-auto flex flex-wrap gap-1 pt-1">
            {card.sellerVerified && <Trust icon="badge" text={m.card_verified_seller()} />}
            {card.vetPassed && <Trust icon="stethoscope" text={m.card_vet()} />}
            {card.vaccinated && <Trust icon="syringe" text={m.card_vaccinated()} />}
          </ul>
        )}
      </div>
    </article>
  )
}

function Trust({ icon, text }: { icon: IconName; text: string }) {
  return (
    <li className="chip bg-leaf-soft text-leaf">
      <Icon name={icon} size={15} />
      {text}
    </li>
  )
}

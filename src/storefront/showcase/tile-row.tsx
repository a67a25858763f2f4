import { SaveHeart } from '#src/alerts/save-heart.tsx'
import type { ListingCard } from '#src/listings/browse/browse.server.ts'
import { CardPhoto } from '#src/listings/browse/listing-row.tsx'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Price } from '#src/ui/price.tsx'

const sizes = '(min-width:1280px)235px,(min-width:768px)33vw,104px'

interface TileRowProps {
  label: string
  cards: ListingCard[]
  /** The number of columns on a desktop, as a class. */
  columns: string
  /** The address of an animal without its id. */
  path?: string
}

/** A grid on a desktop. On a phone a row that scrolls sideways, with one animal and the edge of the next visible. */
export function TileRow({ label, cards, columns, path = '/product/' }: TileRowProps) {
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      className="-mx-4 snap-x scroll-px-4 overflow-x-auto px-4 pb-2 md:mx-0 md:overflow-visible md:p-0"
    >
      <ul className={`flex gap-3 md:grid md:grid-cols-3 md:gap-4 ${columns}`}>
        {cards.map((card) => (
          <li key={card.id} className="w-[90%] shrink-0 snap-start xs:w-80 md:w-auto">
            <Tile card={card} path={path} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** All that A §2.5 names of a card, price and the strongest trust sign. The whole tile is one link. */
function Tile({ card, path }: { card: ListingCard; path: string }) {
  const to = useLocalPath()
  const trust = card.vetPassed
    ? { sign: 'sign-stethoscope', text: m.card_vet() }
    : card.sellerVerified
      ? { sign: 'sign-badge', text: m.card_verified_seller() }
      : null
  const weight = card.weightKg > 0 && m.card_weight({ kg: card.weightKg })
  const facts = [card.breed ?? card.category, card.gender, weight, m.card_stock({ count: card.stock })]
  return (
    <article className="listing-tile">
      <div>
        <CardPhoto photo={card.photo} sizes={sizes} />
        {card.isSample && <span className="label-on-card top-auto bottom-1 left-1">{m.card_sample()}</span>}
      </div>
      <div>
        <Price original={card.originalPrice} offer={card.offerPrice} />
        <h3>
          <a href={to(`${path}${card.id}`)}>{card.name}</a>
        </h3>
        <p>{[...facts.flatMap((fact) => (fact ? fact.replaceAll(' ', '\u00a0') : [])), `${card.city}, ${card.state}`].join(' · ')}</p>
        {trust && (
          <p className={trust.sign}>
            <span>{trust.text}</span>
          </p>
        )}
      </div>
      <SaveHeart id={card.id} name={card.name} />
    </article>
  )
}

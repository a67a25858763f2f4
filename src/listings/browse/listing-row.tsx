import type { ReactNode } from 'react'
import { formatRupees, percentOff } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { ListingCard } from './browse.server.ts'
import { Picture, PictureGround } from '#src/ui/picture.tsx'

interface CardPhotoProps {
  photo: Pick<NonNullable<ListingCard['photo']>, 'key' | 'color' | 'hash'> | null
  /** The rendered width, for the `sizes` attribute. */
  sizes: string
  isFirst?: boolean
}

/** The first photo of an animal fills the box; a drawing where there is none. The name beside it describes the picture. */
export function CardPhoto({ photo, sizes, isFirst = false }: CardPhotoProps) {
  if (!photo) return <img src="/species/none.webp" alt={m.card_no_photo()} width={160} height={160} className="no-photo" />
  return (
    <>
      <PictureGround color={photo.color} hash={photo.hash} />
      <Picture mediaKey={photo.key} alt="" sizes={sizes} isFirst={isFirst} isSmall />
    </>
  )
}

/** A phone's row has a photo of 120 px; a big card fills its grid column. */
const ROW_SIZES = '(min-width:768px)300px,120px'

/**
 * A listing in a list, with all that A §2.5 names at every width (decisions §8.8). On a phone it is a row (listing-row.css); on wider screens, or
 * with big pictures chosen, a card. Plain HTML: list-script.ts appends rows of the next page.
 */
export function ListingRow({ card, isFirst = false, toggles }: { card: ListingCard; isFirst?: boolean; toggles?: ReactNode }) {
  const to = useLocalPath()
  return (
    <li>
      <article>
        <Photo card={card} isFirst={isFirst} />
        <div>
          <Price card={card} />
          {card.reason && <p className="text-sm font-semibold text-leaf">{card.reason}</p>}
          <h3>
            <a id={nameIdOf(card.id)} href={to(`/product/${card.id}`)}>
              {card.name}
            </a>
          </h3>
          <p className="facts">
            <span className="kind">
              {card.breed ?? card.category}
              {card.breed && <span>&nbsp;· {card.category}</span>}{' '}
            </span>
            {factsOf(card).map((fact) => (
              <span key={fact}>{fact} </span>
            ))}
            <span className="stock">{m.card_stock({ count: card.stock })} </span>
          </p>
          <div className="end">
            <Place card={card} />
            <Trust card={card} />
          </div>
        </div>
      </article>
      {toggles}
    </li>
  )
}

/** The id of the row's name, which labels the other controls of the row. */
export const nameIdOf = (id: number) => `n${id}`

const factsOf = ({ age, gender, weightKg, milk }: ListingCard) =>
  [age, gender, weightKg > 0 ? m.card_weight({ kg: weightKg }) : null, milk?.litres, milk?.proof].filter((fact) => fact != null)

function Photo({ card, isFirst }: { card: ListingCard; isFirst: boolean }) {
  return (
    <div className="photo">
      <CardPhoto photo={card.photo} sizes={ROW_SIZES} isFirst={isFirst} />
      {card.photo && card.photo.count > 1 && (
        <span className="count sign-camera">
          {card.photo.count}
          <span className="sr-only">{m.card_photos({ count: card.photo.count }).slice(String(card.photo.count).length)}</span>
        </span>
      )}
      {card.isSample && <span className="sample">{m.card_sample()}</span>}
    </div>
  )
}

function Price({ card }: { card: ListingCard }) {
  const percent = percentOff(card.originalPrice, card.offerPrice)
  return (
    <p className="price">
      <b>{formatRupees(percent === null ? card.originalPrice : card.offerPrice!)}</b>
      {percent !== null && (
        <>
          <s>{formatRupees(card.originalPrice)}</s>
          <span className="off">{m.card_off({ percent })}</span>
          <span aria-hidden="true" className="less">
            −{percent}%
          </span>
        </>
      )}
    </p>
  )
}

function Place({ card }: { card: ListingCard }) {
  return (
    <p className="place sign-pin">
      <span>
        {card.city}
        <span>, {card.state}</span>
        {card.kilometres !== null && (
          <>
            {' '}
            <b>· {m.card_km({ km: card.kilometres })}</b>
          </>
        )}
      </span>
    </p>
  )
}

/** The strongest first: a row shows two of them as signs. */
function Trust({ card }: { card: ListingCard }) {
  const signs: [boolean, string, string][] = [
    [card.vetPassed, 'sign-stethoscope', m.card_vet()],
    [card.sellerVerified, 'sign-badge', m.card_verified_seller()],
    [card.vaccinated, 'sign-syringe', m.card_vaccinated()],
  ]
  const shownSigns = signs.filter(([holds]) => holds)
  if (shownSigns.length === 0) return null
  return (
    <ul className="trust">
      {shownSigns.map(([, sign, text]) => (
        <li key={sign} className={sign}>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}

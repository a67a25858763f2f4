import type { ReactNode } from 'react'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import type { DeskCardData } from './desk-card.server.ts'

interface AnimalRowProps {
  card: DeskCardData
  /** The heading level on the page. */
  heading?: 'h2' | 'h3'
  /** Before the photo: a checkbox, or the number of the stop. */
  lead?: ReactNode
  /** Behind the number, instead of the description. */
  note?: ReactNode
  /** The acts. */
  children?: ReactNode
}

/** An animal on the vets' desk in two lines on a wide screen: photo, name and description, facts, acts. */
export function AnimalRow({ card, heading: Heading = 'h3', lead, note, children }: AnimalRowProps) {
  const to = useLocalPath()
  const { id, name, description, hold, pickup, check } = card
  return (
    <article className="animal-row">
      <label className="flex min-h-11 cursor-pointer items-center gap-2">
        {lead}
        <span className="block w-12">
          <CardPhoto photo={card.photo} />
        </span>
      </label>
      <div className="min-w-0">
        <Heading className="line-clamp-3 text-base leading-5 break-words" title={name}>
          <a href={to(`/product/${id}`)} data-row-link className="link">
            {name}
          </a>
        </Heading>
        {note && <p className="text-sm">{note}</p>}
        <p className="text-sm max-md:line-clamp-2 md:truncate" title={description}>
          {card.code} · {description}
        </p>
      </div>
      <div className="min-w-0 text-sm max-md:order-last max-md:col-span-3">
        {pickup && (
          <p className="wrap-anywhere">
            {m.product_pickup()}: <b>{pickup.text}</b>
          </p>
        )}
        {factLines(card).map((facts, n) => (
          <Facts key={n} facts={facts} />
        ))}
        {hold && !hold.isMine && <p className="chip-heed">{m.vet_other_holds({ when: hold.until })}</p>}
        {check && <LastCheck check={check} />}
      </div>
      {children}
    </article>
  )
}

function CardPhoto({ photo }: Pick<DeskCardData, 'photo'>) {
  return (
    <span className="relative block aspect-4/3 self-start overflow-hidden rounded-control bg-husk-dark">
      {photo && (
        <>
          <PictureGround color={photo.color} hash={photo.hash} />
          <Picture mediaKey={photo.key} alt="" isSmall sizes="48px" width={photo.width} height={photo.height} className="fill-picture" />
        </>
      )}
    </span>
  )
}

interface Fact {
  label: string
  value: ReactNode
}

/** The animal; then the place, the wait and the price. Each value says by itself which fact it is. */
function factLines(card: DeskCardData): Fact[][] {
  const { place, kilometres: km, offerPrice } = card
  const price = formatRupees(card.originalPrice)
  return [
    [
      { label: m.vet_own_animal(), value: card.kind },
      { label: m.product_age(), value: card.age },
      { label: m.product_gender(), value: card.gender },
      { label: m.product_weight(), value: card.weightKg > 0 ? m.card_weight({ kg: card.weightKg }) : m.product_not_weighed() },
    ],
    [
      { label: m.product_location(), value: km === null ? place : m.vet_place_km({ place, km: Math.round(km) }) },
      { label: m.vet_listed_on(), value: card.listedOn },
      { label: m.vet_original_price(), value: offerPrice === null ? price : <s>{price}</s> },
      { label: m.vet_offer_price(), value: offerPrice === null ? null : formatRupees(offerPrice) },
      { label: m.product_stock(), value: card.isSold ? m.product_sold() : m.card_stock({ count: card.stock }) },
    ],
  ]
}

const Facts = ({ facts }: { facts: Fact[] }) => (
  <dl className="max-md:inline max-md:[dl+&]:before:content-['_·_']">
    {facts.map(
      ({ label, value }) =>
        value !== null && (
          <div key={label} className="inline not-first:before:content-['_·_']">
            <dt className="sr-only">{label} </dt>
            <dd className="inline">{value}</dd>
          </div>
        ),
    )}
  </dl>
)

function LastCheck({ check }: { check: NonNullable<DeskCardData['check']> }) {
  return (
    <div className="remark text-sm">
      <p className="row gap-2">
        <b className={check.approved ? 'chip-good' : 'chip-bad'}>{check.approved ? m.product_vet_pass() : m.product_vet_fail()}</b>
        <span>{check.on}</span>
        <span className={check.isValid ? 'text-stone' : 'text-brick'}>
          {check.isValid ? m.product_vet_valid({ day: check.until }) : m.vet_out_of_date()}
        </span>
      </p>
      <p className="mt-1 whitespace-pre-line">{check.comments}</p>
      <p className="text-stone">
        {m.product_vet_by()}: {check.by}
      </p>
    </div>
  )
}

import type { ReactNode } from 'react'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { phoneText } from '#src/accounts/phone-text.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import type { DeskCardData } from './desk-card.server.ts'

interface DeskCardProps {
  card: DeskCardData
  /** The heading level on the page. */
  heading?: 'h2' | 'h3'
  /** The stop's number and distance on a day route. The place and phone then come before the animal's facts. */
  stop?: { number: number; leg: string | null }
  children?: ReactNode
}

/** An animal on the vets' desk: kind, place, findings; below it the possible actions. */
export function DeskCard({ card, heading: Heading = 'h3', stop, children }: DeskCardProps) {
  const to = useLocalPath()
  const { hold } = card
  const facts = (
    <>
      <p className="line-clamp-3 text-sm">{card.description}</p>
      <Facts card={card} />
      {card.check && <LastCheck check={card.check} />}
    </>
  )
  return (
    <article
      className={`panel grid h-full grid-cols-[7rem_1fr] content-start max-[22rem]:grid-cols-[6rem_1fr] gap-x-3 gap-y-2 p-4 sm:gap-x-4 ${stop ? 'sm:grid-cols-[8rem_1fr]' : 'sm:grid-cols-[14rem_1fr]'}`}
    >
      <CardPhoto photo={card.photo} />
      <div>
        {stop && (
          <p className="row gap-2 text-sm">
            <b className="chip bg-leaf text-white tabular-nums">{stop.number}</b>
            {stop.leg}
          </p>
        )}
        <Heading className="text-lg">
          <a href={to(`/product/${card.id}`)} className="link -my-2 inline-block py-2">
            {card.name}
          </a>
        </Heading>
        <p className="text-sm text-stone">
          {card.kind} · <span className="whitespace-nowrap">{card.code}</span>
        </p>
      </div>
      <div className="col-span-2 space-y-2 sm:col-span-1 sm:col-start-2">
        {hold && !hold.isMine && <p className="chip-heed">{m.vet_other_holds({ when: hold.until })}</p>}
        {hold?.isMine && (
          <p className="chip-heed">{hold.hoursLeft === 1 ? m.vet_hour_left() : m.vet_hours_left({ count: hold.hoursLeft })}</p>
        )}
        {!stop && facts}
        <Pickup card={card} />
        {stop && (
          <details>
            <summary className="tap-link cursor-pointer font-semibold">{m.vet_stop_more()}</summary>
            <div className="space-y-2">{facts}</div>
          </details>
        )}
        {children && <div className="flex flex-wrap gap-2 pt-1">{children}</div>}
      </div>
    </article>
  )
}

export function CardPhoto({ photo }: Pick<DeskCardData, 'photo'>) {
  return (
    <div className="relative aspect-4/3 self-start overflow-hidden rounded-control bg-husk-dark sm:row-span-2">
      {photo && (
        <>
          <PictureGround color={photo.color} hash={photo.hash} />
          <Picture
            mediaKey={photo.key}
            alt=""
            isSmall
            sizes="(min-width: 640px) 224px, 112px"
            width={photo.width}
            height={photo.height}
            className="fill-picture"
          />
        </>
      )}
    </div>
  )
}

function Pickup({ card: { pickup } }: { card: DeskCardData }) {
  return (
    pickup && (
      <div className="space-y-2 note">
        <p className="wrap-anywhere">
          {m.product_pickup()}: <b>{pickup.text}</b>
        </p>
        <a href={`tel:${pickup.phone}`} className="button-plain gap-2">
          <Icon name="phone" size={18} className="shrink-0" />
          {phoneText(pickup.phone)}
        </a>
      </div>
    )
  )
}

interface Fact {
  label: string
  value: ReactNode
  /** The value says by itself which fact it is. */
  isClear?: true
}

export function factsOf(card: DeskCardData): Fact[] {
  const { place, kilometres: km } = card
  return [
    { label: m.product_age(), value: card.age, isClear: true },
    { label: m.product_gender(), value: card.gender, isClear: true },
    {
      label: m.product_weight(),
      value: card.weightKg > 0 ? m.card_weight({ kg: card.weightKg }) : m.product_not_weighed(),
      isClear: true,
    },
    { label: m.product_location(), value: km === null ? place : m.vet_place_km({ place, km: Math.round(km) }), isClear: true },
    { label: m.vet_original_price(), value: formatRupees(card.originalPrice) },
    { label: m.vet_offer_price(), value: card.offerPrice === null ? null : formatRupees(card.offerPrice) },
    { label: m.product_stock(), value: card.isSold ? m.product_sold() : card.stock },
    { label: m.vet_listed_on(), value: card.listedOn },
  ]
}

const Facts = ({ card }: { card: DeskCardData }) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm">
    {factsOf(card).map(
      ({ label, value }) =>
        value !== null && (
          <div key={label} className="contents">
            <dt className="text-stone">{label}</dt>
            <dd className="font-semibold text-balance">{value}</dd>
          </div>
        ),
    )}
  </dl>
)

export function LastCheck({ check }: { check: NonNullable<DeskCardData['check']> }) {
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

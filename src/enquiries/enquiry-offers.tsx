import { phoneText } from '#src/accounts/phone-text.ts'
import { countTap } from '#src/listings/contacts/contact-tap.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import { Price } from '#src/ui/price.tsx'
import type { OnePage } from './enquiry-view.server.ts'

type Offers = NonNullable<OnePage['offers']>
type Offer = Offers['offers'][number]

interface OffersProps {
  offers: Offers
  isOwn: boolean
  /** The reader will be notified of an offer. */
  isAwaited: boolean
}

/** The answers side by side: one column each, with rows to compare. On a phone the columns scroll past the row names. */
export function EnquiryOffers({ offers: { offers, count, waiting }, isOwn, isAwaited }: OffersProps) {
  return (
    <div className="space-y-3">
      <h2 id="offers" className="text-xl">
        {m.enquiry_offers({ count })}
      </h2>
      {offers.length === 0 ? (
        <p className="panel p-4">{isAwaited ? m.enquiry_offers_none() : m.enquiry_offers_none_came()}</p>
      ) : (
        <>
          {isOwn && <p className="notice text-sm">{m.product_never_pay()}</p>}
          {/* Focusable, because it scrolls sideways. */}
          <section aria-labelledby="offers" tabIndex={0} className="panel overflow-x-auto">
            <Table offers={offers} isOwn={isOwn} />
          </section>
          {count > offers.length && <p className="text-sm text-stone">{m.enquiry_offers_more({ count: count - offers.length })}</p>}
        </>
      )}
      {waiting > 0 && <p className="text-sm text-stone">{m.enquiry_offers_waiting({ count: waiting })}</p>}
    </div>
  )
}

const cell = 'min-w-36 border-l border-line px-2 py-2 align-top sm:px-3'
const head = 'sticky left-0 z-10 w-24 min-w-24 bg-husk-dark px-2 py-2 text-left align-top text-sm font-semibold sm:w-36 sm:min-w-36 sm:px-3'

function Table({ offers, isOwn }: { offers: Offer[]; isOwn: boolean }) {
  const rows: [string, (offer: Offer) => string | null][] = [
    [m.product_breed(), ({ card }) => [card.breed, card.category].filter(Boolean).join(' · ')],
    [m.product_gender(), ({ card }) => card.gender],
    [m.product_age(), ({ card }) => card.age],
    [m.product_color(), ({ color }) => color],
    [m.product_weight(), ({ card }) => (card.weightKg > 0 ? m.card_weight({ kg: card.weightKg }) : null)],
    [m.enquiry_offer_milk(), ({ milkLitresPerDay }) => (milkLitresPerDay === null ? null : m.enquiry_litres({ litres: milkLitresPerDay }))],
    [m.enquiry_offer_stock(), ({ card }) => String(card.stock)],
    [m.enquiry_offer_place(), ({ card }) => `${card.city}, ${card.state}`],
    [m.enquiry_offer_distance(), ({ card }) => (card.kilometres === null ? null : m.card_km({ km: card.kilometres }))],
    [m.enquiry_offer_trust(), trustOf],
  ]
  // Leave out rows without a value.
  const said = rows.filter(([, value]) => offers.some((offer) => value(offer)))
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr>
          <th scope="col" className={head}>
            <span className="sr-only">{m.enquiry_offer_fact()}</span>
          </th>
          {offers.map(({ card }) => (
            <Animal key={card.id} card={card} />
          ))}
        </tr>
      </thead>
      <tbody>
        <Row
          name={m.enquiry_offer_price()}
          offers={offers}
          value={({ card }) => <Price original={card.originalPrice} offer={card.offerPrice} />}
        />
        {said.map(([name, value]) => (
          <Row key={name} name={name} offers={offers} value={(offer) => value(offer) || '–'} />
        ))}
        <Row name={m.enquiry_offer_seller()} offers={offers} value={(offer) => <Seller offer={offer} isOwn={isOwn} />} />
      </tbody>
    </table>
  )
}

function Animal({ card }: Pick<Offer, 'card'>) {
  const to = useLocalPath()
  return (
    <th scope="col" className={`${cell} text-left`}>
      <span className="relative mb-2 block aspect-4/3 w-32 overflow-hidden rounded-control bg-husk-dark sm:w-48">
        {card.photo && (
          <>
            <PictureGround color={card.photo.color} hash={card.photo.hash} />
            <Picture mediaKey={card.photo.key} alt="" sizes="200px" width={320} height={240} isSmall className="fill-picture" />
          </>
        )}
      </span>
      <a href={to(`/product/${card.id}`)} className="tap-link">
        {card.name}
      </a>
    </th>
  )
}

function Row({ name, offers, value }: { name: string; offers: Offer[]; value: (offer: Offer) => React.ReactNode }) {
  return (
    <tr className="border-t border-line">
      <th scope="row" className={head}>
        {name}
      </th>
      {offers.map((offer) => (
        <td key={offer.card.id} className={cell}>
          {value(offer)}
        </td>
      ))}
    </tr>
  )
}

const trustOf = ({ card }: Offer) =>
  [card.sellerVerified && m.card_verified_seller(), card.vetPassed && m.card_vet(), card.vaccinated && m.card_vaccinated()]
    .filter(Boolean)
    .join(', ')

function Seller({ offer: { card, seller }, isOwn }: { offer: Offer; isOwn: boolean }) {
  const to = useLocalPath()
  return (
    <div className="space-y-2">
      <a href={to(`/seller/${seller.id}`)} className="tap-link font-semibold">
        {seller.name || m.profile_deleted_user()}
      </a>
      {isOwn && seller.phone && (
        <a href={`tel:${seller.phone}`} onClick={() => countTap(card.id, 'call')} className="button-primary w-full px-2">
          <Icon name="phone" size={18} />
          <span>
            {m.product_call()}
            <span className="block text-sm font-normal whitespace-nowrap">{phoneText(seller.phone)}</span>
          </span>
        </a>
      )}
      {isOwn && !seller.phone && (
        <p className="text-sm">
          <span className="whitespace-nowrap">{seller.maskedPhone}</span> {m.product_contact_limited()}
        </p>
      )}
      <a href={to(`/product/${card.id}`)} className="button-plain w-full px-2">
        {m.enquiry_offer_see()}
      </a>
    </div>
  )
}

import { SaveHeart } from '#src/alerts/save-heart.tsx'
import type { ListingCard } from '#src/listings/browse/browse.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { CardPhoto } from '#src/listings/browse/listing-card.tsx'
import { Price } from '#src/ui/price.tsx'

const sizes = '(min-width:1280px)235px,(min-width:768px)33vw,104px'

/** The newest. Hidden when it is empty, and where the animals near replace it (home.css). */
export function New({ cards }: { cards: ListingCard[] }) {
  if (cards.length === 0) return null
  return (
    <section className="new-row">
      <SectionHead title={m.home_new()} hasAll />
      <Row label={m.home_new()} cards={cards} columns="lg:grid-cols-5" />
    </section>
  )
}

/** With the newest above, prices on the first screen of phones and desktops. */
export function Trending({ cards }: { cards: ListingCard[] }) {
  return (
    <section>
      <SectionHead title={m.home_trending()} text={m.home_trending_text()} />
      {cards.length === 0 ? <NothingForSale /> : <Row label={m.home_trending()} cards={cards} columns="lg:grid-cols-5" />}
    </section>
  )
}

/** Hidden when it is empty. */
export function TopInMarket({ cards }: { cards: ListingCard[] }) {
  if (cards.length === 0) return null
  return (
    <section className="-mx-4 bg-leaf-soft px-4 py-3 md:mx-0 md:rounded-card md:p-6">
      <SectionHead title={m.home_top()} text={m.home_top_text()} />
      <Row label={m.home_top()} cards={cards} columns="lg:grid-cols-4" />
    </section>
  )
}

/** A grid on a desktop. On a phone a row that scrolls sideways, with one animal and the edge of the next visible. */
function Row({ label, cards, columns }: { label: string; cards: ListingCard[]; columns: string }) {
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
            <Tile card={card} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** All that A §2.5 names of a card, price and the strongest trust sign. The whole tile is one link. */
function Tile({ card }: { card: ListingCard }) {
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
        {card.isSample && <span className="label-on-card max-md:top-auto max-md:bottom-1 max-md:left-1">{m.card_sample()}</span>}
      </div>
      <div>
        <Price original={card.originalPrice} offer={card.offerPrice} />
        <h3>
          <a href={to(`/product/${card.id}`)}>{card.name}</a>
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

function SectionHead({ title, text, hasAll = false }: { title: string; text?: string; hasAll?: boolean }) {
  const to = useLocalPath()
  return (
    <div className="mb-2 flex items-center justify-between gap-x-2 md:mb-3">
      <div>
        <h2 className="text-[1.05rem] md:text-2xl">{title}</h2>
        {text && <p className="hidden text-stone md:block">{text}</p>}
      </div>
      {hasAll && (
        <a href={to('/buy/0')} className="tap-link text-right text-sm font-semibold md:shrink-0 md:text-base">
          {m.home_see_all()}
        </a>
      )}
    </div>
  )
}

function NothingForSale() {
  const to = useLocalPath()
  return (
    <div className="panel px-4 py-8 text-center">
      <p className="text-lg font-semibold">{m.home_empty()}</p>
      <p className="text-stone">{m.home_empty_text()}</p>
      <div className="row justify-center gap-3 mt-4">
        <a href={to('/sell')} className="button-primary">
          {m.home_banner_sell_link()}
        </a>
        <a href={to('/add-enquiry')} className="button-plain">
          {m.home_empty_wanted()}
        </a>
      </div>
    </div>
  )
}

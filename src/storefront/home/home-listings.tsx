import type { ListingCard } from '#src/listings/browse.server.ts'
import { ListingCardLink } from '#src/listings/listing-card.tsx'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'

/** Two are large on a desktop, the others four to a row below them. On a phone these two are visible before the row is scrolled. */
const LARGE = 2
const sizes = '(min-width: 1280px) 300px, (min-width: 1024px) 25vw, (min-width: 768px) 50vw, 72vw'
const largeSizes = '(min-width: 1280px) 610px, (min-width: 768px) 50vw, 72vw'

export function Trending({ cards }: { cards: ListingCard[] }) {
  return (
    <section>
      <SectionHead title={m.home_trending()} text={m.home_trending_text()} hasAll={cards.length > 0} />
      {cards.length === 0 ? <NothingForSale /> : <Row label={m.home_trending()} cards={cards} large={LARGE} />}
    </section>
  )
}

/** Only where there is one to show: an empty shelf of the best says nothing. */
export function TopInMarket({ cards }: { cards: ListingCard[] }) {
  if (cards.length === 0) return null
  return (
    <section className="-mx-4 bg-leaf-soft px-4 py-6 md:mx-0 md:rounded-card md:p-6">
      <SectionHead title={m.home_top()} text={m.home_top_text()} hasAll={false} />
      <Row label={m.home_top()} cards={cards} large={0} />
    </section>
  )
}

/** A list on a desktop; on a phone a row to scroll sideways, with its next card half visible. */
function Row({ label, cards, large }: { label: string; cards: ListingCard[]; large: number }) {
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      className="-mx-4 snap-x scroll-px-4 overflow-x-auto px-4 pb-2 md:mx-0 md:overflow-visible md:p-0"
    >
      <ul className="flex gap-3 md:grid md:grid-cols-2 md:gap-4 lg:grid-cols-4">
        {cards.map((card, index) => (
          <li
            key={card.id}
            className={`w-[72vw] max-w-72 shrink-0 snap-start md:w-auto md:max-w-none ${index < large ? 'lg:col-span-2' : ''}`}
          >
            <ListingCardLink card={card} isLarge={index < large} sizes={index < large ? largeSizes : sizes} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function SectionHead({ title, text, hasAll }: { title: string; text: string; hasAll: boolean }) {
  const to = useLocalPath()
  return (
    <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6">
      <div>
        <h2 className="text-2xl lg:text-3xl">{title}</h2>
        <p className="text-stone">{text}</p>
      </div>
      {hasAll && (
        <Link to={to('/buy/0')} className="tap-link font-semibold">
          {m.home_see_all()}
        </Link>
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
        <Link to={to('/sell')} className="button-primary">
          {m.home_banner_sell_link()}
        </Link>
        <Link to={to('/add-enquiry')} className="button-plain">
          {m.home_empty_wanted()}
        </Link>
      </div>
    </div>
  )
}

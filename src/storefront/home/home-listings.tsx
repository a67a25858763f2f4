import type { ListingCard } from '#src/listings/browse/browse.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { TileRow } from '#src/storefront/showcase/tile-row.tsx'

/** The newest. Hidden when it is empty, and where the animals near replace it (home.css). */
export function New({ cards }: { cards: ListingCard[] }) {
  if (cards.length === 0) return null
  return (
    <section className="new-row">
      <SectionHead title={m.home_new()} hasAll />
      <TileRow label={m.home_new()} cards={cards} columns="lg:grid-cols-5" />
    </section>
  )
}

/** With the newest above, prices on the first screen of phones and desktops. */
export function Trending({ cards }: { cards: ListingCard[] }) {
  return (
    <section>
      <SectionHead title={m.home_trending()} text={m.home_trending_text()} />
      {cards.length === 0 ? <NothingForSale /> : <TileRow label={m.home_trending()} cards={cards} columns="lg:grid-cols-5" />}
    </section>
  )
}

/** Hidden when it is empty. */
export function TopInMarket({ cards }: { cards: ListingCard[] }) {
  if (cards.length === 0) return null
  return (
    <section className="-mx-4 bg-leaf-soft px-4 py-3 md:mx-0 md:rounded-card md:p-6">
      <SectionHead title={m.home_top()} text={m.home_top_text()} />
      <TileRow label={m.home_top()} cards={cards} columns="lg:grid-cols-4" />
    </section>
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

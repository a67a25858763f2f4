import { Handshake, PhoneCall, Search, Sprout, Truck } from 'lucide-react'
import { Form, Link } from 'react-router'
import { pageLoader } from '#src/kit/page.server.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { browseListings } from '#src/listings/browse.server.ts'
import { CategoryRow } from '#src/listings/category-row.tsx'
import { categoryShortcuts } from '#src/listings/category-shortcuts.server.ts'
import { gridClass, ListingCardLink } from '#src/listings/listing-card.tsx'
import { knownIds } from '#src/listings/lookups.server.ts'
import { readBrowse } from '#src/listings/schemas.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { Route } from './+types/home-page'

const NEWEST_SHOWN = 12

export const loader = pageLoader(async (ctx) => {
  const { choices } = readBrowse(0, new URLSearchParams(), knownIds)
  const { cards } = await browseListings(ctx, choices, { near: null, pageSize: NEWEST_SHOWN })
  return { cards, ...categoryShortcuts(ctx.locale), locale: ctx.locale, origin: ctx.publicOrigin }
})

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        title: m.home_title(),
        description: m.home_description(),
        keywords: m.home_keywords(),
        path: '/',
        locale: loaderData.locale,
        origin: loaderData.origin,
        siteName: m.site_name(),
      })
    : []

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { cards, shortcuts, more } = loaderData
  const to = useLocalPath()
  const points = [
    { icon: Sprout, title: m.home_point_range(), text: m.home_point_range_text() },
    { icon: Truck, title: m.home_point_door(), text: m.home_point_door_text() },
    { icon: PhoneCall, title: m.home_point_contact(), text: m.home_point_contact_text() },
    { icon: Handshake, title: m.home_point_grow(), text: m.home_point_grow_text() },
  ]
  return (
    <div className="space-y-8">
      <section className="overflow-hidden rounded-card bg-leaf px-4 py-6 text-white md:px-10 md:py-12">
        <h1 className="text-2xl md:text-4xl">{m.home_heading()}</h1>
        <p className="mt-2 text-lg">{m.home_lead()}</p>
        <Form method="get" action={to('/buy/0')} role="search" className="mt-4 flex max-w-2xl gap-2">
          <label htmlFor="home-search" className="sr-only">
            {m.frame_search_label()}
          </label>
          <input
            id="home-search"
            name="q"
            type="search"
            maxLength={100}
            placeholder={m.frame_search_hint()}
            className="field flex-1 border-transparent"
          />
          <button type="submit" className="button bg-turmeric px-4 text-ink sm:px-6 hover:brightness-95">
            <Search aria-hidden="true" size={20} />
            <span className="sr-only sm:not-sr-only">{m.frame_search()}</span>
          </button>
        </Form>
      </section>
      <CategoryRow shortcuts={shortcuts} more={more} chosen={[-1]} pathFor={(id) => `/buy/${id}`} />
      <section>
        <div className="mb-3 flex items-baseline justify-between gap-3">
          <h2 className="text-xl">{m.home_newest()}</h2>
          <Link to={to('/buy/0')} className="link inline-flex min-h-11 items-center font-semibold">
            {m.home_see_all()}
          </Link>
        </div>
        <ul className={gridClass}>
          {cards.map((card, index) => (
            <li key={card.id}>
              <ListingCardLink card={card} isFirst={index === 0} />
            </li>
          ))}
        </ul>
      </section>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {points.map(({ icon: Icon, title, text }) => (
          <li key={title} className="panel flex gap-3 p-4">
            <Icon aria-hidden="true" size={28} className="shrink-0 text-leaf" />
            <div>
              <h2 className="text-base">{title}</h2>
              <p className="text-sm text-stone">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

import { Search, SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Form, Link, useFetcher, useNavigation, useSubmit } from 'react-router'
import { findPlace } from '#src/accounts/places.server.ts'
import { pageLoader } from '#src/kit/page.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { browseListings, type ListingCard } from './browse.server.ts'
import { CategoryRow } from './category-row.tsx'
import { categoryShortcuts } from './category-shortcuts.server.ts'
import { ChosenFilters } from './chosen-filters.tsx'
import { filterGroups } from './filter-groups.server.ts'
import { BROWSE_FORM, FILTER_ID, FilterPanel, useFilterDialog } from './filter-panel.tsx'
import { ListingCardLink } from './listing-card.tsx'
import { knownIds } from './lookups.server.ts'
import { browsePath, PAGE_SIZE, plainRupees, radii, readBrowse, type BrowseNotice, type Sort } from './schemas.ts'
import { readSearch } from './search.server.ts'
import type { Route } from './+types/list-page'

export const loader = pageLoader(async (ctx, { params, url }) => {
  const typeId = /^\d{1,4}$/.test(params.typeId ?? '') ? Number(params.typeId) : -1
  if (typeId !== 0 && !knownIds.categoryIds.has(typeId)) throw notFound()
  const { choices, notices } = readBrowse(typeId, url.searchParams, knownIds)
  const near = choices.near === '' ? null : findPlace(choices.near)
  const page = await browseListings(ctx, choices, { near, pageSize: PAGE_SIZE })
  const { after, ...kept } = choices
  return {
    ...page,
    nextPath: page.next && browsePath({ ...kept, after: page.next }),
    choices: kept,
    isFirstPage: after === null,
    notices,
    isPlaceUnknown: choices.near !== '' && near === null,
    readAs: readSearch(choices.text).flatMap((word) => (word.readAs ? [{ typed: word.typed, word: word.readAs[ctx.locale] }] : [])),
    groups: filterGroups(ctx.locale),
    ...categoryShortcuts(ctx.locale),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return []
  const { choices, locale, origin } = loaderData
  const what = categoryNames(loaderData)
  const title = choices.text ? m.list_title_search({ text: choices.text }) : what ? m.list_title_category({ category: what }) : m.list_title_all()
  const isPlain = !choices.text && choices.breedIds.length === 0 && choices.minPrice === null && choices.maxPrice === null && !choices.near
  return pageMeta({
    title,
    description: m.list_description({ what: what || m.list_title_all() }),
    keywords: m.list_keywords({ what: what || m.list_title_all() }),
    path: browsePath(choices),
    locale,
    origin,
    siteName: m.site_name(),
    // Every search is an address of its own; engines should know the categories, not what people typed.
    noIndex: !isPlain,
  })
}

type PageData = Route.ComponentProps['loaderData']
const categoryNames = ({ choices, groups }: PageData) => groups.filter(({ id }) => choices.categoryIds.includes(id)).map(({ name }) => name).join(', ')

export default function ListPage({ loaderData }: Route.ComponentProps) {
  const { choices, groups, shortcuts, more, notices, isPlaceUnknown, readAs } = loaderData
  const to = useLocalPath()
  const filter = useFilterDialog()
  const submit = useSubmit()
  const isLoading = useNavigation().state === 'loading'
  const heading = categoryNames(loaderData) || m.list_title_all()
  const path = browsePath(choices)
  // An opened dialog has done its work once other animals are shown.
  useEffect(() => filter.close(), [path])
  return (
    <div className="space-y-4">
      <h1 className="text-2xl">{choices.text ? m.list_title_search({ text: choices.text }) : heading}</h1>
      <CategoryRow shortcuts={shortcuts} more={more} chosen={choices.categoryIds} />
      <Form
        key={path}
        id={BROWSE_FORM}
        method="get"
        action={to('/buy/0')}
        role="search"
        className="panel grid grid-cols-2 gap-3 p-3 md:grid-cols-[2fr_1.2fr_1fr_1.2fr_auto] md:items-end"
      >
        <label id="search" className="col-span-2 md:col-span-1">
          <span className="label">{m.frame_search_label()}</span>
          <input name="q" type="search" defaultValue={choices.text} maxLength={100} placeholder={m.frame_search_hint()} className="field" />
        </label>
        <label>
          <span className="label">{m.list_near()}</span>
          <input name="near" defaultValue={choices.near} maxLength={60} placeholder={m.list_near_hint()} autoComplete="postal-code" className="field" />
        </label>
        <label>
          <span className="label">{m.list_within()}</span>
          <select name="within" defaultValue={choices.withinKm ?? ''} className="field">
            <option value="">{m.list_within_any()}</option>
            {radii.map((km) => (
              <option key={km} value={km}>
                {m.list_within_km({ km })}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="label">{m.list_sort()}</span>
          <select name="sort" defaultValue={choices.sort} className="field" onChange={(event) => void submit(event.currentTarget.form)}>
            {sortChoices().map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="button-primary self-end px-3 md:px-5">
          <Search aria-hidden="true" size={20} />
          {m.frame_search()}
        </button>
      </Form>
      <Notices notices={notices} place={isPlaceUnknown ? choices.near : null} />
      <div className="lg:grid lg:grid-cols-[17rem_1fr] lg:items-start lg:gap-6">
        <FilterPanel
          groups={groups}
          dialog={filter.ref}
          choices={{ ...choices, min: choices.minPrice === null ? '' : plainRupees(choices.minPrice), max: choices.maxPrice === null ? '' : plainRupees(choices.maxPrice) }}
        />
        <section id="list" aria-busy={isLoading} className={isLoading ? 'opacity-60' : undefined}>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
            <p role="status" className="font-semibold">
              <Found found={loaderData.found} isMore={loaderData.foundMore} />
            </p>
            <a
              href={`#${FILTER_ID}`}
              className="button-plain px-4 lg:hidden"
              onClick={(event) => {
                event.preventDefault()
                filter.open()
              }}
            >
              <SlidersHorizontal aria-hidden="true" size={20} />
              {m.list_filter_options()}
            </a>
          </div>
          {readAs.map(({ typed, word }) => (
            <p key={typed} className="mb-2 text-stone">
              {m.list_read_as({ typed, word })}
            </p>
          ))}
          <ChosenFilters choices={choices} groups={groups} />
          {loaderData.cards.length > 0 ? <Cards key={path} data={loaderData} /> : <EmptyList />}
        </section>
      </div>
    </div>
  )
}

const sortChoices = (): [Sort, string][] => [
  ['newest', m.list_sort_newest()],
  ['price-low', m.list_sort_price_low()],
  ['price-high', m.list_sort_price_high()],
  ['nearest', m.list_sort_nearest()],
]

function Found({ found, isMore }: { found: number; isMore: boolean }) {
  if (found === 1) return m.list_found_one()
  return m.list_found({ count: `${found.toLocaleString('en-IN')}${isMore ? '+' : ''}` })
}

function Notices({ notices, place }: { notices: BrowseNotice[]; place: string | null }) {
  const texts: Record<BrowseNotice, string> = {
    'min-price': m.list_notice_min(),
    'max-price': m.list_notice_max(),
    'min-above-max': m.list_notice_order(),
    'near-missing': m.list_notice_near(),
  }
  const lines = [...notices.map((notice) => texts[notice]), ...(place ? [m.list_notice_place({ place })] : [])]
  if (lines.length === 0) return null
  return (
    <ul role="alert" className="rounded-card border border-brick bg-brick-soft px-4 py-3 text-brick">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

/** 'Show more' is a link to the next page; with JavaScript it adds that page's cards below these. */
function Cards({ data }: { data: PageData }) {
  const to = useLocalPath()
  const fetcher = useFetcher<PageData>()
  const [added, setAdded] = useState<{ cards: ListingCard[]; nextPath: string | null } | null>(null)
  const nextPath = added ? added.nextPath : data.nextPath
  useEffect(() => {
    const page = fetcher.data
    if (fetcher.state !== 'idle' || !page) return
    setAdded((before) => (before?.nextPath === page.nextPath && before.cards.length > 0 ? before : { cards: [...(before?.cards ?? []), ...page.cards], nextPath: page.nextPath }))
  }, [fetcher.data, fetcher.state])
  return (
    <>
      <ul className="grid grid-cols-1 gap-4 xs:grid-cols-2 md:grid-cols-3 xl:grid-cols-4">
        {[...data.cards, ...(added?.cards ?? [])].map((card, index) => (
          <li key={card.id}>
            <ListingCardLink card={card} isFirst={index === 0} />
          </li>
        ))}
      </ul>
      {nextPath && (
        <p className="mt-6 text-center">
          <Link
            to={to(nextPath)}
            className="button-plain min-w-48"
            aria-busy={fetcher.state !== 'idle'}
            onClick={(event) => {
              event.preventDefault()
              if (fetcher.state === 'idle') void fetcher.load(to(nextPath))
            }}
          >
            {fetcher.state === 'idle' ? m.list_more() : m.list_loading()}
          </Link>
        </p>
      )}
    </>
  )
}

function EmptyList() {
  const to = useLocalPath()
  const locale = useLocale()
  return (
    <div lang={locale} className="panel px-4 py-10 text-center">
      <img src="/species/none.webp" alt="" width={96} height={96} className="mx-auto mb-4 opacity-70" />
      <p className="mx-auto max-w-lg">{m.list_empty()}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-3">
        <Link to={to('/buy/0')} className="button-primary">
          {m.list_empty_clear()}
        </Link>
        <Link to={to('/add-enquiry')} className="button-plain">
          {m.list_empty_wanted()}
        </Link>
      </div>
    </div>
  )
}


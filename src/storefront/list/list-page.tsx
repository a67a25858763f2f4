import { startTransition, useEffect, useRef, useState } from 'react'
import { useFetcher, useLocation, useNavigation, useSubmit } from 'react-router'
import { rememberInEntry } from '#src/router-seams/history-entry.ts'
import { findPlace, shownPlace } from '#src/addresses/places.server.ts'
import { offline } from '#src/kit/device/offline.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { deferred } from '#src/ui/deferred.tsx'
import { useIsFirstPaint } from '#src/ui/first-paint.ts'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { Select } from '#src/ui/select.tsx'
import { browseListings, type ListingCard } from '#src/listings/browse.server.ts'
import { breedGuides } from '#src/storefront/breeds/breed-guides.server.ts'
import { CategoryRow } from './category-row.tsx'
import { categoryShortcuts } from './category-shortcuts.server.ts'
import { ChosenFilters } from './chosen-filters.tsx'
import { filterGroups } from './filter-groups.server.ts'
import { BROWSE_FORM, FILTER_ID } from '#src/listings/filter-ids.ts'
import { gridClass, ListingCardLink } from '#src/listings/listing-card.tsx'
import { knownIds } from '#src/listings/lookups.server.ts'
import { saveSearchLinks } from '#src/listings/save-links.server.ts'
import { browsePath, defaultSort, PAGE_SIZE, readBrowse, type BrowseNotice, type Sort } from '#src/listings/schemas.ts'
import { SearchBox } from './search-box.tsx'
import { readSearch } from '#src/listings/search.server.ts'
import { listThings } from '#src/storefront/animal/structured-data.ts'
import type { Route } from './+types/list-page'

export const loader = pageLoader(async (ctx, { params, url }) => {
  const typeId = /^\d{1,4}$/.test(params.typeId ?? '') ? Number(params.typeId) : -1
  if (typeId !== 0 && !knownIds.categoryIds.has(typeId)) throw notFound()
  const { choices, notices } = readBrowse(typeId, url.searchParams, knownIds)
  const near = choices.near === '' ? null : findPlace(choices.near)
  const page = await browseListings(ctx, choices, { near, pageSize: PAGE_SIZE })
  const { after, ...kept } = choices
  const typed = (name: string) => [...(url.searchParams.get(name) ?? '')].slice(0, 13).join('')
  return {
    ...page,
    nextPath: page.next && browsePath({ ...kept, after: page.next }),
    choices: kept,
    isFirstPage: after === null,
    notices,
    typedPrices: { min: typed('min'), max: typed('max') },
    place: near && shownPlace(near, ctx.locale),
    isPlaceUnknown: choices.near !== '' && near === null,
    readAs: readSearch(choices.text).flatMap((word) => (word.readAs ? [{ typed: word.typed, word: word.readAs[ctx.locale] }] : [])),
    groups: filterGroups(ctx.locale, choices),
    guides: [...breedGuides(ctx.locale, choices.breedIds), ...saveSearchLinks(kept, ctx.locale)],
    ...categoryShortcuts(ctx.locale),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

/**
 * Offline, the error page says so (status 0: no answer). Only 'Show more' asks for a page after a cursor; it reports the failure below the
 * cards instead of removing them.
 */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  try {
    return await serverLoader()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    if (new URL(request.url).searchParams.has('after')) return null
    throw offline()
  }
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return []
  const { choices, locale, origin } = loaderData
  const what = categoryNames(loaderData)
  const title = choices.text
    ? m.list_title_search({ text: choices.text })
    : what
      ? m.list_title_category({ category: what })
      : m.list_title_all()
  const path = browsePath(choices)
  // Every search has an address of its own; search engines should know the categories, not what people typed.
  const isCategory = !path.includes('?')
  return pageMeta({
    title,
    description: m.list_description({ what: what || m.list_title_all() }),
    keywords: import.meta.env.SSR && m.list_keywords({ what: what || m.list_title_all() }),
    path,
    locale,
    origin,
    siteName: m.site_name(),
    about: import.meta.env.SSR && isCategory ? listThings(loaderData.cards, { locale, origin }) : [],
    noIndex: !isCategory,
  })
}

/** Seldom needed, and nothing but words and links. */
const EmptyList = deferred('empty-list', async () => (await import('./empty-list.tsx')).EmptyList)
const FilterPanel = deferred('filter-part', async () => (await import('./filter-panel.tsx')).FilterPanel)
/** Found by its id: it may still be the server's markup, which React has not hydrated yet. */
const filterDialog = () => document.querySelector<HTMLDialogElement>(`#${FILTER_ID}`)

type PageData = NonNullable<Route.ComponentProps['loaderData']>
const categoryNames = ({ choices, groups }: PageData) =>
  groups
    .filter(({ id }) => choices.categoryIds.includes(id))
    .map(({ name }) => name)
    .join(', ')

export default function ListPage({ loaderData }: { loaderData: PageData }) {
  const { choices, groups, shortcuts, more, isPlaceUnknown, readAs } = loaderData
  const said = loaderData.notices.map((notice): [BrowseNotice, string] => [notice, noticeTexts[notice]()])
  const to = useLocalPath()
  const [isFolded, setFolded] = useState(false)
  const submit = useSubmit()
  /** The choices that were made, without the empty boxes beside them. */
  const send = (form: HTMLFormElement) => {
    const chosen = [...new FormData(form)].filter(([, value]) => value !== '') as [string, string][]
    void submit(new URLSearchParams(chosen), { method: 'get', action: to('/buy/0') })
  }
  const isLoading = useNavigation().state === 'loading'
  const path = browsePath(choices)
  useClosedBySubmit()
  return (
    <div className="space-y-4">
      <h1 className="text-2xl">
        {choices.text ? m.list_title_search({ text: choices.text }) : categoryNames(loaderData) || m.list_title_all()}
      </h1>
      <CategoryRow
        shortcuts={shortcuts}
        more={more}
        chosen={choices.categoryIds}
        pathFor={(id) => browsePath({ ...choices, categoryIds: id === 0 ? [] : [id], breedIds: [] })}
      />
      <SearchBox key={path} id={BROWSE_FORM} text={choices.text} onSubmit={send} />
      <Notices notices={said} place={isPlaceUnknown ? choices.near : null} />
      <div className={isFolded ? undefined : 'lg:grid lg:grid-cols-[17rem_1fr] lg:items-start lg:gap-6'}>
        <a href="#list" className="button-primary sr-only z-50 focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
          {m.list_skip()}
        </a>
        <FilterPanel isFolded={isFolded} groups={groups} choices={{ ...choices, ...loaderData.typedPrices }} notices={said} />
        <section id="list" tabIndex={-1} aria-busy={isLoading} className={isLoading ? 'opacity-60 outline-none' : 'outline-none'}>
          <Toolbar page={loaderData} isFolded={isFolded} onFold={() => setFolded(!isFolded)} onSort={send} />
          {!loaderData.isFirstPage && (
            <p className="mb-2">
              <Link to={to(path)} className="tap-link">
                {m.list_first_page()}
              </Link>
            </p>
          )}
          {loaderData.place && <p className="mb-2 text-stone">{m.list_near_read({ place: loaderData.place })}</p>}
          {readAs.map(({ typed, word }) => (
            <p key={typed} className="mb-2 text-stone">
              {m.list_read_as({ typed, word })}
            </p>
          ))}
          <ChosenFilters choices={choices} groups={groups} />
          {loaderData.guides.map(({ path, text }) => (
            <a key={path} href={to(path)} className="tap-link mr-4">
              {text}
            </a>
          ))}
          {loaderData.cards.length > 0 ? <Cards key={path} data={loaderData} /> : <EmptyList />}
        </section>
      </div>
    </div>
  )
}

/** A submitted dialog has done its work, whatever the result. Not at the first render: a tap may just have opened it. */
function useClosedBySubmit() {
  const { key } = useLocation()
  const shownKey = useRef(key)
  useEffect(() => {
    if (shownKey.current === key) return
    shownKey.current = key
    const dialog = filterDialog()
    // A field needs correction: the dialog stays open and says so at the field.
    const wrong = dialog?.open && dialog.querySelector<HTMLElement>('[aria-invalid]')
    if (wrong) return wrong.focus()
    dialog?.close()
    // Opened by its address, before scripts ran: only the address closes it.
    if (dialog?.matches(':target')) window.location.replace('#list')
  }, [key])
}

interface ToolbarProps {
  page: PageData
  isFolded: boolean
  onFold: () => void
  onSort: (form: HTMLFormElement) => void
}

/** How many were found, the filters, and the order. */
function Toolbar({ page, isFolded, onFold, onSort }: ToolbarProps) {
  const { choices } = page
  return (
    <div className="row mb-3 gap-2">
      <div role="status" className="order-first w-full sm:w-auto sm:flex-1">
        <h2 className="text-base font-semibold">
          <Found found={page.found} isMore={page.foundMore} />
        </h2>
      </div>
      <a
        href={`#${FILTER_ID}`}
        // A toggle state exists only where it folds the filter away; elsewhere it is a link like any other.
        aria-expanded={isFolded ? false : undefined}
        className="button-plain px-3"
        onClick={(event) => {
          event.preventDefault()
          // A phone opens it over the list; a wide screen has room beside the list and folds it away.
          if (window.matchMedia('(min-width: 64rem)').matches) startTransition(onFold)
          else filterDialog()?.showModal()
        }}
      >
        <Icon name="filter" size={20} />
        {m.list_filter_options()}
      </a>
      <label htmlFor="sort" className="sr-only">
        {m.list_sort()}
      </label>
      <Select
        id="sort"
        form={BROWSE_FORM}
        name="sort"
        key={browsePath(choices)}
        defaultValue={choices.sort === defaultSort(choices.text) ? '' : choices.sort}
        className="w-auto min-w-0 grow basis-36 sm:grow-0 sm:basis-auto"
        onChange={(event) => event.currentTarget.form && onSort(event.currentTarget.form)}
      >
        {sortChoices(choices.text !== '').map(([value, label]) => (
          // The default order is sent as none: words that are typed next go by best match again.
          <option key={value} value={value === defaultSort(choices.text) ? '' : value}>
            {label}
          </option>
        ))}
      </Select>
      <noscript>
        <button form={BROWSE_FORM} type="submit" className="button-plain px-3">
          {m.list_confirm()}
        </button>
      </noscript>
    </div>
  )
}

const sortChoices = (isSearch: boolean): [Sort, string][] => [
  ...(isSearch ? ([['best', m.list_sort_best()]] as [Sort, string][]) : []),
  ['newest', m.list_sort_newest()],
  ['price-low', m.list_sort_price_low()],
  ['price-high', m.list_sort_price_high()],
  ['nearest', m.list_sort_nearest()],
]

function Found({ found, isMore }: { found: number; isMore: boolean }) {
  if (found === 1) return m.list_found_one()
  return m.list_found({ count: `${found.toLocaleString('en-IN')}${isMore ? '+' : ''}` })
}

const noticeTexts: Record<BrowseNotice, () => string> = {
  'min-price': m.list_notice_min,
  'max-price': m.list_notice_max,
  'min-above-max': m.list_notice_order,
  'near-missing': m.list_notice_near,
}

function Notices({ notices, place }: { notices: [BrowseNotice, string][]; place: string | null }) {
  const lines = [...notices.map(([, text]) => text), ...(place ? [m.list_notice_place({ place })] : [])]
  if (lines.length === 0) return null
  return (
    <div role="alert" className="rounded-card border border-brick bg-brick-soft px-4 py-3 text-brick">
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

interface Added {
  cards: ListingCard[]
  nextPath: string | null
}

/**
 * 'Show more' is a link to the next page; with JavaScript it adds that page's cards below these. The added cards are stored in the history
 * entry, so that coming back from an animal finds the same cards at the same place.
 */
function Cards({ data }: { data: PageData }) {
  const to = useLocalPath()
  const isFirstPaint = useIsFirstPaint()
  const { state, key } = useLocation()
  const kept = (state as { added?: Added } | null)?.added
  const fetcher = useFetcher<PageData | null>()
  // Not during hydration: the server knows no history.
  const [added, setAdded] = useState<Added | null>(isFirstPaint ? null : (kept ?? null))
  const nextPath = added ? added.nextPath : data.nextPath
  useEffect(() => {
    const page = fetcher.data
    if (fetcher.state !== 'idle' || !page) return
    setAdded((before) => {
      if (before?.nextPath === page.nextPath) return before
      const next = { cards: [...(before?.cards ?? []), ...page.cards], nextPath: page.nextPath }
      rememberInEntry(key, { added: next })
      return next
    })
  }, [fetcher.data, fetcher.state, key])
  return (
    <>
      <ul className={gridClass}>
        {[...data.cards, ...(added?.cards ?? [])].map((card, index) => (
          <li key={card.id} className="relative">
            <ListingCardLink card={card} isFirst={index === 0} />
            {/* Links to a page that asks and saves: this page is the same for everybody, and knows no visitor's saved list. */}
            <a
              href={to(`/saved?listing=${card.id}`)}
              aria-label={m.card_save({ name: card.name })}
              rel="nofollow"
              className="heart-on-card"
            >
              <Icon name="heart" size={22} className="fill-none" />
            </a>
          </li>
        ))}
      </ul>
      {fetcher.data === null && fetcher.state === 'idle' && (
        <p role="alert" className="mt-6 text-center text-brick">
          {m.list_more_failed()}
        </p>
      )}
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

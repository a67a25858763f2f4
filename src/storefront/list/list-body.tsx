import { use } from 'react'
import { readCell } from '#src/addresses/places.ts'
import { BROWSE_FORM, FILTER_ID } from '#src/listings/browse/filter-ids.ts'
import { SaveHeart, SaveWords } from '#src/alerts/save-heart.tsx'
import type { ListingCard } from '#src/listings/browse/browse.server.ts'
import { ListingRow, nameIdOf } from '#src/listings/browse/listing-row.tsx'
import { browsePath, defaultSort, isPlaceMissing, type BrowseNotice, type Sort } from '#src/listings/browse/schemas.ts'
import { m } from '#src/paraglide/messages.js'
import { localized } from '#src/kit/text/locale.ts'
import { ShareLink } from '#src/ui/link.tsx'
import { CompareToggle, CompareTray, CompareWords } from '#src/storefront/compare/compare-toggle.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PageInfo } from '#src/document/page-info.ts'
import { Select } from '#src/ui/select.tsx'
import { ChosenFilters, filtersOn, NearMe, UsualFilters } from './chosen-filters.tsx'
import { EmptyList } from './empty-list.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { categoryNames } from './category-names.ts'
import type { ListData } from './list-view.server.ts'
import { ListTop } from './list-top.tsx'
import { SpeciesRow } from './species-row.tsx'

/** Search, species, filters and the list, built from links and one form. */
export function ListBody({ page: loaderData }: { page: ListData }) {
  const { choices, groups, shortcuts, more, isPlaceUnknown } = loaderData
  const noticeList = loaderData.notices.map((notice): [BrowseNotice, string] => [notice, noticeTexts[notice]()])
  const to = useLocalPath()
  const title = choices.text ? m.list_title_search({ text: choices.text }) : categoryNames(loaderData) || m.list_title_all()
  const pathOf = (id: number) => browsePath({ ...choices, categoryIds: id === 0 ? [] : [id], breedIds: [] })
  return (
    <div className="list-page">
      <div className="list-head">
        <h1 className="sr-only text-2xl md:not-sr-only">{title}</h1>
        <ListTop text={choices.text} filtersOn={filtersOn(choices)} />
        <SpeciesRow shortcuts={shortcuts} more={more} chosen={choices.categoryIds} pathFor={pathOf} />
        <Notices notices={noticeList} place={isPlaceUnknown ? choices.near : null} />
      </div>
      <a href="#list" className="button-primary sr-only z-50 focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
        {m.list_skip()}
      </a>
      <FilterPanel
        groups={groups}
        traits={loaderData.traits}
        facets={loaderData.facets}
        choices={{ ...choices, ...loaderData.typedPrices, near: readCell(choices.near) ? (loaderData.place ?? '') : choices.near }}
        notices={noticeList}
        pathOf={pathOf}
      />
      <section id="list" tabIndex={-1} className="outline-none">
        <Toolbar page={loaderData} />
        <Remarks page={loaderData} />
        <SaveWords />
        <CompareWords />
        {loaderData.cards.length > 0 ? (
          <Cards data={loaderData} />
        ) : (
          <EmptyList page={loaderData} togglesOf={(id) => <Toggles id={id} />} />
        )}
        {loaderData.guides.map(({ path, text }) => (
          <a key={path} href={to(path)} className="tap-link mr-4">
            {text}
          </a>
        ))}
        <p className="mt-3">
          <ShareLink text={`${title}: ${loaderData.origin}${localized(browsePath(choices), loaderData.locale)}`} />
        </p>
      </section>
      <CompareTray />
    </div>
  )
}

/** Notes on how the page read the query, and the way back from a later page. */
function Remarks({ page }: { page: ListData }) {
  const to = useLocalPath()
  return (
    <>
      {!page.isFirstPage && (
        <p className="mb-2">
          <a href={to(browsePath(page.choices))} className="tap-link">
            {m.list_first_page()}
          </a>
        </p>
      )}
      {isPlaceMissing(page.choices) && (
        <div data-place-missing className="notice mb-2 flex flex-wrap items-center gap-x-3 gap-y-2">
          <a href={`#${FILTER_ID}`} className="tap-link">
            {m.list_notice_near()}
          </a>
          <NearMe choices={page.choices} />
        </div>
      )}
      {page.place && (
        <p data-near={page.choices.near} className="mb-2 truncate text-sm text-stone">
          {m.list_near_read({ place: page.place })}
        </p>
      )}
      {page.readAs.map(({ typed, word }) => (
        <p key={typed} className="mb-2 text-sm text-stone">
          {m.list_read_as({ typed, word })}
        </p>
      ))}
      {page.unread.length > 0 && (
        <p className="mb-2 text-sm text-stone">
          <s>{page.unread.join(' ')}</s> · {m.list_left_out()}
        </p>
      )}
    </>
  )
}

/** The number of results, the filters as chips, the sort order, and the switch between rows and big pictures: one row that scrolls on phones. */
function Toolbar({ page }: { page: ListData }) {
  return (
    <div className="list-tools">
      <div role="status">
        <h2 data-found={foundText(page)} className="text-sm font-semibold text-nowrap md:text-base">
          {page.found === 1 ? m.list_found_one() : m.list_found({ count: foundText(page) })}
        </h2>
      </div>
      <ChosenFilters page={page} />
      <div className="list-order">
        <SortOrder choices={page.choices} />
        <button type="button" className="list-view icon-button border border-stone/60 bg-field text-leaf">
          <span className="list-view-big">
            <Icon name="big" size={20} />
            <span className="sr-only">{m.list_view_big()}</span>
          </span>
          <span className="list-view-rows">
            <Icon name="rows" size={20} />
            <span className="sr-only">{m.list_view_rows()}</span>
          </span>
        </button>
      </div>
      <UsualFilters page={page} />
    </div>
  )
}

function SortOrder({ choices }: { choices: ListData['choices'] }) {
  return (
    <>
      <label htmlFor="sort" className="sr-only">
        {m.list_sort()}
      </label>
      <Select
        id="sort"
        form={BROWSE_FORM}
        name="sort"
        defaultValue={choices.sort === defaultSort(choices.text) ? '' : choices.sort}
        className="w-auto"
      >
        {sortChoices(choices.text !== '').map(([value, label]) => (
          // The default order is sent as an empty value, so that a later search text sorts by best match.
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
    </>
  )
}

const sortChoices = (isSearch: boolean): [Sort, string][] => [
  ...(isSearch ? ([['best', m.list_sort_best()]] as [Sort, string][]) : []),
  ['newest', m.list_sort_newest()],
  ['price-low', m.list_sort_price_low()],
  ['price-high', m.list_sort_price_high()],
  ['nearest', m.list_sort_nearest()],
]

/** "200+" is a lower bound. */
const foundText = ({ found, foundMore }: ListData) => `${found.toLocaleString('en-IN')}${foundMore ? '+' : ''}`

const noticeTexts: Record<BrowseNotice, () => string> = {
  'min-price': m.list_notice_min,
  'max-price': m.list_notice_max,
  'min-above-max': m.list_notice_order,
}

function Notices({ notices, place }: { notices: [BrowseNotice, string][]; place: string | null }) {
  const lines = [...notices.map(([, text]) => text), ...(place ? [m.list_notice_place({ place })] : [])]
  if (lines.length === 0) return null
  return (
    <div role="alert" className="alarm">
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

function Toggles({ id }: { id: number }) {
  const nameId = nameIdOf(id)
  return (
    <>
      <SaveHeart id={id} nameId={nameId} />
      <CompareToggle id={id} nameId={nameId} />
    </>
  )
}

const Row = ({ card, isFirst }: { card: ListingCard; isFirst: boolean }) => (
  <ListingRow card={card} isFirst={isFirst} toggles={<Toggles id={card.id} />} />
)

/**
 * The server caches each row, because many lists show it. 'Show more' links to the next page; with scripts it appends that page's rows
 * (list-more.ts).
 */
function Cards({ data }: { data: ListData }) {
  const to = useLocalPath()
  const { renderPart } = use(PageInfo)
  const rows = data.cards.map((card, index) => renderPart!('row', data.locale, <Row card={card} isFirst={index === 0} />, false))
  return (
    <>
      <ul className="listing-rows" dangerouslySetInnerHTML={{ __html: rows.join('') }} />
      <p role="alert" data-more-failed={m.list_more_failed()} className="mt-4 text-center text-brick"></p>
      {data.nextPath && (
        <p className="mt-2 text-center">
          <a href={to(data.nextPath)} data-more={m.list_loading()} className="button-plain w-full sm:w-auto sm:min-w-48">
            {m.list_more()}
          </a>
        </p>
      )}
    </>
  )
}

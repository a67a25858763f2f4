import { useLocation } from 'react-router'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { countText } from '#src/kit/text/count-text.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { ordersCount } from '#src/orders/orders-count.ts'
import { PushOffer } from '#src/accounts/notifications/push-offer.tsx'
import { m } from '#src/paraglide/messages.js'
import { tableAddress } from '#src/ui/desk-query.ts'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { Pager } from '#src/ui/pager.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { NamedPhotos } from './named-photos.tsx'
import { OwnListingCard } from './own-listings-card.tsx'
import { OrderedLines } from './own-listings-ordered.tsx'
import { OwnListingsFilter } from './own-listings-filter.tsx'
import { OWN_TABS, ownTabIn, ownTabs, type OwnTab } from './own-tabs.ts'
import type { Done, ListPage, LoadedLists, SellerProductData } from './seller-product-view.server.ts'

/** 'Listed products' of B §2. */
export function SellerProductView({ page, refused }: { page: SellerProductData; refused: FormRefusal | undefined }) {
  return (
    <div className="space-y-3">
      <h1 className="text-2xl">{m.own_title()}</h1>
      {page.kind === 'logged-out' ? <LoggedOut path="/seller-product/" refused={refused} /> : <List page={page} refused={refused} />}
    </div>
  )
}

const listingWords = { one: m.own_count_one, many: m.own_count, more: m.own_count_more }
const tabNames: Record<OwnTab, () => string> = { ordered: m.own_tab_ordered, soldout: m.own_tab_sold, instock: m.own_tab_stock }
const emptyTexts: Record<OwnTab, () => string> = { ordered: m.own_empty_ordered, soldout: m.own_empty_sold, instock: m.own_empty_stock }

const doneTexts: Record<Done, () => string> = {
  updated: m.own_done_updated,
  pending: m.own_done_pending,
  sold: m.own_done_sold,
  withdrawn: m.own_done_withdrawn,
  relisted: m.own_done_relisted,
  renewed: m.own_done_renewed,
  draft: m.own_done_draft,
  owner: m.own_done_owner,
  taken: m.own_done_taken,
  imported: m.own_done_imported,
  'order-yes': m.own_done_order_yes,
  'order-no': m.own_done_order_no,
}

/** The address of this list with changed filters; null removes one. */
const pathOf = ({ filters, tab }: ListPage, changes: Record<string, string | null> = {}): string =>
  tableAddress('/seller-product/', {
    seller: filters.seller,
    state: filters.state,
    category: filters.categoryId,
    tab: tab === 'instock' ? null : OWN_TABS[tab],
    ...changes,
  })

/** Downloads: a CSV file, and a poster for the village notice board. */
function Files() {
  const to = useLocalPath()
  return (
    <section className="row gap-x-6">
      <a href={to('/poster.pdf')} download className="tap-link font-semibold">
        {m.own_poster()}
      </a>
      <a href={to('/poster.pdf?phone=0')} download className="tap-link">
        {m.own_poster_plain()}
      </a>
      <a href={to('/sell/import')} className="tap-link">
        {m.own_import()}
      </a>
      <a href={to('/seller-product.csv')} download className="tap-link">
        {m.own_csv()}
      </a>
    </section>
  )
}

function List({ page: loaded, refused }: { page: LoadedLists; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { search } = useLocation()
  // Changing tabs loads nothing, so the address says which tab is open.
  const asked = loaded.onlyOrdered ? loaded.tab : ownTabIn(new URLSearchParams(search))
  const tab = loaded.lists[asked] ? asked : loaded.tab
  const page: ListPage = { ...loaded, ...loaded.lists[tab]!, tab }
  const { listings, count } = page
  const showsUnfinished = page.isUnfinished && tab === 'instock'
  // The next form makes the notice of the earlier one stale.
  const query = new URLSearchParams(search)
  query.delete('done')
  query.delete('copy')
  // Listings and orders have separate ids, and a page shows only one of the two.
  const shownIds = tab === 'ordered' ? page.lines.map(({ id }) => id) : listings.map(({ card }) => card.id)
  const isListed = shownIds.some((id) => String(id) === refused?.typed.id)
  const action = to(`/seller-product/${query.size > 0 ? `?${query}` : ''}`)
  return (
    <>
      {page.isAdmin && <p className="text-stone">{m.own_lead_all()}</p>}
      {page.done && !refused && <FormDone>{doneTexts[page.done]()}</FormDone>}
      {refused && !isListed && <FormFailure detail={refused.detail} />}
      <Tabs page={page} />
      {page.isAdmin && tab !== 'ordered' && <OwnListingsFilter page={page} />}
      {tab === 'instock' && page.listedForMe && <TakeOver listed={page.listedForMe} action={action} />}
      {tab === 'instock' && page.namedPhotos.length > 0 && <NamedPhotos waiting={page.namedPhotos} />}
      {showsUnfinished && page.copyAsked !== null && <CopyOver id={page.copyAsked} action={action} />}
      {showsUnfinished && page.copyAsked === null && <Unfinished />}
      {tab === 'ordered' && page.lines.length > 0 ? (
        <OrderedLines page={page} action={action} refused={refused} countText={ordersCount(count, COUNT_UP_TO)} />
      ) : listings.length === 0 ? (
        <Empty page={page} />
      ) : (
        <Listings page={page} action={action} refused={refused} />
      )}
      {!page.isAdmin && listings.length > 0 && <Files />}
      <Pager
        label={m.own_pages()}
        first={page.isFirstPage ? null : to(pathOf(page))}
        next={page.next ? to(pathOf(page, { after: page.next })) : null}
      />
      {!page.isAdmin && listings.some(({ standing }) => standing === 'pending') && <PushOffer about="listing" />}
    </>
  )
}

interface TakeOverProps {
  listed: NonNullable<ListPage['listedForMe']>
  action: string
}

/** Agents have listed animals for this person's number before they registered. */
const TakeOver = ({ listed, action }: TakeOverProps) => (
  <PostForm reloadDocument action={action} className="notice space-y-3 p-4">
    <p className="font-semibold">{m.own_listed_for_me({ agents: listed.agents.join(', '), count: listed.count })}</p>
    <p>{m.own_take_over_text()}</p>
    <button type="submit" name="act" value="take-over" className="button-primary">
      {m.own_take_over()}
    </button>
  </PostForm>
)

function Unfinished() {
  const to = useLocalPath()
  return (
    <p className="row justify-between gap-3 rounded-card border border-turmeric bg-turmeric-soft p-4">
      <span>{m.own_unfinished()}</span>
      <a href={to('/sell')} className="button-primary">
        {m.own_unfinished_go()}
      </a>
    </p>
  )
}

/** The sell form holds one animal, so ask whether the copy may replace the unfinished one. */
function CopyOver({ id, action }: { id: number; action: string }) {
  const to = useLocalPath()
  return (
    <PostForm reloadDocument action={action} className="notice space-y-3 p-4">
      <HiddenFields act="copy" id={id} over="1" />
      <p role="status" className="font-semibold">
        {m.own_copy_over()}
      </p>
      <div className="flex flex-wrap gap-2">
        <a href={to('/sell')} className="button-primary">
          {m.own_unfinished_go()}
        </a>
        <button type="submit" className="button-plain">
          {m.own_copy_over_yes()}
        </button>
      </div>
    </PostForm>
  )
}

function Tabs({ page }: { page: ListPage }) {
  const to = useLocalPath()
  return (
    <nav
      aria-label={m.own_tabs()}
      className={`grid ${page.onlyOrdered ? '' : 'grid-cols-[repeat(3,auto)]'} overflow-hidden rounded-card border border-line bg-husk-dark`}
    >
      {ownTabs
        .filter((each) => !page.onlyOrdered || each === 'ordered')
        .map((each) => (
          <Link
            key={each}
            to={to(pathOf(page, { tab: each === 'instock' ? null : OWN_TABS[each] }))}
            reloadDocument={page.lists[each] === null}
            preventScrollReset
            aria-current={each === page.tab ? 'page' : undefined}
            className="flex min-h-14 items-center justify-center border-b-4 border-transparent px-1 py-2 text-center text-sm leading-tight font-semibold text-stone aria-[current]:border-leaf aria-[current]:bg-paper aria-[current]:text-leaf sm:text-base"
          >
            {tabNames[each]()}
          </Link>
        ))}
    </nav>
  )
}

interface ListingsProps {
  page: ListPage
  action: string
  refused: FormRefusal | undefined
}

function Listings({ page, action, refused }: ListingsProps) {
  const to = useLocalPath()
  const { filters, listings, count } = page
  return (
    <>
      <div className="row justify-between gap-2">
        {filters.listingId === null ? (
          <p className="text-sm text-stone md:text-base">{countText(count, COUNT_UP_TO, listingWords)}</p>
        ) : (
          <a href={to(pathOf(page))} className="tap-link font-semibold">
            {m.own_show_all()}
          </a>
        )}
        <a href={to('/sell')} className="button-plain px-2 text-sm md:px-4 md:text-base">
          <Icon name="plus" size={18} />
          {m.own_sell()}
        </a>
      </div>
      <ul className="grid grid-cols-1 gap-2 md:grid-cols-2 md:gap-4 lg:grid-cols-3">
        {listings.map((listing) => (
          <li key={listing.card.id}>
            <OwnListingCard
              listing={listing}
              action={action}
              refused={refused?.typed.id === String(listing.card.id) ? refused : undefined}
              showsSeller={page.isAdmin}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

function Empty({ page }: { page: ListPage }) {
  const to = useLocalPath()
  if (page.isFiltered || page.filters.listingId !== null) {
    return (
      <p className="panel p-4">
        {m.own_empty_filtered()}{' '}
        <a href={to('/seller-product/')} className="link font-semibold">
          {m.own_show_all()}
        </a>
      </p>
    )
  }
  return (
    <div className="empty-panel">
      <p className="text-lg">{emptyTexts[page.tab]()}</p>
      <a href={to('/sell')} className="button-primary">
        <Icon name="plus" size={18} />
        {m.own_sell()}
      </a>
    </div>
  )
}

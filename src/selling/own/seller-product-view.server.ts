import { redirect } from 'react-router'
import { searchText } from '#src/kit/text/plain-text.ts'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import type { FormPage } from '#src/kit/http/page.server.ts'
import type { ListingState } from '#src/listings/life/life.ts'
import { categories } from '#src/listings/reference/reference-data.ts'
import { parseId } from '#src/kit/ids.ts'
import { listOrderedLines } from '#src/orders/list/ordered-lines.server.ts'
import { findListedForMe } from '#src/selling/owners/take-over.server.ts'
import { hasUnfinishedForm, listNamedPhotos, listOwnListings, type OwnFilters } from './own-listings.server.ts'
import { shownLine, type ShownLine } from './own-listings-ordered.server.ts'
import { shownListing, type ShownListing } from './own-listings-view.server.ts'
import { ownTabIn, type OwnTab } from './own-tabs.ts'

const MAX_TEXT = 80

const STATES: ListingState[] = ['draft', 'pending', 'passed', 'failed', 'withdrawn']

/** The result of the last form, in the address. */
const DONE = [
  'updated',
  'pending',
  'sold',
  'withdrawn',
  'relisted',
  'renewed',
  'draft',
  'owner',
  'taken',
  'imported',
  'order-yes',
  'order-no',
] as const

export type Done = (typeof DONE)[number]

export async function readSellerProducts(ctx: Ctx, query: URLSearchParams) {
  if (!ctx.viewer) return { kind: 'logged-out' as const }
  // A former seller sees their orders only; a person who never sold sees how to begin.
  const onlyOrdered = !can(ctx.viewer, 'sell')
  if (onlyOrdered && (await listOrderedLines(ctx, ctx.viewer.id, { top: 0 })).count === 0) throw redirect(localized('/sell', ctx.locale))
  const isAdmin = can(ctx.viewer, 'operate')
  const sellerId = isAdmin ? null : ctx.viewer.id
  const filters = filtersIn(query, isAdmin)
  const tab = onlyOrdered ? 'ordered' : ownTabIn(query)
  // B §2: all three lists load on entry. Everybody's lists, for an admin, and the rest of a long list load one at a time.
  const loadsAll = !isAdmin && !onlyOrdered && filters.after === null && filters.listingId === null
  const whose = { ...filters, sellerId }
  const readTab = (each: OwnTab) =>
    !loadsAll && each !== tab ? null : each === 'ordered' ? readOrdered(ctx, whose) : readListings(ctx, { ...whose, tab: each })
  return {
    kind: 'list' as const,
    isAdmin,
    tab,
    onlyOrdered,
    filters: { seller: filters.seller, state: filters.state, categoryId: filters.categoryId, listingId: filters.listingId },
    isFiltered: filters.seller !== '' || filters.state !== null || filters.categoryId !== null,
    /** The lists that were read; null for one that its own address loads. */
    lists: { ordered: await readTab('ordered'), soldout: await readTab('soldout'), instock: await readTab('instock') },
    isFirstPage: filters.after === null,
    isUnfinished: !isAdmin && !onlyOrdered && (await hasUnfinishedForm(ctx, ctx.viewer.id)),
    namedPhotos: isAdmin || onlyOrdered ? [] : await listNamedPhotos(ctx, ctx.viewer.id),
    listedForMe: !isAdmin && !onlyOrdered && filters.after === null ? await findListedForMe(ctx) : null,
    /** The listing whose copy would replace an unfinished animal. */
    copyAsked: parseId(query.get('copy') ?? undefined),
    done: DONE.find((each) => each === query.get('done')) ?? null,
    categories: categories.map((category) => ({ id: category.id, name: category[ctx.locale] })),
  }
}

interface TabList {
  /** Empty for the tab of orders. */
  listings: ShownListing[]
  /** Empty for the two tabs of animals. */
  lines: ShownLine[]
  /** All of the tab, counted up to COUNT_UP_TO. */
  count: number
  /** The value of `after` for the next page. */
  next: string | null
}

async function readListings(ctx: Ctx, filters: OwnFilters): Promise<TabList> {
  const { listings, count, next } = await listOwnListings(ctx, filters)
  return { listings: listings.map((listing) => shownListing(ctx, listing)), lines: [], count, next: next && `${next.rank}.${next.id}` }
}

async function readOrdered(ctx: Ctx, { sellerId, after }: Pick<OwnFilters, 'sellerId' | 'after'>): Promise<TabList> {
  const { lines, count, nextAfterId } = await listOrderedLines(ctx, sellerId, { afterId: after?.id ?? null })
  return { listings: [], lines: lines.map((line) => shownLine(ctx, line)), count, next: nextAfterId === null ? null : `0.${nextAfterId}` }
}

function filtersIn(query: URLSearchParams, isAdmin: boolean) {
  const [, rank, id] = /^([012])\.([1-9]\d{0,14})$/.exec(query.get('after') ?? '') ?? []
  const seller = searchText(query.get('seller') ?? '', MAX_TEXT)
  return {
    after: id === undefined ? null : { rank: Number(rank), id: Number(id) },
    listingId: parseId(query.get('listing') ?? undefined),
    ...(isAdmin
      ? {
          seller,
          state: STATES.find((state) => state === query.get('state')) ?? null,
          categoryId: categories.find((category) => String(category.id) === query.get('category'))?.id ?? null,
        }
      : { seller: '', state: null, categoryId: null }),
  }
}

export type SellerProductData = FormPage<typeof readSellerProducts>

export type LoadedLists = Extract<SellerProductData, { kind: 'list' }>

/** The page with the list of the open tab. */
export type ListPage = LoadedLists & TabList & { tab: OwnTab }

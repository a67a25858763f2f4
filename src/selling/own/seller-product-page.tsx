import { redirect, redirectDocument, type ShouldRevalidateFunctionArgs } from 'react-router'
import { z } from 'zod'
import { searchText } from '#src/kit/text/plain-text.ts'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import type { ListingState } from '#src/listings/life/life.ts'
import { categories } from '#src/listings/reference/reference-data.ts'
import { parseId } from '#src/kit/ids.ts'
import { reasonText, seenStatus } from '#src/orders/steps/handover-schemas.server.ts'
import { listOrderedLines } from '#src/orders/list/ordered-lines.server.ts'
import { CONFIRMED, NOT_AVAILABLE } from '#src/orders/rules.ts'
import { ignoreDuplicateSubmit } from '#src/orders/ignore-duplicate-submit.server.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { m } from '#src/paraglide/messages.js'
import { changeFee } from '#src/selling/owners/consents.server.ts'
import { readFee, withTypedFee } from '#src/selling/owners/owner-input.server.ts'
import { findListedForMe, takeOver } from '#src/selling/owners/take-over.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { copyListing } from './copy-listing.server.ts'
import { hasUnfinishedForm, listOwnListings, type OwnFilters } from './own-listings.server.ts'
import { shownLine, type ShownLine } from './own-listings-ordered.server.ts'
import { shownListing, type ShownListing } from './own-listings-view.server.ts'
import { ownTabIn, type OwnTab } from './own-tabs.ts'
import { SellerProductView } from './seller-product-view.tsx'
import { asTyped, quickEditFields, quickEditInput, stockField } from './quick-edit-schemas.ts'
import { quickEdit } from './quick-edit.server.ts'
import { renew } from './renew.server.ts'
import { markSold, relist, withdraw } from './sale.server.ts'
import type { Route } from './+types/seller-product-page'

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

export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const shared = { locale: ctx.locale, origin: ctx.publicOrigin }
  if (!ctx.viewer) return { ...shared, kind: 'logged-out' as const }
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
    ...shared,
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
    listedForMe: !isAdmin && !onlyOrdered && filters.after === null ? await findListedForMe(ctx) : null,
    /** The listing whose copy would replace an unfinished animal. */
    copyAsked: parseId(query.get('copy') ?? undefined),
    done: DONE.find((each) => each === query.get('done')) ?? null,
    categories: categories.map((category) => ({ id: category.id, name: category[ctx.locale] })),
  }
})

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

/** Another tab whose list has loaded needs no request. An admin's tabs are plain links. */
export function shouldRevalidate({ currentUrl, nextUrl, formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  const withoutTab = ({ pathname, searchParams }: URL) => pathname + String([...searchParams].filter(([name]) => name !== 'tab'))
  const isOtherTab = currentUrl.search !== nextUrl.search && withoutTab(currentUrl) === withoutTab(nextUrl)
  return formMethod === undefined && isOtherTab ? false : defaultShouldRevalidate
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

export const action = pageAction('seller-product', async (ctx, { form, url, site }) => {
  if (textOf(form, 'act') === 'take-over') {
    await asInternalProblem(ctx, 'listings could not be taken over', () => takeOver(ctx))
    throw redirect(localized('/seller-product/?done=taken', ctx.locale))
  }
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  if (textOf(form, 'act') === 'copy') {
    const copy = () => copyListing(ctx, site.media, id, { isOver: textOf(form, 'over') === '1' })
    const isCopied = await asInternalProblem(ctx, 'a listing could not be copied', copy)
    throw redirect(localized(isCopied ? '/sell?copied' : `/seller-product/?copy=${id}`, ctx.locale))
  }
  const step = steps.get(textOf(form, 'act'))
  if (!step) throw new Problem('MALFORMED')
  const done = await asInternalProblem(ctx, 'a listing could not be changed', () => step(ctx, id, form))
  // A §6: the product page's Update stays there. Its parts without React are new, too.
  if (textOf(form, 'from') === 'product') throw redirectDocument(localized(`/product/${id}?done=${done}`, ctx.locale))
  const query = new URLSearchParams({ done })
  // Keep the admin's filters.
  for (const name of ['seller', 'state', 'category', ...(done.startsWith('order') ? ['tab', 'after'] : [])]) {
    const value = url.searchParams.get(name)
    if (value) query.set(name, value)
  }
  throw redirect(localized(`/seller-product/?${query}`, ctx.locale))
})

/** The forms of the page by name; the commands decide who may take which step from which state. */
const steps = new Map<string, (ctx: Ctx, id: number, form: FormData) => Promise<Done>>(
  Object.entries({
    update: async (ctx, id, form) => {
      const input = parseInput(
        quickEditInput,
        quickEditFields((field) => textOf(form, field)),
      )
      return (await quickEdit(ctx, id, input)) === 'pending' ? 'pending' : 'updated'
    },
    withdraw: async (ctx, id) => {
      await withdraw(ctx, id)
      return 'withdrawn'
    },
    relist: async (ctx, id, form) => {
      const { stock } = parseInput(z.object({ stock: stockField }), { stock: asTyped(textOf(form, 'stock')) })
      const state = await relist(ctx, id, stock)
      return state === 'passed' ? 'relisted' : state === 'draft' ? 'draft' : 'pending'
    },
    renew: async (ctx, id) => {
      await renew(ctx, id)
      return 'renewed'
    },
    'order-yes': async (ctx, id, form) => {
      const { from } = parseInput(seenStatus, Object.fromEntries(form))
      await ignoreDuplicateSubmit(ctx, id, CONFIRMED, () => takeStep(ctx, id, { to: CONFIRMED, from }))
      return 'order-yes'
    },
    'order-no': async (ctx, id, form) => {
      const { from, reason } = parseInput(seenStatus.extend({ reason: z.union([z.literal('').transform(() => undefined), reasonText]) }), {
        from: form.get('from') ?? undefined,
        reason: textOf(form, 'reason').trim(),
      })
      await ignoreDuplicateSubmit(ctx, id, NOT_AVAILABLE, () => takeStep(ctx, id, { to: NOT_AVAILABLE, from, ...(reason && { reason }) }))
      return 'order-no'
    },
    'ask-owner': async (ctx, id, form) => {
      const fields: FieldProblem[] = []
      const typed = { ownerFee: textOf(form, 'ownerFee'), ownerFeeUnit: textOf(form, 'ownerFeeUnit') }
      const fee = readFee(withTypedFee(typed), null, (field, message) => void fields.push({ field, message }))
      if (!fee) throw new Problem('VALIDATION', { fields })
      await changeFee(ctx, id, fee)
      return 'owner'
    },
    sold: async (ctx, id, form) => {
      const { through } = parseInput(z.object({ through: z.enum(['sandhai', 'others']) }), { through: textOf(form, 'through') })
      await markSold(ctx, id, through === 'sandhai')
      return 'sold'
    },
  } satisfies Record<string, (ctx: Ctx, id: number, form: FormData) => Promise<Done>>),
)

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/seller-product',
        title: m.own_title(),
        description: m.own_lead(),
      })
    : []

export default function SellerProductPage({ loaderData, actionData }: Route.ComponentProps) {
  return <SellerProductView page={loaderData} refused={actionData?.refused} />
}

export type SellerProductData = Route.ComponentProps['loaderData']
export type LoadedLists = Extract<SellerProductData, { kind: 'list' }>
/** The page with the list of the open tab. */
export type ListPage = LoadedLists & TabList & { tab: OwnTab }

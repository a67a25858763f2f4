import { redirect, redirectDocument } from 'react-router'
import { z } from 'zod'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem, type FieldProblem } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import type { ListingState } from '#src/listings/life.ts'
import { categories } from '#src/listings/reference-data.ts'
import { parseId } from '#src/kit/ids.ts'
import { reasonText, seenStatus } from '#src/orders/handover-schemas.server.ts'
import { listOrderedLines } from '#src/orders/ordered-lines.server.ts'
import { CONFIRMED, NOT_AVAILABLE } from '#src/orders/rules.ts'
import { ignoreDuplicateSubmit } from '#src/orders/ignore-duplicate-submit.server.ts'
import { takeStep } from '#src/orders/take-step.server.ts'
import { m } from '#src/paraglide/messages.js'
import { changeFee } from '#src/selling/owners/consents.server.ts'
import { readFee } from '#src/selling/owners/owner-input.server.ts'
import { findListedForMe, takeOver } from '#src/selling/owners/take-over.server.ts'
import { hasUnfinishedForm, listOwnListings, OWN_TABS, type OwnTab } from './own-listings.server.ts'
import { shownLine } from './own-listings-ordered.server.ts'
import { shownListing } from './own-listings-view.server.ts'
import { SellerProductView } from './seller-product-view.tsx'
import { copyListing } from '#src/selling/form/copy-listing.server.ts'
import { asTyped, quickEditInput, stockField } from './quick-edit-schemas.ts'
import { quickEdit } from './quick-edit.server.ts'
import { renew } from './renew.server.ts'
import { markSold, relist, withdraw } from './sale.server.ts'
import type { Route } from './+types/seller-product-page'
import { parseInput } from '#src/kit/parse-input.ts'

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
  const tab = onlyOrdered ? 'ordered' : tabIn(query)
  const page = await listOwnListings(ctx, { ...filters, sellerId, tab: tab === 'ordered' ? 'instock' : tab })
  const ordered = await listOrderedLines(ctx, sellerId, tab === 'ordered' ? { afterId: filters.after?.id ?? null } : { top: 0 })
  return {
    ...shared,
    kind: 'list' as const,
    isAdmin,
    tab,
    onlyOrdered,
    filters: { seller: filters.seller, state: filters.state, categoryId: filters.categoryId, listingId: filters.listingId },
    isFiltered: filters.seller !== '' || filters.state !== null || filters.categoryId !== null,
    listings: tab === 'ordered' ? [] : page.listings.map((listing) => shownListing(ctx, listing)),
    counts: { ...page.counts, ordered: ordered.count },
    lines: ordered.lines.map((line) => shownLine(ctx, line)),
    countsUpTo: page.countsUpTo,
    next: tab === 'ordered' ? ordered.nextAfterId && `0.${ordered.nextAfterId}` : page.next && `${page.next.rank}.${page.next.id}`,
    isFirstPage: filters.after === null,
    isUnfinished: tab === 'instock' && !isAdmin && (await hasUnfinishedForm(ctx, ctx.viewer.id)),
    listedForMe: tab === 'instock' && !isAdmin && filters.after === null ? await findListedForMe(ctx) : null,
    /** The listing whose copy would replace an unfinished animal. */
    copyAsked: parseId(query.get('copy') ?? undefined),
    done: DONE.find((each) => each === query.get('done')) ?? null,
    categories: categories.map((category) => ({ id: category.id, name: category[ctx.locale] })),
  }
})

const tabIn = (query: URLSearchParams): OwnTab =>
  (Object.keys(OWN_TABS) as OwnTab[]).find((tab) => OWN_TABS[tab] === query.get('tab')) ?? 'instock'

function filtersIn(query: URLSearchParams, isAdmin: boolean) {
  const [, rank, id] = /^([012])\.([1-9]\d{0,14})$/.exec(query.get('after') ?? '') ?? []
  const seller = (query.get('seller') ?? '')
    .slice(0, MAX_TEXT)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed()
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
      const typed = (name: string) => asTyped(textOf(form, name))
      const input = parseInput(quickEditInput, {
        stock: typed('stock'),
        weightKg: typed('weightKg'),
        originalPrice: typed('originalPrice'),
        offerPrice: typed('offerPrice'),
        version: textOf(form, 'version') || undefined,
      })
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
      const fee = readFee(typed, null, (field, message) => void fields.push({ field, message }))
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
    ? pageMeta({
        ...loaderData,
        path: '/seller-product',
        title: m.own_title(),
        description: m.own_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function SellerProductPage({ loaderData, actionData }: Route.ComponentProps) {
  return <SellerProductView page={loaderData} refused={actionData?.refused} />
}

export type SellerProductData = Route.ComponentProps['loaderData']

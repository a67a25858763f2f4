import { redirect, redirectDocument, type ShouldRevalidateFunctionArgs } from 'react-router'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { reasonText, seenStatus } from '#src/orders/steps/handover-schemas.server.ts'
import { CONFIRMED, NOT_AVAILABLE } from '#src/orders/process.server.ts'
import { ignoreDuplicateSubmit } from '#src/orders/ignore-duplicate-submit.server.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { m } from '#src/paraglide/messages.js'
import { changeFee } from '#src/selling/owners/consents.server.ts'
import { readFee, withTypedFee } from '#src/selling/owners/owner-input.server.ts'
import { takeOver } from '#src/selling/owners/take-over.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { copyListing } from './copy-listing.server.ts'
import { SellerProductView } from './seller-product.tsx'
import { asTyped, quickEditFields, quickEditInput, stockField } from './quick-edit-schemas.ts'
import { quickEdit } from './quick-edit.server.ts'
import { renew } from './renew.server.ts'
import { markSold, relist, withdraw } from './sale.server.ts'
import { type Done, readSellerProducts } from './seller-product-view.server.ts'
import type { Route } from './+types/seller-product-page'

export const loader = formLoader((ctx, { url }) => readSellerProducts(ctx, url.searchParams))

/** Another tab whose list has loaded needs no request. An admin's tabs are plain links. */
export function shouldRevalidate({ currentUrl, nextUrl, formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  const withoutTab = ({ pathname, searchParams }: URL) => pathname + String([...searchParams].filter(([name]) => name !== 'tab'))
  const isOtherTab = currentUrl.search !== nextUrl.search && withoutTab(currentUrl) === withoutTab(nextUrl)
  return formMethod === undefined && isOtherTab ? false : defaultShouldRevalidate
}

export const action = pageAction('seller-product', async (ctx, { form, url, site }) => {
  if (textOf(form, 'act') === 'take-over') {
    await takeOver(ctx)
    throw redirect(localized('/seller-product/?done=taken', ctx.locale))
  }
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  if (textOf(form, 'act') === 'copy') {
    const isCopied = await copyListing(ctx, site.media, id, { isOver: textOf(form, 'over') === '1' })
    throw redirect(localized(isCopied ? '/sell?copied' : `/seller-product/?copy=${id}`, ctx.locale))
  }
  const step = steps.get(textOf(form, 'act'))
  if (!step) throw new Problem('MALFORMED')
  const done = await step(ctx, id, form)
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
      const fee = readFee(withTypedFee(typed), (field, message) => void fields.push({ field, message }))
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

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.own_title(), description: m.own_lead() }))

export default function SellerProductPage({ loaderData, actionData }: Route.ComponentProps) {
  return <SellerProductView page={loaderData} refused={actionData?.refused} />
}

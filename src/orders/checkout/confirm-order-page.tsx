import { randomUUID } from 'node:crypto'
import { redirect, type LoaderFunctionArgs, type RouterContextProvider } from 'react-router'
import { getAddress } from '#src/addresses/addresses.server.ts'
import { takeLimits } from '#src/accounts/sign-in/auth-forms.server.ts'
import { requireConsent } from '#src/accounts/consent.server.ts'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { getCart } from '#src/cart/queries.server.ts'
import { linesText, quote, wastedOn } from '#src/cart/rules.ts'
import { visitorContext } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { IDEMPOTENCY_KEY } from '#src/kit/records/idempotency.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { shownAddress } from '#src/addresses/addresses-view.server.ts'
import { parseId, idIn } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { ConfirmOrderView } from './confirm-order-view.tsx'
import { findExpectedDays } from './expected-days.server.ts'
import { findDiscount, REFERRAL_CODE } from './discounts.server.ts'
import { placeOrder } from './place-order.server.ts'
import { findPlaced, placedUnder } from './placed-orders.server.ts'
import type { Route } from './+types/confirm-order-page'

/** B §2: items of the cart, address, total and one button. */
export const loader = ({ request, params, context }: LoaderFunctionArgs) => {
  const router = context as Readonly<RouterContextProvider>
  const visitor = router.get(visitorContext)!
  return formLoader(async (ctx, { url, site }) => {
    const viewer = requireViewer(ctx, url)
    await requireConsent(ctx, url)
    const addressId = idIn(params.addressId)
    const shared = { addressId, locale: ctx.locale, origin: ctx.publicOrigin }
    const placedId = parseId(url.searchParams.get('placed') ?? undefined)
    const placed = placedId === null ? null : await findPlaced(ctx, placedId)
    if (placed) return { ...shared, kind: 'placed' as const, ...placed }
    const address = await getAddress(ctx, addressId)
    const lines = await getCart(ctx)
    const typed = url.searchParams.get('code')
    const code = codeIn(typed ?? visitor.cookies.refcode ?? '')
    const isHeldBack = isCode(code) && !(await mayTryCode(() => takeLimits(ctx, site, visitor, 'discountMinute')))
    const { offer } = await findDiscount(ctx, isHeldBack ? '' : code)
    const canBeOrdered = lines.filter(({ state }) => state === 'ok')
    return {
      ...shared,
      kind: 'review' as const,
      buyerId: viewer.id,
      address: shownAddress(ctx, address),
      lines,
      sums: quote(canBeOrdered, offer),
      /** The discount that would be used up on less than it is worth. */
      wasted: wastedOn(canBeOrdered[0], offer),
      shownLines: linesText(canBeOrdered),
      /** Exactly as typed, also when it is no valid code. */
      code: typed === null && !isCode(code) ? '' : code,
      codeSays: isHeldBack
        ? ('later' as const)
        : isCode(code)
          ? ('looked' as const)
          : typed === null || code === ''
            ? null
            : ('wrong' as const),
      isDeliverable: address.isDeliverable && lines.every((line) => line.isPickupDeliverable),
      days: await findExpectedDays(
        ctx,
        address.pincode,
        canBeOrdered.map(({ pickupPincode }) => pickupPincode),
      ),
      isBlocked: canBeOrdered.length < lines.length,
      hasChanged: url.searchParams.has('changed'),
      /** The form's idempotency key: repeated submits make one order. */
      attempt: randomUUID(),
    }
  })({ request, params, context: router })
}

export const action = pageAction('confirm-order', async (ctx, { params, form, site }): Promise<never> => {
  const addressId = idIn(params.addressId)
  const code = codeIn(textOf(form, 'code'))
  const back = (query: Record<string, string>) =>
    redirect(localized(`/confirm-order/${addressId}?${new URLSearchParams(query)}`, ctx.locale))
  // The page shows what a code is worth, so it counts the tries.
  if (textOf(form, 'act') === 'apply') throw back({ code })
  const key = textOf(form, 'attempt')
  const leadToPlaced = async () => {
    const placed = await placedUnder(ctx, key)
    if (placed !== null) throw back({ placed: String(placed) })
  }
  // A mistyped code must not cost the buyer their discount: the form orders nothing until they have seen the error.
  if (code !== '' && !isCode(code)) {
    await leadToPlaced()
    throw back({ code })
  }
  const shownLines = textOf(form, 'lines')
  const shown = /^\d{1,17}$/.exec(textOf(form, 'shown'))?.[0]
  try {
    const { orders } = await asInternalProblem(ctx, 'an order could not be placed', () =>
      placeOrder(ctx, {
        addressId,
        code,
        ...(IDEMPOTENCY_KEY.test(key) && { key }),
        ...(shown !== undefined && { shownPayable: BigInt(shown) }),
        ...(shownLines !== '' && { shownLines }),
      }),
    )
    throw back({ placed: String(orders[0]!.id) })
  } catch (error) {
    // Covers a total that was computed with another code, too.
    if (error instanceof Problem && error.code === 'PRICE_CHANGED') {
      await site.limits.giveBackQuotas(ctx.db)
      throw back({ code, changed: '1' })
    }
    // The first response was lost and the buyer has typed another code since. The order exists, so redirect to it.
    if (error instanceof Problem && error.code === 'IDEMPOTENCY_MISMATCH') await leadToPlaced()
    throw error
  }
})

/** Longer than a code, so that the field keeps a mistyped one. */
const CODE_TEXT = 40
/** Removes the spaces that come with a code copied from a message. */
const codeIn = (text: string) => text.replace(/\s/g, '').toUpperCase().slice(0, CODE_TEXT)
const isCode = (text: string) => REFERRAL_CODE.test(text)

/** Takes one try of the rate limit on codes, whether the code comes by address or cookie. The page still works when it returns false. */
async function mayTryCode(take: () => Promise<void>): Promise<boolean> {
  try {
    await take()
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'RATE_LIMITED') return false
    throw error
  }
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: `/confirm-order/${loaderData.addressId}`,
        title: loaderData.kind === 'review' ? m.confirm_title() : loaderData.isOver ? m.confirm_placed_over() : m.confirm_placed_title(),
        description: m.confirm_meta(),
      })
    : []

export default function ConfirmOrderPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ConfirmOrderView page={loaderData} refused={actionData?.refused} />
}

export type ConfirmOrderData = Route.ComponentProps['loaderData']
export type Review = Extract<ConfirmOrderData, { kind: 'review' }>
